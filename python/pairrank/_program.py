"""Where the program pairrank is."""

from __future__ import annotations

import os
import shutil


def find() -> str:
    """Return the path of the program.

    It is ``$PAIRRANK_PROGRAM`` where that is set, else the program that the wheel carries, else ``pairrank`` on the
    path.

    Raises
    ------
    FileNotFoundError
        If there is no program in these places.
    """
    name = "pairrank.exe" if os.name == "nt" else "pairrank"
    given = os.environ.get("PAIRRANK_PROGRAM")
    carried = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", name)
    for path in (given,) if given else (carried, shutil.which("pairrank")):
        if path and os.path.isfile(path):
            return os.path.abspath(path)
    if given:
        raise FileNotFoundError(f"$PAIRRANK_PROGRAM is {given}, and there is no file of that name")
    raise FileNotFoundError(
        "the program pairrank is not here: install the wheel of this platform, set PAIRRANK_PROGRAM to the path of "
        "the program, or put it on the path"
    )
