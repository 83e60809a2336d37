"""parse_object: an object of the caller's schema."""

from magistrate.parsing.objects.parse import parse_object

__all__ = ["parse_object"]
