"""What surrounds an answer: the end of the reply, marks of thinking and channels, fences, and the judge's own words."""
