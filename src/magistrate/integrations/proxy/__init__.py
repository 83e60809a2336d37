"""The chat endpoint of `magistrate proxy` and of `as_openai_client`."""

from magistrate.integrations.proxy._endpoint import Proxy

__all__ = ["Proxy"]
