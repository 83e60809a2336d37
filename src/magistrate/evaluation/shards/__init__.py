"""A large run in parts: each shard is an ordinary run folder, judged anywhere and at any time, and merged in order."""

from magistrate.evaluation.shards.manifest import Manifest, Shard, read_manifest, write_manifest
from magistrate.evaluation.shards.working import ShardOutcome, judge_shard, merge

__all__ = ["Manifest", "Shard", "ShardOutcome", "judge_shard", "merge", "read_manifest", "write_manifest"]
