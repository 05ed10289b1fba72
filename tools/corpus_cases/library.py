"""goodarm's public names, whichever of their old and new spellings there is."""

import inspect
from functools import partial
from importlib import import_module
from importlib.util import find_spec

RENAMED = {
    "read": ("read_logs",),
    "CheckTable": ("ArmTable",),
    "Serving": ("FlagPolicy",),
    "Silence": ("RewardTimeout",),
}
"""Names of earlier commits, and those that took their place."""
KEYWORDS = {
    "distance": ("gap",),
    "otherwise": ("default", "reward"),
    "max_pulls": ("max_runs",),
    "serving": ("flag_policy", "flags"),
    "silence": ("reward_timeout", "timeout"),
}
METHODS = {
    "observe_many": ("observe",),
    "reports": ("table",),
    "table": ("summary",),
    "take_out": ("remove_arm",),
}
OLD_OPTIONS = {
    ("plan", "--distance"): "--gap",
    ("reproduce", "--algorithm"): "--algorithms",
    ("simulate", "--out"): "--save",
}
"""Options of commands, and what they were before ``goodarm.old_names`` named the new ones."""
_HOMES = (
    *("", ".results", ".rules", ".errors", ".live", ".algorithms", ".algorithm"),
    *(".simulation", ".store", ".logs"),
)


class Tolerant:
    """A function or class whose keywords may have been renamed."""

    def __init__(self, target):
        self._target = target

    def __call__(self, *arguments, **keywords):
        """Call it, with each keyword as its signature spells it."""
        return self._target(*arguments, **_spelled(self._target, keywords))

    def __getattr__(self, name):
        return getattr(self._target, name)


def _spelled(target, keywords):
    try:
        known = inspect.signature(target).parameters
    except (TypeError, ValueError):
        return keywords
    found = {}
    for name, value in keywords.items():
        others = [each for each in KEYWORDS.get(name, ()) if each in known]
        found[others[0] if name not in known and others else name] = value
    return found


class Library:
    """Attributes are goodarm's public names."""

    def __getattr__(self, name):
        value = find_name(name)
        return Tolerant(value) if callable(value) else value


def find_name(name):
    """Return what a public name, or the one that took its place, stands for."""
    for home in _HOMES:
        try:
            module = import_module(f"goodarm{home}")
        except ImportError:
            continue
        for each in (name, *RENAMED.get(name, ())):
            if hasattr(module, each):
                return getattr(module, each)
    raise AttributeError(f"goodarm has no public name {name!r}")


def call_method(thing, name, *arguments, **keywords):
    """Call a method by its old or new name, with keywords as it spells them."""
    for each in (name, *METHODS.get(name, ())):
        if hasattr(thing, each):
            method = getattr(thing, each)
            return method(*arguments, **_spelled(method, keywords))
    raise AttributeError(f"{type(thing).__name__} has no method {name!r}")


def call_attribute(name):
    """Return a function that calls a method by its old or new name."""
    return partial(lambda name, thing, *rest, **more: call_method(thing, name, *rest, **more), name)


def spell_options(words):
    """Return the words of a command line with its options as the recorded goodarm spells them."""
    if find_spec("goodarm.old_names") is not None or not words:
        return words
    return [OLD_OPTIONS.get((words[0], word), word) for word in words]


def service_parts():
    """Return ``create_app`` and ``Settings`` of the service."""
    service = import_module("goodarm.service")
    names = ("Settings", "ServiceSettings")
    return service.create_app, next(getattr(service, n) for n in names if hasattr(service, n))


ga = Library()
