"""The page on running a service: its commands and calls do what it says."""

import json
import os
import re
import shlex
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

import goodarm as ga
from cli.shell import run
from goodarm.service import Settings, create_app
from service.servers import in_process, in_thread
from store import server
from store.conftest import postgres  # noqa: F401 (a fixture)

PAGE = Path(__file__).parents[2] / "docs" / "service.md"
HERE = "http://127.0.0.1:8642"


def blocks():
    """The commands of the page, block by block; a line that goes on is one command."""
    found = re.findall(r"^```sh\n(.*?)^```$", PAGE.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    return [text.replace("\\\n", " ").splitlines() for text in found]


def commands(first):
    """The commands that begin with these words."""
    return [line for block in blocks() for line in block if line.startswith(first)]


def shell(line, folder, **environment):
    """A command as it stands there."""
    own = folder / "bin"
    own.mkdir(exist_ok=True)
    goodarm = own / "goodarm"
    goodarm.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m goodarm "$@"\n')
    goodarm.chmod(0o755)
    path = os.pathsep.join([str(own), environment.pop("PATH", ""), os.environ["PATH"]])
    done = subprocess.run(
        ["sh", "-euc", line], cwd=folder, env={**os.environ, "PATH": path, **environment},
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def goodarm(line):
    """A command of goodarm, of which a file may take what it prints, in a process that is warm."""
    _, *words = shlex.split(line)
    is_sent, file = words[-2:-1] == [">"], words[-1]
    done = run(words[:-2] if is_sent else words)
    assert done.returncode == 0, done.stderr
    if not is_sent:
        return done.stdout
    Path(file).write_text(done.stdout, encoding="utf-8")
    return ""


def call(line, url, folder):
    """A call of curl; where there is none, the same request by other means."""
    line = line.replace(HERE, url)
    if shutil.which("curl"):
        return json.loads(shell(line, folder))
    if "$(cat admin.token)" in line:
        line = line.replace("$(cat admin.token)", (folder / "admin.token").read_text().strip())
    words = shlex.split(line)
    headers = dict(words[k + 1].split(": ", 1) for k, word in enumerate(words) if word == "-H")
    body = next((words[k + 1] for k, word in enumerate(words) if word == "-d"), None)
    (address,) = [word for word in words if word.startswith("http")]
    answer = httpx.request(
        "GET" if body is None else "POST", address, headers=headers, content=body
    )
    return answer.json()


def test_all_commands_are_of_kinds_that_are_run_here():
    kinds = {line.split()[0] for block in blocks() for line in block}
    assert kinds == {"pip", "goodarm", "curl", "sqlite3", "pg_dump", "pg_restore"}
    for line in commands("pip"):
        extras = set(re.search(r"goodarm\[(.*)\]", line)[1].split(","))
        assert extras <= {"serve", "store", "postgres"}


@pytest.mark.slow
def test_its_calls_with_curl_tokens_and_backups(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (start, *_) = commands("goodarm serve")
    store = start.split()[-1]
    url = f"sqlite:///{tmp_path / store.removeprefix('sqlite:///')}"
    with ga.open_store(url) as kept, in_thread(create_app(kept, Settings())) as address:
        calls = commands("curl")
        made, pulls, told, arms, verdict = [call(line, address, tmp_path) for line in calls[:5]]
        assert (made["name"], made["status"]) == ("banners", "running")
        assert [pull["number"] for pull in pulls["pulls"]] == [1]
        assert told == {"told": 1}
        assert [report["pulls"] for report in arms["reports"]] in ([1, 0], [0, 1])
        assert verdict["undecided"] == ["red", "green"]
        assert call(calls[5], address, tmp_path)["name"] == "colours"
        flag = call(calls[6], address, tmp_path)
        assert (flag["key"], flag["reason"], flag["metadata"]["pull"]) == ("colours", "SPLIT", 1)
        assert call(calls[6], address, tmp_path) == flag
        for line in commands("goodarm token"):
            assert goodarm(line) == "" or line.split()[2] == "list"
        refused = httpx.get(f"{address}/api/v1/experiments")
        assert refused.status_code == 401
        listed = call(calls[7], address, tmp_path)
        assert [each["name"] for each in listed["experiments"]] == ["banners", "colours"]
        assert call(calls[8], address, tmp_path) == {}
        with ga.open_store(url) as opened:
            note = opened.experiment("banners").journal()[-1]
        assert (note["text"], note["by"]) == ("The camera was moved.", "me")
        for line in commands("sqlite3"):
            if shutil.which("sqlite3"):
                shell(line, tmp_path)
            else:
                _, file, statement = shlex.split(line)
                sqlite3.connect(tmp_path / file).execute(
                    statement.replace("'backup", f"'{tmp_path}/backup")
                )
        for line in commands("goodarm export") + commands("goodarm import"):
            goodarm(line)
    for line in commands("goodarm verify sqlite"):
        assert "verified" in goodarm(line)


@pytest.mark.large
def test_a_proxy_and_its_path(tmp_path):
    url = f"sqlite:///{tmp_path / 'goodarm.db'}"
    (line,) = [each for each in commands("goodarm serve") if "--behind-proxy" in each]
    words = shlex.split(line)[2:]
    options = [word for word in words if word not in ("--store", "sqlite:///goodarm.db")]
    assert options == ["--host", "0.0.0.0", "--behind-proxy", "--root-path", "/goodarm"]
    done = subprocess.run(
        [sys.executable, "-m", "goodarm", "serve", "--store", url, "--port", "0", *options],
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 2  # there are no tokens yet
    assert "token" in done.stderr
    here = ["127.0.0.1" if word == "0.0.0.0" else word for word in options]
    with ga.open_store(url) as store:
        secret, _ = store.tokens.create("me", "admin")
    with in_process(url, "--quiet", *here) as (_, address):
        headers = {"Authorization": f"Bearer {secret}", "X-Forwarded-Proto": "https"}
        for path in ("", "/goodarm"):  # whether the proxy takes it off or not
            answer = httpx.get(f"{address}{path}/api/v1/experiments", headers=headers)
            assert (answer.status_code, answer.json()["experiments"]) == (200, [])


@pytest.mark.large
def test_postgresql_with_two_servers_and_a_backup(tmp_path, postgres):  # noqa: F811
    (line,) = [each for each in commands("goodarm serve") if "postgresql" in each]
    assert line.startswith("goodarm serve --store postgresql+psycopg://")
    with server.database(postgres) as url, server.database(postgres) as other:
        with in_process(url, "--quiet") as (_, one), in_process(url, "--quiet") as (_, two):
            create, ask = commands("curl")[:2]
            call(create, one, tmp_path)
            first = call(ask, one, tmp_path)
            assert call(ask, two, tmp_path) == first  # the same key at the other server
            assert httpx.get(f"{two}/readyz").status_code == 200
        plain = {"DATABASE": url, "OTHER": other}
        variables = {name: value.replace("+psycopg", "") for name, value in plain.items()}
        for line in (*commands("pg_dump"), *commands("pg_restore")):
            shell(line, tmp_path, PATH=str(postgres.bin_path), **variables)
        (line,) = commands('goodarm verify "$OTHER_URL"')
        assert "verified" in shell(line, tmp_path, OTHER_URL=other)
