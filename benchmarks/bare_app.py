"""The least that a service of this kind does: it reads rewards and inserts a row for each.

    bare_app.py STORE

It has FastAPI, the database and its settings in common with goodarm's, and nothing else: no arms,
no labels, no journal. It prints its address.
"""

import sys
import time
from typing import Annotated, Any

import uvicorn
from fastapi import Body, FastAPI
from pydantic import BaseModel

from goodarm.service.server import open_socket
from goodarm.store import open_recorder
from goodarm.store.sql import SqlRecorder

TABLE = "bare (id TEXT, number BIGINT, text TEXT, key TEXT, digest TEXT, PRIMARY KEY (id, number))"


class Pull(BaseModel):
    """What was asked."""

    number: int
    arm: int


class Told(BaseModel):
    """Rewards of pulls."""

    pulls: list[Pull]
    rewards: list[float]


def create(recorder: SqlRecorder) -> FastAPI:
    """Create the application around an empty database."""
    app, engine = FastAPI(), recorder.database.writer
    insert = f"INSERT INTO bare VALUES ({', '.join([recorder.database.mark] * 5)})"
    with engine.begin() as connection:
        connection.exec_driver_sql(f"CREATE TABLE {TABLE}")

    @app.post("/tell")
    def tell(told: Annotated[Told, Body()]) -> dict[str, Any]:
        at = time.time()
        rows = [
            ("e", pull.number, f'{{"kind":"told","at":{at},"reward":{reward}}}', None, None)
            for pull, reward in zip(told.pulls, told.rewards, strict=True)
        ]
        with engine.begin() as connection:
            connection.exec_driver_sql(insert, rows)
        return {"told": len(rows)}

    return app


def main(store: str) -> None:
    """Serve until the process is ended."""
    recorder = open_recorder(store)
    assert isinstance(recorder, SqlRecorder)
    listening = open_socket("127.0.0.1", 0)
    sys.stdout.write(f"http://127.0.0.1:{listening.getsockname()[1]}\n")
    sys.stdout.flush()
    config = uvicorn.Config(create(recorder), log_level="warning", access_log=False)
    uvicorn.Server(config).run(sockets=[listening])


if __name__ == "__main__":
    main(sys.argv[1])
