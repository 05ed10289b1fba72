"""Check of names: modules are nouns, and classes have names of their own.

    python tools/names.py [folder]

prints a line for each module whose name is a participle, an adjective or a pronoun, and for each
class of the package whose name another class has too; it exits with 1 if there are any.
"""

PACKAGE = "src/goodarm"
FOLDERS = (PACKAGE, "tests", "tools", "benchmarks")

# Words that end like participles, and name what their modules contain.
NOUNS = frozenset(
    {
        "betting",
        "checking",
        "compiling",
        "evidence",
        "heading",
        "judging",
        "listing",
        "paging",
        "peeking",
        "planning",
        "pruning",
        "rendering",
        "reporting",
        "routing",
        "running",
        "sampling",
        "seed",
        "setting",
        "speed",
        "steering",
        "string",
        "testing",
        "timing",
        "token",
        "screen",
        "wording",
    }
)

# Participles with other endings, adjectives, pronouns and adverbs.
OTHERS = frozenset(
    {
        "asked",
        "built",
        "bad",
        "dead",
        "done",
        "foreign",
        "found",
        "good",
        "here",
        "held",
        "itself",
        "kept",
        "left",
        "lost",
        "made",
        "many",
        "mine",
        "new",
        "old",
        "other",
        "ours",
        "own",
        "private",
        "read",
        "said",
        "seen",
        "sent",
        "shown",
        "silent",
        "some",
        "sure",
        "there",
        "these",
        "those",
        "together",
        "told",
        "warm",
        "what",
        "which",
        "who",
    }
)
