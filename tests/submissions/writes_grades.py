"""Gives itself points in the gradebook, and takes those of others."""

CELL = """\
import contextlib
import sqlite3

with contextlib.suppress(sqlite3.Error):
    book = sqlite3.connect("{{ROOT}}/var/gradebook.db")
    book.execute("UPDATE grade SET manual_score = 10")
    book.commit()

{{STARTER}}"""
POINTS = 0
SAYS = "Not attempted"
