"""The command: ``python -m pairrank``, and ``pairrank`` where the wheel is installed."""

import os
import subprocess
import sys

from . import _program


def main() -> None:
    """Become the program, with the arguments of this one."""
    args = [_program.find(), *sys.argv[1:]]
    if os.name == "posix":
        os.execv(args[0], args)
    sys.exit(subprocess.call(args))


if __name__ == "__main__":
    main()
