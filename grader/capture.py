"""Catch what a learner's code prints: nbgrader scores anything on stderr as zero."""

import contextlib
import io
import os
import sys
import tempfile
from collections.abc import Iterator

TAIL = 2000  # characters that are kept


class Captured:
    """What was written while the code ran; read `text` after the block."""

    def __init__(self) -> None:
        self._buffer = io.StringIO()
        self._descriptor_text = ""

    def write(self, text: str) -> int:
        if self._buffer.tell() > 100 * TAIL:  # a loop that prints must not fill the memory
            self._buffer = io.StringIO(self._buffer.getvalue()[-TAIL:])
            self._buffer.seek(0, io.SEEK_END)
        return self._buffer.write(text)

    def add_from_descriptor(self, text: str) -> None:
        self._descriptor_text += text

    @property
    def text(self) -> str:
        """The last characters that were written, by Python and by native code."""
        return (self._buffer.getvalue() + self._descriptor_text)[-TAIL:].strip()


@contextlib.contextmanager
def captured() -> Iterator[Captured]:
    """Catch everything that is written to stdout or stderr inside the block.

    The stream objects themselves are diverted, not only `sys.stderr`: a logging handler made
    earlier holds the object. File descriptor 2 is diverted as well, for native code and for
    worker processes started inside the block.
    """
    result = Captured()
    with contextlib.ExitStack() as stack:
        for stream in {id(s): s for s in (sys.stdout, sys.stderr) if s is not None}.values():
            stream.flush()
            stack.enter_context(_diverted(stream, result.write))
        stack.enter_context(_diverted_descriptor(2, result.add_from_descriptor))
        yield result


@contextlib.contextmanager
def _diverted(stream, write) -> Iterator[None]:
    hidden = vars(stream).get("write")
    stream.write = write
    try:
        yield
    finally:
        if hidden is None:
            del stream.write
        else:
            stream.write = hidden


@contextlib.contextmanager
def _diverted_descriptor(descriptor: int, receive) -> Iterator[None]:
    try:
        saved = os.dup(descriptor)
    except OSError:  # there is no such descriptor (some embedded interpreters): nothing to divert
        yield
        return
    with tempfile.TemporaryFile() as file:
        os.dup2(file.fileno(), descriptor)
        try:
            yield
        finally:
            os.dup2(saved, descriptor)
            os.close(saved)
            file.seek(0, os.SEEK_END)
            file.seek(max(0, file.tell() - TAIL))
            receive(file.read().decode(errors="replace"))
