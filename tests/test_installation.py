"""Commands in messages install from where goodarm was installed."""

import json
import os
import shlex
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path
from urllib.request import pathname2url

import pytest

import goodarm as ga
from goodarm import installation
from goodarm.installation import InstallSource, find_installer, find_source, install_command

ROOT = Path(__file__).parents[1]
ELSEWHERE = Path("/somewhere/site-packages/goodarm")
"""A package that lies in no checkout."""
AWKWARD = 'it\'s a folder, "so $HOME" & [all]'


@pytest.fixture
def checkout(tmp_path):
    folder = tmp_path / AWKWARD
    (folder / "src" / "goodarm").mkdir(parents=True)
    (folder / "pyproject.toml").write_text('[project]\nname = "goodarm"\n', encoding="utf-8")
    return folder


def url_of(folder):
    return f"file://{pathname2url(str(folder))}"


def installed(tmp_path, direct_url):
    """Metadata as an installer leaves them."""
    folder = tmp_path / "goodarm-0.1.0.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: goodarm\nVersion: 0.1.0\n")
    if direct_url is not None:
        text = direct_url if isinstance(direct_url, str) else json.dumps(direct_url)
        (folder / "direct_url.json").write_text(text, encoding="utf-8")
    return metadata.Distribution.at(folder)


@pytest.mark.parametrize("info", [{"editable": True}, {"editable": False}, {}])
def test_a_folder_is_named_as_it_was_installed(info, checkout, tmp_path):
    found = installed(tmp_path, {"url": url_of(checkout), "dir_info": info})
    options = ["--editable"] if info.get("editable") else []
    requirement = find_source(ELSEWHERE, found).requirement("excel")
    assert requirement == [*options, f"{checkout}[excel]"]


COMMIT = "1f2e3d4c" * 5
GIT = {"vcs": "git", "requested_revision": "main", "commit_id": COMMIT}
FORMS = {
    "an index": (None, "goodarm[excel]"),
    "a wheel": (
        {"url": "file:///tmp/goodarm-0.1.0-py3-none-any.whl", "archive_info": {}},
        "goodarm[excel]",
    ),
    "an archive": (
        {"url": "https://example.org/goodarm.tar.gz", "archive_info": {"hash": "sha256=0"}},
        "goodarm[excel] @ https://example.org/goodarm.tar.gz",
    ),
    "a repository": (
        {"url": "https://example.org/goodarm.git", "vcs_info": GIT},
        f"goodarm[excel] @ git+https://example.org/goodarm.git@{COMMIT}",
    ),
    "a part of a repository": (
        {"url": "ssh://git@example.org/all.git", "vcs_info": GIT, "subdirectory": "python"},
        f"goodarm[excel] @ git+ssh://git@example.org/all.git@{COMMIT}#subdirectory=python",
    ),
    "a secret": (
        {"url": "https://me:hunter2@example.org/goodarm.git", "vcs_info": GIT},
        "goodarm[excel]",
    ),
    "a folder that is gone": ({"url": "file:///no/such", "dir_info": {}}, "goodarm[excel]"),
    "no JSON": ("{", "goodarm[excel]"),
    "no object": ("7", "goodarm[excel]"),
    "no url": ({"dir_info": {}}, "goodarm[excel]"),
    "no commit": ({"url": "https://example.org", "vcs_info": {"vcs": "git"}}, "goodarm[excel]"),
}


@pytest.mark.parametrize("form", FORMS)
def test_other_origins(form, tmp_path):
    document, requirement = FORMS[form]
    found = installed(tmp_path, document)
    assert find_source(ELSEWHERE, found).requirement("excel") == [requirement]


def test_a_package_in_its_checkout_is_run_from_there(checkout, tmp_path):
    """By PYTHONPATH, say: metadata are missing, or those of another goodarm."""
    package = checkout / "src" / "goodarm"
    other = installed(tmp_path, {"url": "https://example.org/x.zip", "archive_info": {}})
    assert find_source(package, other) == InstallSource(checkout, is_editable=True)


