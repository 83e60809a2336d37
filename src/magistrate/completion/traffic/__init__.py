"""All calls to one provider, as one stream."""

from magistrate.completion.traffic._limits import Pace
from magistrate.completion.traffic._traffic import Ticket, Traffic, TrafficClient, traffic_for

__all__ = ["Pace", "Ticket", "Traffic", "TrafficClient", "traffic_for"]
