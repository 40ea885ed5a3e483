"""A number for nbgrader, a card for a person."""

import math
import pickle

import pytest

from grader.score import MIME, Card, Row, Score

CARD = Card(
    exercise="00-test/total",
    part="check",
    outcome="too many",
    message="Too many <host> reads.",
    rows=[Row("host reads", "at most 1", "30", "896", False), Row("samples", "at least 32", "32")],
    advice="Look at the loop.",
)


def test_it_is_a_number_of_points():
    score = Score(1.5, 3, CARD)
    assert score == 1.5
    assert repr(score) == "1.5"
    assert f"{score:.2f}" == "1.50"
    assert score + 1 == 2.5


@pytest.mark.parametrize("points", [-0.1, 3.1, math.nan, math.inf])
def test_it_is_never_more_than_the_maximum_and_never_nan(points):
    with pytest.raises(ValueError, match="no number of points"):
        Score(points, 3, CARD)


def test_the_card_is_text_and_html():
    bundle = Score(1.5, 3, CARD)._repr_mimebundle_()
    assert bundle["text/plain"] == "1.5"
    assert "Too many &lt;host&gt; reads." in bundle["text/html"]
    assert "not met" in bundle["text/html"]
    assert "<script" not in bundle["text/html"]
    assert bundle[MIME]["outcome"] == "too many"
    text = str(Score(1.5, 3, CARD))
    assert text.splitlines()[0] == "TOO MANY: 1.5 of 3 points (00-test/total, check)"
    assert "Look at the loop." in text


def test_details_are_added_without_touching_the_points():
    score = Score(1.5, 3, CARD).with_details("Your code printed", "<b>")
    assert score == 1.5
    assert "<pre>&lt;b&gt;</pre>" in score._repr_html_()


def test_it_survives_pickling():
    again = pickle.loads(pickle.dumps(Score(1.5, 3, CARD)))
    assert (again, again.maximum, again.card) == (1.5, 3, CARD)
