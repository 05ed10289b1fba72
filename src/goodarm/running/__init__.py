"""Runner for experiments that make their own pulls: a file defines the reward, jobs fetch it.

========= =============================================================================
document  reader of the experiment's file: TOML in, an ``ExperimentFile`` out
reward    the file's ``[reward]`` table: command or function, timeouts, errors
cases     reader of a file with a case on each line
keys      check for unknown keys in the file
template  ``{arm}`` and ``{case}`` in commands: data that no shell ever executes
process   a process and its children, ended together
commands  rewards from a command
functions rewards from a Python function, called in processes of its own (``child``)
outcome   results of a pull
opening   opening a file's experiment in its store
lock      lock that allows one run for each worker name
loop      jobs that ask for pulls, make them and tell their rewards
example   the file that ``goodarm run --init`` writes
========= =============================================================================

This file imports nothing, because ``child`` runs in processes that need nothing else. Nothing in
the package prints; progress goes to a callback.
"""
