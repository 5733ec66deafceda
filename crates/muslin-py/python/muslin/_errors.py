"""The exception that Muslin raises."""

from __future__ import annotations


class Error(Exception):
    """What is wrong, where, and what to do: the same words as the command line's.

    Attributes:
        kind: lower-case words joined by dashes, for programs, such as ``"unknown-key"``.
        where: a file with its line, a frame, a part of the scene, an argument; may be empty.
        message: one sentence.
    """

    kind: str
    where: str
    message: str

    def __init__(self, kind: str, where: str, message: str, shown: str | None = None) -> None:
        super().__init__(kind, where, message, shown)
        self.kind = kind
        self.where = where
        self.message = message
        self._shown = shown or message

    def __str__(self) -> str:
        return self._shown


def argument(where: str, message: str) -> Error:
    """An argument that is not what it should be."""
    return Error("argument", where, f"{where}: {message}")
