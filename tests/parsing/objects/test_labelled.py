"""Labelled lines and elements as one object."""

from __future__ import annotations

from collections.abc import Callable

Tell = Callable[..., tuple[str, ...]]
