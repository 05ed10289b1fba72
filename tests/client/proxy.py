"""A proxy that spoils requests and answers, in a process of its own; it prints its address.

    proxy.py PORT --seed N --rate R

Of every request it reads the whole, and with probability R one of these comes of it:

lost      it is not passed on, and the connection is cut
dropped   it is passed on, and the answer is thrown away
cut       half of the answer is passed on
doubled   it is passed on twice, at once; one of the answers comes back
late      it is passed on a second time, after its answer came back

What it did is printed at its end, as JSON.
"""

import argparse
import asyncio
import json
import random
import signal
import sys
from collections import Counter

FAULTS = ("lost", "dropped", "cut", "doubled", "late")


async def _message(reader):
    """One request or answer as bytes; None at the end of a connection."""
    try:
        head = await reader.readuntil(b"\r\n\r\n")
        lines = head.lower().split(b"\r\n")
        sizes = [int(line[15:]) for line in lines if line.startswith(b"content-length:")]
        return head + (await reader.readexactly(sizes[0]) if sizes and sizes[0] else b"")
    except (asyncio.IncompleteReadError, ConnectionError):
        return None


class Proxy:
    def __init__(self, port, seed, rate):
        self._port, self._luck, self._rate = port, random.Random(seed), rate
        self.made = Counter()
        self._held = set()
        """tasks, of which asyncio itself holds no reference"""

    async def _pass_on(self, request):
        """The server's answer, over a connection of its own; None if it is not there."""
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
        except OSError:
            return None
        try:
            writer.write(request)
            return await _message(reader)
        except ConnectionError:
            return None
        finally:
            writer.close()

    async def serve(self, reader, writer):
        """One connection of a client."""
        self._hold(asyncio.current_task())
        try:
            while (request := await _message(reader)) is not None:
                is_spoilt = self._luck.random() < self._rate
                fault = self._luck.choice(FAULTS) if is_spoilt else "none"
                self.made[fault] += 1
                answer = await self._answer(request, fault)
                if answer is None:
                    break
                writer.write(answer)
                await writer.drain()
                if fault == "cut":
                    break
        except ConnectionError:
            pass
        finally:
            writer.close()

    def _hold(self, task):
        self._held.add(task)
        task.add_done_callback(self._held.discard)

    async def _answer(self, request, fault):
        if fault == "lost":
            return None
        if fault == "doubled":
            answers = await asyncio.gather(self._pass_on(request), self._pass_on(request))
            return self._luck.choice(answers)
        answer = await self._pass_on(request)
        if fault == "dropped" or answer is None:
            return None
        if fault == "late":
            self._hold(asyncio.create_task(self._pass_on(request)))
        return answer[: len(answer) // 2] if fault == "cut" else answer


async def _run(asked):
    proxy, ended = Proxy(asked.port, asked.seed, asked.rate), asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, ended.set)
    server = await asyncio.start_server(proxy.serve, "127.0.0.1", 0, limit=1 << 24)
    port = server.sockets[0].getsockname()[1]
    sys.stdout.write(f"http://127.0.0.1:{port}\n")
    sys.stdout.flush()
    await ended.wait()
    sys.stdout.write(json.dumps(proxy.made) + "\n")
    sys.stdout.flush()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("port", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rate", type=float, default=0.1)
    asyncio.run(_run(parser.parse_args()))


if __name__ == "__main__":
    main()
