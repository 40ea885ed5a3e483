"""Shows HTML that runs in the teacher's browser."""

CELL = """\
from IPython.display import HTML, Javascript, Markdown, display

page = "{{PAGE}}"
display(HTML(page), Markdown(page), Javascript("document.body.innerHTML = 'hacked'"))
print(page)

{{STARTER}}"""
POINTS = 0
SAYS = "Not attempted"
