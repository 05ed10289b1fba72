"""A process that has loaded all, whose copies run scripts of this folder: to load takes longer.

    fork_server.py

Each line that it reads is JSON: the name of a script and its words. Each line that it prints is
JSON: the exit code of the copy, what it printed, and its errors.
"""

import json
import os
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from store import crowd, points, worker
from store.killable_processes import fork, warm_up

SCRIPTS = {
    "crowd": crowd.main,
    "points": points.main,
    "stop": worker.stop,
    "tell": worker.tell,
}


def run(name, words):
    """Return what a copy of this process came to."""
    with tempfile.TemporaryFile() as printed, tempfile.TemporaryFile() as errors:

        def work():
            os.dup2(printed.fileno(), 1)
            os.dup2(errors.fileno(), 2)
            sys.argv = [name, *words]
            SCRIPTS[name]()
            sys.stdout.flush()

        _, status = os.waitpid(fork(work), 0)
        texts = []
        for file in (printed, errors):
            file.seek(0)
            texts.append(file.read().decode())
    return [os.waitstatus_to_exitcode(status), *texts]


if __name__ == "__main__":
    warm_up()
    for line in sys.stdin:
        name, *words = json.loads(line)
        sys.stdout.write(json.dumps(run(name, words)) + "\n")
        sys.stdout.flush()
