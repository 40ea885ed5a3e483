"""Handed in what git left of a merge."""

CONTENT = '{"cells": [\n<<<<<<< HEAD'
POINTS = None
