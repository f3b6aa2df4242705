"""What a service tells Prometheus of itself."""

from __future__ import annotations

from collections.abc import Callable

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"


class ServiceMetrics:
    """The counts of one service, in a registry of its own."""

    def __init__(self, waiting: Callable[[], int]) -> None:
        self._registry = CollectorRegistry()
        self._requests = Counter(
            "kgdb_requests",
            "Requests by route and status.",
            ["route", "status"],
            registry=self._registry,
        )
        self._seconds = Histogram(
            "kgdb_request_seconds",
            "Seconds from request to the end of its response.",
            ["route"],
            registry=self._registry,
        )
        self.open = Gauge("kgdb_open_requests", "Requests at the moment.", registry=self._registry)
        queued = Gauge(
            "kgdb_waiting_questions",
            "Questions that no worker has taken yet.",
            registry=self._registry,
        )
        queued.set_function(waiting)

    def ended(self, route: str, status: int, seconds: float) -> None:
        """Count a request that has ended."""
        self._requests.labels(route, str(status)).inc()
        self._seconds.labels(route).observe(seconds)

    def text(self) -> bytes:
        """All counts, as Prometheus reads them."""
        return generate_latest(self._registry)
