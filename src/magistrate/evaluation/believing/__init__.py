"""How far the figures of a run can be believed: people's labels of it, and what they say."""
