"""Readers: one module a format, each a generator of raw rows that keeps going after a bad one."""
