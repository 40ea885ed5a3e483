"""Takes every slow loop for a busy device, without measuring."""

EXERCISE = "diagnosis"
CHECK = "too few"
POINTS = 1
CELL = """
def diagnosis():
    return {loop: "arithmetic" for loop in ("photos", "tokens", "points")}
"""
