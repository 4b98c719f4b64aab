"""The schema of a judge's reply."""

import json

from graders.core.rubric import read_rubric
from graders.core.scale import Scale
from graders.judges.asking.schema import opinion_schema, reply_schema, value_schema

RUBRIC = read_rubric("""
rubric: r
criteria:
  relevance: {scale: [irrelevant, relevant]}
  clarity: {scale: {from: 1, to: 5}}
  depth: {scale: {from: 1, to: 5}}
  style: {parts: [tone, words], scale: {from: 1, to: 5}}
  share: {scale: [0.0, 1.0]}
""")


def test_a_model_writes_evidence_before_rationale_before_value():
    schema = opinion_schema(Scale("ordered", labels=("No", "Yes")))
    assert list(schema["properties"]) == ["evidence", "rationale", "value", "confidence"]
    assert (
        schema["required"] == list(schema["properties"]) and schema["additionalProperties"] is False
    )


def test_criteria_with_the_same_scale_share_one_definition():
    schema = reply_schema(RUBRIC.criteria)
    assert len(schema["$defs"]) == 3  # two labels; 1 to 5 (clarity, depth, style); 0 to 1
    assert schema["properties"]["clarity"] == schema["properties"]["depth"]
    assert list(schema["properties"]) == ["relevance", "clarity", "depth", "style", "share"]


def test_parts_are_nested_one_opinion_each():
    style = reply_schema(RUBRIC.criteria)["properties"]["style"]
    assert list(style["properties"]) == ["tone", "words"] == style["required"]


def test_values_are_limited_to_the_scale():
    assert value_schema(Scale("ordered", labels=("No", "Yes"))) == {
        "type": "string",
        "enum": ["No", "Yes"],
    }
    assert value_schema(Scale("integer", low=1, high=3)) == {"type": "integer", "enum": [1, 2, 3]}
    assert value_schema(Scale("integer", low=0, high=100)) == {
        "type": "integer",
        "minimum": 0,
        "maximum": 100,
    }
    assert value_schema(Scale("numeric", low=0, high=1)) == {
        "type": "number",
        "minimum": 0,
        "maximum": 1,
    }


def test_a_shared_schema_is_less_than_half_of_a_spelled_one():
    five = read_rubric("rubric: r\ncriteria: {a: {}, b: {}, c: {}, d: {}, e: {}}").criteria
    shared = len(json.dumps(reply_schema(five), separators=(",", ":")))
    spelled = sum(len(json.dumps(opinion_schema(c.scale), separators=(",", ":"))) for c in five)
    assert shared < spelled / 2  # 5 x 227 characters against one definition and 5 references
