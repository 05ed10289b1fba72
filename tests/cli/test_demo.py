"""``goodarm demo`` and ``goodarm serve --open``: pages, and a browser where there is one."""

import subprocess
import sys
import webbrowser

import httpx
import pytest

import goodarm as ga
from goodarm.cli import browsing
from goodarm.service.demo import Demo, shows


def test_the_browser_is_opened_without_waiting_for_it(monkeypatch, capsys):
    opened = []
    monkeypatch.setattr(webbrowser, "open", lambda url: opened.append(url) or True)
    browsing.open_browser("http://127.0.0.1:1/").join(10)
    assert opened == ["http://127.0.0.1:1/"]
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("trouble", [lambda url: False, None])
def test_where_there_is_no_browser_it_says_so(monkeypatch, capsys, trouble):
    def fail(url):
        raise webbrowser.Error

    monkeypatch.setattr(webbrowser, "open", trouble or fail)
    browsing.open_browser("http://127.0.0.1:1/").join(10)
    assert "open http://127.0.0.1:1/ yourself" in capsys.readouterr().err


def test_the_demo_labels_arms_as_they_are():
    """At full speed it comes to its end, and each label is the one that its arm should have."""
    with ga.open_store("memory:") as store:
        with Demo(store, every=0.0) as demo:
            demo.wait(120)
        for show in shows():
            exp = store.experiment(show.name)
            assert exp.is_done
            assert exp.verdict.good
            assert exp.verdict.bad
            exp.verify()


def test_a_demo_that_is_paused_goes_on():
    with ga.open_store("memory:") as store, Demo(store, every=0.001, rest=0.001) as demo:
        exp = store.experiment("banners")
        exp.pause()
        before = exp.pulls
        exp.resume()
        demo.wait(120)
        assert exp.is_done
        assert exp.pulls > before


@pytest.mark.slow
def test_goodarm_demo():
    command = [sys.executable, "-m", "goodarm", "demo", "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as demo:
        try:
            said = demo.stdout.readline()
            url = said.split(" at ")[1].partition(";")[0]
            page = httpx.get(url, timeout=60)
            assert page.status_code == 200
            for show in shows():
                assert show.name in page.text
        finally:
            demo.terminate()
            assert demo.wait(60) == 0
