"""The command line: ``python -m muslin run scene.toml``."""

import signal
import sys

from . import _native


def main() -> int:
    """Does what the arguments say and returns the exit code."""
    # Ctrl-C ends a command as it ends any program; `run` listens for it by itself.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return _native.main(["muslin", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
