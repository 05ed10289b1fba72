"""An even split, pull by pull: rounds over all arms, labelled ones too."""

from naive.algorithms import Arm, label_of


def run(case, next_reward):
    """The pulls of each arm up to its label, the labels, the good arms' times and the last pull."""
    arms = [Arm(cases=case.pools[i] if case.pools else 0) for i in range(case.num_arms)]
    labels, own, pulls = [0] * case.num_arms, [0] * case.num_arms, 0
    rounds, tau = [0] * case.num_arms, []
    while not (all(labels) or (case.until is not None and labels.count(1) >= case.until)):
        found = 0
        for i in range(case.num_arms):
            if rounds[i] == (arms[i].cases or -1):
                continue
            if pulls == case.max_pulls:
                break
            pulls, rounds[i] = pulls + 1, rounds[i] + 1
            if labels[i]:
                continue
            reward = next_reward(i)
            arms[i].n, arms[i].s = arms[i].n + 1, arms[i].s + reward
            arms[i].rewards.append(reward)
            own[i] += 1
            if case.identify_during_warmup or arms[i].n > case.warmup:
                labels[i] = label_of(case, arms[i])
                found += labels[i] == 1
        tau += [pulls] * found
        if pulls == case.max_pulls:
            break
    return own, labels, tau, pulls
