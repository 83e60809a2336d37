"""What the integrations share, loaded when it is used: the judge behind a framework, the metric inside one, inputs."""

from magistrate._lazy import attach

__getattr__, __dir__, __all__ = attach(__name__)
