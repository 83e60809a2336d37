"""Programs in processes of their own."""

import subprocess


def ran(*command, check=False, **options):
    """A command that has ended: its exit code, and what it printed on both streams."""
    return subprocess.run(command, capture_output=True, text=True, check=check, **options)
