"""Metrics of citations: do the passages that an answer cites stand behind what it says?"""
