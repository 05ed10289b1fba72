"""Requests over several connections at once, as plain bytes: what asks must cost little itself."""

import asyncio
import json
import time
from collections.abc import Iterator
from typing import Any, NamedTuple


class Load(NamedTuple):
    """What came of it."""

    answers: int
    seconds: float
    refused: int
    """answers that were none of 200"""
    times: list[float]
    """seconds that each took"""

    @property
    def rate(self) -> float:
        """Answers a second."""
        return self.answers / self.seconds


def post(path: str, document: Any) -> bytes:
    """Return a request as bytes."""
    body = json.dumps(document).encode()
    head = (
        f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


def send(url: str, requests: Iterator[bytes], connections: int) -> Load:
    """All of the requests, of which each connection sends one after the other."""
    return asyncio.run(_send(int(url.rpartition(":")[2]), requests, connections))


async def _send(port: int, requests: Iterator[bytes], connections: int) -> Load:
    times: list[float] = []
    refused = 0
    began = time.perf_counter()

    async def work() -> None:
        nonlocal refused
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        for request in requests:
            start = time.perf_counter()
            writer.write(request)
            head = await reader.readuntil(b"\r\n\r\n")
            length = head.lower().partition(b"content-length:")[2].partition(b"\r")[0]
            await reader.readexactly(int(length))
            times.append(time.perf_counter() - start)
            refused += not head.startswith(b"HTTP/1.1 200")
        writer.close()

    await asyncio.gather(*(work() for _ in range(connections)))
    return Load(len(times), time.perf_counter() - began, refused, times)
