"""A worker that takes part in an experiment of a service until all is decided."""

import os
import random
import time

import goodarm as ga


def reward(arm):
    """Stands for what a pull takes: minutes of a test, or a visitor's click."""
    return int(random.random() < {"tin": 0.3, "copper": 0.7, "brass": 0.95}[arm])


client = ga.Client(os.environ["GOODARM_SERVER"], os.environ.get("GOODARM_TOKEN"))
exp = client.experiment("coins")
while not exp.is_done:
    pulls = exp.ask_many(1, worker=f"worker-{os.getpid()}", lease=600)
    for pull in pulls:
        exp.tell(pull, reward(pull.arm))
    if not pulls:
        time.sleep(1)  # all that may be asked is out with others
