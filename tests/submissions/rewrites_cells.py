"""Has IPython replace what stands in cells."""

CELL = """\
import contextlib

with contextlib.suppress(NameError):
    get_ipython().input_transformers_post.append(lambda lines: ["6.0"])

{{STARTER}}"""
POINTS = 0
SAYS = "Not attempted"
