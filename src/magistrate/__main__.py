"""`python -m magistrate`: the command line."""

from magistrate.cli import main

main()
