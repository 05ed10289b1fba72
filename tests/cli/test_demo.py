"""``goodarm demo`` and ``goodarm serve --open``: pages, and a browser where there is one."""

import os
import subprocess
import sys
import time
import webbrowser

import httpx
import pytest
from typer.testing import CliRunner

import goodarm as ga
from goodarm.cli import browser
from goodarm.cli.command_group import app
from goodarm.service import create_app
from goodarm.service.demo import STARTING_NOTICE, Demo, list_demo_experiments
from service.in_process import client_of


def test_the_browser_is_opened_without_waiting_for_it(monkeypatch, capsys):
    opened = []
    monkeypatch.setattr(webbrowser, "open", lambda url: opened.append(url) or True)
    browser.open_browser("http://127.0.0.1:1/").join(10)
    assert opened == ["http://127.0.0.1:1/"]
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("trouble", [lambda url: False, None])
def test_where_there_is_no_browser_it_says_so(monkeypatch, capsys, trouble):
    def fail(url):
        raise webbrowser.Error

    monkeypatch.setattr(webbrowser, "open", trouble or fail)
    browser.open_browser("http://127.0.0.1:1/").join(10)
    assert "Open http://127.0.0.1:1/ yourself." in capsys.readouterr().err


def test_the_demo_labels_arms_as_they_are():
    """At full speed it comes to its end, and each label is the one that its arm should have."""
    with ga.open_store("memory:") as store:
        with Demo(store, every=0.0) as demo:
            demo.wait(120)
        for show in list_demo_experiments():
            exp = store.experiment(show.name)
            assert exp.is_done
            assert exp.verdict.good
            assert exp.verdict.bad
            exp.verify()


def test_a_demo_that_is_paused_goes_on():
    with ga.open_store("memory:") as store, Demo(store, every=0.001, rest=0.001) as demo:
        assert demo.created.wait(120)
        exp = store.experiment("banners")
        exp.pause()
        before = exp.pulls
        exp.resume()
        demo.wait(120)
        assert exp.is_done
        assert exp.pulls > before


def read_list(url):
    """The list, which is there from the first moment on."""
    page = httpx.get(url, timeout=60)
    assert page.status_code == 200
    return page.text


def test_a_demo_says_what_one_waits_for(monkeypatch):
    """Until it moves, on every page."""
    with ga.open_store("memory:") as store:
        demo = Demo(store)
        application = create_app(store)
        application.state.pages.notice = demo.get_notice
        with client_of(application) as client:
            monkeypatch.setattr("goodarm.service.demo.list_demo_experiments", list)
            with demo:
                assert demo.created.wait(60)
                for path in ("/", "/new"):
                    assert STARTING_NOTICE in client.get(path).text
                assert client.get("/?part=1").headers["goodarm-notice"] == STARTING_NOTICE
                demo._is_moving.set()
                assert STARTING_NOTICE not in client.get("/").text
                assert client.get("/?part=1").headers["goodarm-notice"] == ""


@pytest.mark.large
def test_a_demo_moves_while_kernels_are_compiled(tmp_path):
    """By another process, which ends with the demo; pages are answered meanwhile."""
    command = [sys.executable, "-m", "goodarm", "demo", "--no-browser"]
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    ) as demo:
        try:
            url = demo.stdout.readline().split(" at ")[1].partition(". ")[0]
            end = time.monotonic() + 120
            while STARTING_NOTICE in read_list(url):
                assert time.monotonic() < end
                time.sleep(0.1)
            assert list(tmp_path.rglob("all-*")) == []
        finally:
            demo.terminate()
            assert demo.wait(60) == 0
        assert demo.stderr.read() == ""
    seen = sorted(tmp_path.rglob("*.nbi"))
    time.sleep(3)
    assert sorted(tmp_path.rglob("*.nbi")) == seen


@pytest.mark.slow
def test_goodarm_demo():
    command = [sys.executable, "-m", "goodarm", "demo", "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as demo:
        try:
            said = demo.stdout.readline()
            url = said.split(" at ")[1].partition(". ")[0]
            end = time.monotonic() + 120
            while not all(
                f"/experiments/{show.name}" in read_list(url) for show in list_demo_experiments()
            ):
                assert time.monotonic() < end
                time.sleep(0.1)
        finally:
            demo.terminate()
            assert demo.wait(60) == 0


def test_the_page_that_is_opened_is_there_below_a_prefix(monkeypatch, tmp_path):
    """What is opened is what is served, down to the last slash."""
    opened = []
    monkeypatch.setattr(browser, "open_browser", opened.append)

    def serve(store, settings, host, port, *, ready):
        with client_of(create_app(store, settings)) as client:
            ready("http://127.0.0.1:1")
            assert client.get(opened[0]).status_code == 200

    monkeypatch.setattr("goodarm.service.server.serve", serve)
    words = ["serve", "--store", f"sqlite:///{tmp_path / 'kept.db'}", "--open"]
    assert CliRunner().invoke(app, [*words, "--root-path", "/x"]).exit_code == 0
    assert opened == ["http://127.0.0.1:1/x/"]
