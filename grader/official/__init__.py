"""Official grading: points that no submission can have forged."""
