"""Handed in what git left of a merge."""

CONTENT = '{"cells": [\n<<<<<<< HEAD'
POINTS = None
SAYS = "is no notebook: Expecting value: line 2"
