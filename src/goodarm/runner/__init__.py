"""Runner for experiments that make their own pulls: a file defines the reward, jobs fetch it.

================ ========================================================================
experiment_file  reader of the experiment's file: TOML in, an ``ExperimentFile`` out
reward_settings  the file's ``[reward]`` table: command or function, timeouts, errors
cases            reader of a file with a case on each line
unknown_keys     check for unknown keys in the file
command_template ``{arm}`` and ``{case}`` in commands: data that no shell ever executes
process          a process and its children, ended together
command_source   rewards from a command
function_source  rewards from a Python function, called in a ``function_process``
pull_outcome     results of a pull
store_access     opening a file's experiment in its store
run_lock         lock that allows one run for each worker name
experiment_run   jobs that ask for pulls, make them and tell their rewards
example_file     the file that ``goodarm run --init`` writes
================ ========================================================================

This file imports nothing, because ``function_process`` needs nothing else. Nothing in
the package prints; progress goes to a callback.
"""
