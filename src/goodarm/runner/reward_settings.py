"""The ``[reward]`` table of an experiment's file: source of rewards, timeouts and errors."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, get_args

from goodarm.algorithm import Algorithm
from goodarm.arguments import as_float, check_flag
from goodarm.errors import SpecError, invalid_argument, invalid_choice
from goodarm.problem import Problem
from goodarm.runner.command_template import CASE_VARIABLES, VARIABLES, check_word, fill_shell_text
from goodarm.runner.unknown_keys import check_keys

Result = Literal["exit", "number"]
OnTimeout = Literal["failure", "lost"]
OnError = Literal["stop", "failure", "lost"]
MAX_TIMEOUT_SECONDS: Final = 10_000_000.0
"""Longest timeout: about a hundred days, which the timers of every system can count."""

_OWNER: Final = "[reward]"
_FUNCTION_PATTERN: Final = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*:[^\W\d]\w*(\.[^\W\d]\w*)*")
_NAME_PATTERN: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


@dataclass(frozen=True)
class RewardSettings:
    """Source of rewards, and how to treat pulls that give none.

    Args:
        command: a text for the shell, or a list of words that no shell reads; or
        function: ``package.module:function``, called with the arm, and with the case if there are
            any.
        result: the reward of a command. ``"exit"``: 1 for exit code 0, 0 for any other;
            ``"number"``: the last line that it prints.
        timeout: seconds after which a pull is ended.
        on_timeout: whether such a pull is a failure, which has the least reward, or lost.
        on_error: how a pull without a reward counts. ``"stop"`` ends the run; the pull stays in
            progress.
        loss_is_independent: whether losing a pull has nothing to do with its reward; if not, it
            counts as the worst case in both tests.
        environment: variables for the command or function, added to the current ones.
        tells_cost: whether each pull says what it cost: a function returns (reward, cost), a
            command prints the cost at the end of its last line, behind the reward if that is
            printed, too.
    """

    command: str | tuple[str, ...] | None = None
    function: str | None = None
    result: Result = "exit"
    timeout: float | None = None
    on_timeout: OnTimeout = "failure"
    on_error: OnError = "stop"
    loss_is_independent: bool = False
    environment: Mapping[str, str] = field(default_factory=dict)
    tells_cost: bool = False

    @property
    def can_lose_pulls(self) -> bool:
        """True if pulls may get lost."""
        return self.on_error == "lost" or (self.timeout is not None and self.on_timeout == "lost")


def list_template_names(has_cases: bool) -> frozenset[str]:
    """Return the names that a command may have in braces."""
    return frozenset(VARIABLES if has_cases else VARIABLES.keys() - CASE_VARIABLES)


def parse_reward(table: object, problem: Problem) -> RewardSettings:
    """Parse the ``[reward]`` table of a file whose problem is given."""
    if not isinstance(table, Mapping):
        raise SpecError(
            "The file must have a table [reward] with a 'command' or a 'function'.",
            argument="reward",
            owner="the file",
            rule="be a table with a 'command' or a 'function'",
            value=table,
            remedy="`goodarm run --init` writes an example.",
        )
    names = [name for name in RewardSettings.__dataclass_fields__ if name != "environment"]
    check_keys(table, (*names, "env"), _OWNER)
    command, function = table.get("command"), table.get("function")
    if (command is None) == (function is None):
        both = "both" if command is not None else "neither"
        raise SpecError(
            f"{_OWNER} must have a 'command' or a 'function'; it has {both}.",
            argument="command",
            owner=_OWNER,
            rule="be given, or a 'function'",
            value=command,
        )
    if function is not None and (
        not isinstance(function, str) or not _FUNCTION_PATTERN.fullmatch(function)
    ):
        raise invalid_argument(
            "function", _OWNER, "be written as package.module:function", function
        )
    if function is not None and "result" in table:
        rule = "be left out with a function, which returns its reward"
        raise invalid_argument("result", _OWNER, rule, table["result"])
    usual = "exit" if problem.rewards == "bernoulli" else "number"
    reward = RewardSettings(
        command=None
        if command is None
        else _parse_command(command, list_template_names(problem.pool is not None)),
        function=function,
        result=_parse_choice(table, "result", get_args(Result), usual),
        timeout=_parse_timeout(table.get("timeout")),
        on_timeout=_parse_choice(table, "on_timeout", get_args(OnTimeout), "failure"),
        on_error=_parse_choice(table, "on_error", get_args(OnError), "stop"),
        loss_is_independent=check_flag(
            "loss_is_independent", _OWNER, table.get("loss_is_independent", False)
        ),
        environment=_parse_environment(table.get("env", {})),
        tells_cost=check_flag("tells_cost", _OWNER, table.get("tells_cost", False)),
    )
    if reward.tells_cost and problem.cost is None:
        remedy = "Write what a pull is expected to cost at the top of the file: cost = 0.02."
        rule = "come with a 'cost' in the file"
        raise invalid_argument("tells_cost", _OWNER, rule, True, remedy)
    if reward.timeout is None and "on_timeout" in table:
        raise invalid_argument("on_timeout", _OWNER, "come with a timeout", table["on_timeout"])
    return reward


def check_reward_settings(reward: RewardSettings, problem: Problem, algorithm: Algorithm) -> None:
    """Raise an error, before the first pull, for settings that the problem or its rule rejects."""
    least = problem.reward_range[0] if problem.reward_range is not None else None
    if reward.command is not None and reward.result == "exit":
        try:
            problem.check_reward(0, _OWNER)
            problem.check_reward(1, _OWNER)
        except SpecError:
            rule = 'be "number", because exit codes give 0 and 1, and a reward must'
            rule = f"{rule} {problem.reward_rule}"
            raise invalid_argument("result", _OWNER, rule, reward.result) from None
    for name, is_used in (("on_timeout", reward.timeout is not None), ("on_error", True)):
        if is_used and least is None and getattr(reward, name) == "failure":
            rule = 'not be "failure" for gaussian rewards, which have no smallest value'
            remedy = f'Write {name} = "lost" and, if it is so, loss_is_independent = true.'
            raise invalid_argument(name, _OWNER, rule, "failure", remedy)
    if reward.can_lose_pulls and not reward.loss_is_independent:
        why = None
        if problem.rewards == "gaussian":
            why = "Gaussian rewards have no worst case"
        elif algorithm.identification.depends_on_order:
            rule = algorithm.identification.name
            why = f"the bets of the {rule} rule depend on the rewards before"
        if why is not None:
            raise invalid_argument(
                "loss_is_independent",
                _OWNER,
                f"be true if pulls may get lost, because {why}",
                False,
                "Set it only if losing a pull has nothing to do with its reward, or count the pull "
                'as a "failure".',
            )


def _parse_command(command: object, known: frozenset[str]) -> str | tuple[str, ...]:
    if isinstance(command, str) and command.strip():
        _check_nul(command)
        fill_shell_text(command, known)
        return command
    if isinstance(command, list) and command and all(isinstance(word, str) for word in command):
        for word in command:
            _check_nul(word)
            check_word(word, known)
        if command[0]:
            return tuple(command)
    raise invalid_argument(
        "command", _OWNER, "be a text for the shell, or a list of words", command
    )


def _check_nul(text: str) -> None:
    if "\0" in text:
        raise invalid_argument("command", _OWNER, "have no null characters", text)


def _parse_choice(table: Mapping[str, Any], name: str, known: tuple[str, ...], usual: str) -> Any:
    value = table.get(name, usual)
    if value not in known:
        raise invalid_choice(name, _OWNER, known, value)
    return value


def _parse_timeout(value: object) -> float | None:
    if value is None:
        return None
    seconds = as_float(value)
    if seconds is None or not 0 < seconds <= MAX_TIMEOUT_SECONDS:
        raise invalid_argument(
            "timeout", _OWNER, f"be a number of seconds up to {MAX_TIMEOUT_SECONDS:.0f}", value
        )
    return seconds


def _parse_environment(table: object) -> dict[str, str]:
    owner = "[reward.env]"
    if not isinstance(table, Mapping):
        raise invalid_argument("env", _OWNER, "be a table of variables", table)
    for name, value in table.items():
        if not _NAME_PATTERN.fullmatch(name):
            raise invalid_argument(
                name, owner, "be a name of letters, digits and underscores", name
            )
        if name in VARIABLES.values():
            raise invalid_argument(name, owner, "be left to goodarm, which sets it", value)
        if not isinstance(value, str) or "\0" in value:
            raise invalid_argument(name, owner, "be a text; write numbers in quotes", value)
    return dict(table)
