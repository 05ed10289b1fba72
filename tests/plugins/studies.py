"""Studies whose trials report given values."""

import optuna

optuna.logging.set_verbosity(optuna.logging.WARNING)


def make_study(pruner, direction="maximize", **options):
    sampler = optuna.samplers.RandomSampler(seed=0)
    return optuna.create_study(direction=direction, pruner=pruner, sampler=sampler, **options)


def prune_decision(pruner, values, direction="maximize", number=0, steps=None):
    """What the pruner says of a trial with these values."""
    study = make_study(pruner, direction)
    for _ in range(number):
        study.ask()
    trial = study.ask()
    for step, value in zip(steps or range(len(values)), values, strict=True):
        trial.report(value, step)
    return trial.should_prune()
