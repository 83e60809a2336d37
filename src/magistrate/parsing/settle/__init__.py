"""From candidates to a reading: what may stand around an answer, agreement, alignment, and one ladder of statuses."""
