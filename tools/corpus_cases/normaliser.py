"""What is replaced in outputs before they are compared.

1. Values that were drawn from ``secrets``: experiments' ids, tokens, request keys, seeds not given.
2. What is signed or hashed with them: the session's cookie, the key of a form, an ETag.
3. Measured durations: the time and seconds of ``verify``, and the request seconds of the metrics.
4. The temporary folder, the interpreter, goodarm's own folder and the tools' folder, by name.
5. Addresses in memory, as in ``<Store object at 0x7f...>``.
6. The digest of a static file in its address (``page.css?v=...``); the files are cases themselves.
"""

import re
import sys
from pathlib import Path

_SIGNED = (
    (re.compile(r"(?i)(set-cookie: [^=\n]+=)[^;\n]+"), r"\1<signed>"),
    (re.compile(r'(name="form_key"\s+value=")[^"]*'), r"\1<signed>"),
    (re.compile(r'(?im)^(etag: (?:W/)?)"[^"\n]*"'), r"\1<signed>"),
)
_DIGESTS = ((re.compile(r"(/static/[a-z.-]+\?v=)[0-9a-f]+"), r"\1<digest>"),)
_ADDRESSES = ((re.compile(r"\b0x[0-9a-f]{8,16}\b"), "<address>"),)
_MEASURED = (
    (re.compile(r'("seconds": ?)[0-9]+\.[0-9]{4,}(e-[0-9]+)?'), r"\1<measured>"),
    (
        re.compile(r"(?m)^( .*(?:verified|differs|unreadable) .*?) +(< 1|[0-9,]+) s$"),
        r"\1 <measured>",
    ),
    (re.compile(r"(?m)^(goodarm_request_seconds.* )[0-9.e+-]+$"), r"\1<measured>"),
)


def normaliser(drawn, folder):
    """Return a function that replaces what differs from recording to recording.

    Args:
        drawn: a dict whose keys are the values drawn so far; it grows.
        folder: the temporary folder.
    """
    import goodarm

    source = Path(goodarm.__file__).resolve().parent
    places = {
        str(folder): "<folder>",
        sys.executable: "<python>",
        str(source): "<goodarm>",
        str(source.parents[1]): "<checkout>",
        str(Path(__file__).resolve().parents[2]): "<checkout>",
    }
    patterns = [None, 0]

    def normalise(text):
        if len(drawn) != patterns[1]:
            patterns[:] = [re.compile("|".join(map(re.escape, drawn))), len(drawn)]
        if patterns[0] is not None:
            text = patterns[0].sub("<random>", text)
        for place, name in places.items():
            text = text.replace(place, name)
        for pattern, replaced in (*_SIGNED, *_DIGESTS, *_ADDRESSES, *_MEASURED):
            text = pattern.sub(replaced, text)
        return text

    return normalise
