"""Commands beside the main job: fuzz, servers, datasets, caches, listings."""
