"""The seam to the models: the only room that calls one."""
