"""Experiments that make their own pulls: a file says what a reward is, and jobs fetch them.

========= =============================================================================
document  the experiment's file: TOML in, an ``ExperimentFile`` out
reward    what the file says of rewards: command or function, timeouts, errors
cases     a file with a case on each line
template  ``{arm}`` and ``{case}`` in commands: data, and never words of a shell
process   a process with all that it starts, ended as one
commands  rewards by a command
functions rewards by a Python function, in processes of its own (``child``)
outcome   what came of a pull
opening   the experiment of a file, in its store
lock      one run for each name of a worker
loop      jobs that ask, make and tell
example   what ``goodarm run --init`` writes
========= =============================================================================

Nothing is loaded here: ``child`` runs in processes that need nothing else. Nothing here prints; who
calls is told how far it is.
"""