def test_a_folder_of_another_project_is_no_checkout(checkout, tmp_path):
    (checkout / "pyproject.toml").write_text('[project]\nname = "other"\n', encoding="utf-8")
    package = checkout / "src" / "goodarm"
    assert find_source(package, installed(tmp_path, None)) == InstallSource()


def test_without_metadata_the_name_remains(monkeypatch):
    def nothing(name):
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "distribution", nothing)
    assert find_source(ELSEWHERE) == InstallSource()


def test_this_installation():
    """Make installs it from its checkout, editable: what pip has written down is read."""
    document = json.loads(metadata.distribution("goodarm").read_text("direct_url.json"))
    assert document["dir_info"]["editable"]
    found = find_source(ELSEWHERE)
    assert found.is_editable
    project = tomllib.loads((found.folder / "pyproject.toml").read_text(encoding="utf-8"))
    assert project["project"]["name"] == "goodarm"

    # The running package lies in the checkout of these tests, which may be another.
    assert shlex.split(install_command("excel"))[-2:] == ["--editable", f"{ROOT}[excel]"]


@pytest.mark.skipif(os.name == "nt", reason="the shell is sh")
def test_the_shell_takes_the_folder_as_it_is(checkout, monkeypatch):
    monkeypatch.setattr(installation, "find_source", lambda: InstallSource(checkout))
    monkeypatch.setattr(
        installation,
        "find_installer",
        lambda: [sys.executable, "-c", "import sys; print(sys.argv[1:])"],
    )
    done = subprocess.run(
        ["sh", "-c", install_command("excel")], capture_output=True, text=True, timeout=60
    )
    assert done.stdout == f"{[f'{checkout}[excel]']}\n"


def test_pip_is_that_of_the_running_interpreter(tmp_path, monkeypatch):
    own, other = tmp_path / "own", tmp_path / "other"
    for folder in (own, other):
        folder.mkdir()
        for name in ("pip", "uv"):
            (folder / name).touch(mode=0o755)
    monkeypatch.setattr(sys, "executable", str(own / "python"))
    monkeypatch.setenv("PATH", str(own))
    assert find_installer() == ["pip", "install"]
    monkeypatch.setenv("PATH", str(other))
    assert find_installer() == [str(own / "python"), "-m", "pip", "install"]
    monkeypatch.setattr(installation, "find_spec", lambda name: None)
    assert find_installer() == ["uv", "pip", "install", "--python", str(own / "python")]


def test_a_message_has_the_command():
    message = str(ga.errors.missing_extra("Runs.to_polars", "frames"))
    assert message == f"Runs.to_polars needs the 'frames' extra: {install_command('frames')}."
    assert f"{ROOT}[frames]" in message


def test_a_later_version_comes_into_the_checkout(checkout, monkeypatch):
    monkeypatch.setattr(installation, "find_source", lambda: InstallSource(checkout))
    monkeypatch.setattr(installation, "find_installer", lambda: ["pip", "install"])
    assert installation.upgrade_command() == "pip install --upgrade goodarm"
    (checkout / ".git").mkdir()
    assert shlex.split(installation.upgrade_command()) == ["git", "-C", str(checkout), "pull"]


@pytest.mark.parametrize(
    "call",
    [
        "ga.check({'a': (500, 460)}, threshold=0.8).plot()",
        "ga.plan([0.9], threshold=0.5, runs=2).plot()",
    ],
)
def test_pictures_name_the_extra_that_draws_them(call):
    script = (
        "import sys\nsys.modules['matplotlib'] = None\nimport goodarm as ga\n"
        f"try:\n    {call}\nexcept ga.errors.MissingExtra as error:\n    print(error)"
    )
    run = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=120, check=True
    )
    assert run.stdout.startswith("A picture needs the 'plot' extra: ")
    assert "[plot]" in run.stdout
