"""Chromium for the tests of the pages: find it, or install it.

``make browser`` runs this file. Nobody's machine is changed unasked: Playwright installs into the
user's own cache, apt-get is called only by root, and sudo only if ``CI`` is set or
``BROWSER=install`` is given.
"""

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

COMMANDS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
ADVICE = (
    "'make browser BROWSER=install', 'apt-get install chromium', or name one in GOODARM_CHROMIUM"
)
VERSION_SECONDS = 30
PLAYWRIGHT_SECONDS = 300
UPDATE_SECONDS = 180
APT_SECONDS = 600


def find():
    """Return the path of a browser that starts, or None."""
    named = os.environ.get("GOODARM_CHROMIUM")
    if named:
        return named
    on_path = filter(None, map(shutil.which, COMMANDS))
    return next(filter(starts, [*on_path, playwright_path()]), None)


def playwright_path():
    """Return the place where Playwright keeps its own Chromium, installed or not."""
    with sync_playwright() as playwright:
        return playwright.chromium.executable_path


def starts(path):
    """Return whether a browser starts: some are links to nothing, or lack libraries."""
    if not Path(path).exists():
        return False
    try:
        return run([path, "--version", "--no-sandbox"], VERSION_SECONDS, stdout=subprocess.DEVNULL)
    except OSError:
        return False


def is_ci():
    """Return whether this runs in continuous integration."""
    return os.environ.get("CI", "").lower() not in ("", "0", "false")


def ways_to_install(is_root, may_use_sudo):
    """Return the ways to install a browser, first choice first: lists of commands with limits."""
    playwright = [sys.executable, "-m", "playwright", "install", "chromium"]
    ways = [[(playwright, PLAYWRIGHT_SECONDS)]]
    if shutil.which("apt-get") and (is_root or may_use_sudo):
        sudo = [] if is_root else ["sudo", *([] if sys.stdin.isatty() else ["-n"])]
        install = ["apt-get", "install", "--yes", "-qq", "--no-install-recommends", "chromium"]
        quiet = [*sudo, "env", "DEBIAN_FRONTEND=noninteractive"]
        ways.append(
            [
                ([*sudo, "apt-get", "update", "-qq"], UPDATE_SECONDS),
                ([*quiet, *install], APT_SECONDS),
            ]
        )
    return ways


def run(command, seconds, **options):
    """Run a command for a limited time; return whether it succeeded."""
    try:
        process = subprocess.Popen(
            command, stderr=subprocess.STDOUT, start_new_session=True, **options
        )
    except FileNotFoundError:
        return False
    try:
        return process.wait(seconds) == 0
    except subprocess.TimeoutExpired:
        end(process)
        return False


def end(process):
    """End a process and what it started, politely first."""
    for how in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, how)
            process.wait(10)
        except ProcessLookupError:
            return
        except subprocess.TimeoutExpired:
            continue


def install():
    """Install a browser by the first way that works; return its path, or None."""
    may_use_sudo = is_ci() or os.environ.get("BROWSER") == "install"
    for way in ways_to_install(os.geteuid() == 0, may_use_sudo):
        for command, seconds in way:
            print("No Chromium found: trying", " ".join(command), flush=True)
            # Only success matters: a way that fails prints pages of advice about itself.
            if not run(command, seconds, stdout=subprocess.DEVNULL):
                break
        if found := find():
            return found
    return None


def count_tests():
    """Return how many tests of ``make test`` need a browser."""
    collected = subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "--collect-only", "-q", "-n", "0"),
            *("-m", "browser and not large", str(Path(__file__).parent)),
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    return sum("::" in line for line in collected.stdout.splitlines())


def report_left_out():
    """Print how many tests were left out for want of a browser, if any were."""
    if find() is None:
        print(f"{count_tests()} browser tests left out: no Chromium; install it by {ADVICE}.")


def main(arguments):
    """Find or install a browser; fail without one only in continuous integration."""
    if arguments == ["--report-left-out"]:
        report_left_out()
        return 0
    found = find() or install()
    if found is None:
        print(f"No Chromium, and none could be installed; install it by {ADVICE}.")
        return int(is_ci())
    print(f"Chromium: {found}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
