"""``make browser``: which browser is found, and who may install one."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from browser import chromium

SCRIPT = Path(chromium.__file__)
WORKS = '#!/bin/sh\necho "Chromium 150.0"\n'
BROKEN = "#!/bin/sh\necho 'install the snap' >&2\nexit 1\n"


def command(folder, name, text):
    path = folder / name
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)
    return str(path)


@pytest.fixture
def machine(tmp_path, monkeypatch):
    """A machine on whose PATH there is nothing but what a test puts there."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.delenv("GOODARM_CHROMIUM", raising=False)
    monkeypatch.setattr(chromium, "playwright_path", lambda: str(tmp_path / "playwrights-own"))
    return folder


def test_a_browser_on_the_path_is_found(machine):
    found = command(machine, "google-chrome", WORKS)
    assert chromium.find() == found


def test_a_browser_that_does_not_start_is_passed_over(machine):
    command(machine, "chromium", BROKEN)
    assert chromium.find() is None
    found = command(machine, "google-chrome", WORKS)
    assert chromium.find() == found


def test_playwrights_own_browser_is_found(machine, tmp_path):
    assert chromium.find() is None
    found = command(tmp_path, "playwrights-own", WORKS)
    assert chromium.find() == found


def test_a_browser_that_is_named_comes_first(machine, monkeypatch):
    command(machine, "chromium", WORKS)
    monkeypatch.setenv("GOODARM_CHROMIUM", "elsewhere/chrome")
    assert chromium.find() == "elsewhere/chrome"


@pytest.mark.parametrize(
    ("is_root", "may_use_sudo", "first_words"),
    [(False, False, []), (True, False, ["apt-get", "env"]), (False, True, ["sudo", "sudo"])],
)
def test_only_root_or_consent_changes_the_machine(machine, is_root, may_use_sudo, first_words):
    command(machine, "apt-get", BROKEN)
    playwright, *apt = chromium.ways_to_install(is_root, may_use_sudo)
    assert "playwright" in playwright[0][0]
    assert [words[0] for way in apt for words, _ in way] == first_words


def test_without_apt_get_there_is_playwright_alone(machine):
    assert len(chromium.ways_to_install(True, True)) == 1


def test_consent_is_given_by_ci_or_by_name(machine, monkeypatch):
    asked = []
    monkeypatch.setattr(chromium, "ways_to_install", lambda root, sudo: asked.append(sudo) or [])
    for variables in ({}, {"CI": "true"}, {"BROWSER": "install"}, {"BROWSER": "firefox"}):
        for name in ("CI", "BROWSER"):
            monkeypatch.delenv(name, raising=False)
        for name, value in variables.items():
            monkeypatch.setenv(name, value)
        assert chromium.install() is None
    assert asked == [False, True, True, False]


def test_a_way_that_installs_is_the_last_that_is_tried(machine, monkeypatch, capsys):
    fails = command(machine, "fails", BROKEN)
    copies = f"#!/bin/sh\n/bin/cp {command(machine, 'ready', WORKS)} {machine}/chromium\n"
    works = command(machine, "works", copies)
    ways = [[([fails], 9), ([works], 9)], [([works], 9)], [(["never"], 9)]]
    monkeypatch.setattr(chromium, "ways_to_install", lambda *_: ways)
    assert chromium.install() == f"{machine}/chromium"
    tried = [line.rpartition(" ")[2] for line in capsys.readouterr().out.splitlines()]
    assert tried == [fails, works]


def test_a_way_that_hangs_is_ended(machine):
    hangs = command(machine, "hangs", "#!/bin/sh\n/bin/sleep 600\n")
    assert not chromium.run([hangs], 0.1)


@pytest.mark.parametrize(("ci", "code"), [("", 0), ("true", 1)])
def test_a_machine_that_can_install_nothing_fails_in_ci_alone(
    machine, monkeypatch, capsys, ci, code
):
    monkeypatch.setenv("CI", ci)
    monkeypatch.setattr(chromium, "ways_to_install", lambda *_: [[(["not-there"], 9)]])
    monkeypatch.setattr(chromium, "count_tests", lambda: 17)
    assert chromium.main([]) == code
    assert "none could be installed; install it by" in capsys.readouterr().out
    assert chromium.main(["--report-left-out"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("17 browser tests left out: no Chromium; install it by")
    assert said.count("\n") == 1


@pytest.mark.large
def test_a_download_that_is_refused_leaves_the_tests_out(tmp_path):
    """Nothing listens where Playwright is told to look."""
    env = {**os.environ, "PATH": str(tmp_path), "HOME": str(tmp_path), "CI": ""}
    env["PLAYWRIGHT_DOWNLOAD_HOST"] = "http://127.0.0.1:9"
    env["PLAYWRIGHT_BROWSERS_PATH"] = str(tmp_path / "none")
    env.pop("GOODARM_CHROMIUM", None)
    for arguments, said in (([], "none could be installed"), (["--report-left-out"], "left out")):
        done = subprocess.run(
            [sys.executable, str(SCRIPT), *arguments],
            env=env,
            capture_output=True,
            text=True,
            timeout=300,
        )
        assert done.returncode == 0
        assert said in done.stdout
