"""Templates of the user's own: placeholders, what is wrong with them, and what the sandbox
forbids."""

import pytest

from graders.core.errors import RubricError
from graders.core.records import Answer, Question, Subject
from graders.core.rubric import read_rubric
from graders.judges.asking.templates import check_templates, own_template
from graders.judges.bare import Bare

QUESTION = Question(id="q", text="QQ", context=("C1", "C2"), references=("RR",), facts=("F1", "F2"))
SUBJECT = Subject(QUESTION, Answer(question_id="q", model="m", text="AA"))


def rubric(template, more=""):
    indented = "\n".join("      " + line for line in template.splitlines())
    return read_rubric(
        f'rubric: r\ncriteria:\n  right:\n    question: Right?\n    scale: ["no", "yes"]\n{more}    template: |-\n{indented}\n'
    )


def prompt(template, more=""):
    made = rubric(template, more)
    (request,) = Bare(model="m").requests([SUBJECT], made, made.criteria)
    return request.messages


@pytest.mark.parametrize(
    ("template", "text"),
    [
        ("{query} {response}", "QQ AA"),
        ("{{query}} {{ response }}", "QQ AA"),
        ("{question} {answer}", "QQ AA"),
        ("{model_answer} against {expert_answer}", "AA against RR"),
        ("{correct_answer}={reference} {answer}", "RR=RR AA"),
        ("{document}|{answer}", "C1\n\nC2|AA"),
        ("{% for text in context %}<{{ text }}>{% endfor %}{answer}", "<C1><C2>AA"),
        (
            "{% for text in context %}{{ loop.index }}. {{ text|trim }}{% if not loop.last %}; {% endif %}{% endfor %}/{answer}",
            "1. C1; 2. C2/AA",
        ),
        ("{facts}\n{answer}", "1. F1\n2. F2\nAA"),
        ("{criteria} {answer}", "right [no | yes]: Right? AA"),
        ('{answer} Reply as {"right": "yes"}.', 'AA Reply as {"right": "yes"}.'),
        ("{answer} {1, 2} {}", "AA {1, 2} {}"),
    ],
)
def test_placeholders(template, text):
    assert prompt(template) == (("user", text),)


def test_texts_are_inserted_as_they_are():
    subject = Subject(
        Question(id="q", text="{{ 1 + 1 }} {answer}"),
        Answer(question_id="q", model="m", text="<b>{query}</b>"),
    )
    made = rubric("{query}/{response}")
    (request,) = Bare(model="m").requests([subject], made, made.criteria)
    assert request.messages[0][1] == "{{ 1 + 1 }} {answer}/<b>{query}</b>"


def test_a_part_is_the_claim():
    assert prompt("{claim} in {answer}?", "    parts: [tone]\n")[0][1] == "tone in AA?"


@pytest.mark.parametrize(
    ("template", "message"),
    [
        (
            "{answer} {score}",
            "f.yaml, criterion right, template: found the placeholder score, expected placeholders among answer, claim, context, correct_answer, "
            "criteria, document, examples, expert_answer, facts, model_answer, query, question, reference, response. Correct the placeholder's name.",
        ),
        ("{query}", "f.yaml, criterion right, template: found no placeholder for what is graded, expected {answer} or {claim} in the template. Add one of them."),
        (
            "{claim}",
            "f.yaml, criterion right, template: found the placeholder claim in a criterion without parts, expected parts that it can stand for. "
            "Add `parts: claims` to the criterion, or use {answer}.",
        ),
        (
            "{{ answer.__class__.__mro__ }}",
            "f.yaml, criterion right, template: found the attribute __mro__ in line 1, expected placeholders, {% if %}, one {% for %} at a time through "
            "a placeholder, and the filters first, join, last, length, lower, trim, upper. Use placeholders alone.",
        ),
        ("{answer} {% if %}", "f.yaml, criterion right, template, line 1: found Expected an expression, got 'end of statement block', expected a Jinja2 template. Correct the template there."),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_with_file_criterion_and_placeholder(template, message):
    with pytest.raises(RubricError) as caught:
        check_templates(rubric(template), "f.yaml")
    assert str(caught.value) == message


@pytest.mark.parametrize(
    "template",
    [
        "{{ answer.__init__.__globals__ }}",
        "{{ ''.__class__.__base__.__subclasses__() }}{answer}",
        "{{ context.append('x') }}{{ cycler.__init__ }}{answer}",
        "{{ lipsum.__globals__['os'].popen('id').read() }}{answer}",
        "{{ answer|attr('__class__') }}",
        "{{ '{0.__class__}'.format(answer) }}{answer}",
        "{% include 'system.j2' %}{answer}",
        "{% for n in range(999999999) %}{{ answer }}{% endfor %}",
        "{{ 9**(9**9) }}{answer}",
        "{{ 'x' * 9999999999 }}{answer}",
        "{{ 'x' ~ answer }}",
        "{% for a in context %}{% for b in context %}{{ answer }}{% endfor %}{% endfor %}",
        "{% for a in context %}{{ context }}{{ answer }}{% endfor %}",
        "{% for letter in answer %}{{ answer }}{% endfor %}",
        "{% set x = answer %}{{ x }}",
        "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}{answer}",
        "{{ answer|center(999999999) }}",
    ],
)
@pytest.mark.timeout(20)
def test_a_template_reaches_no_python_objects_and_computes_nothing(template):
    with pytest.raises(RubricError, match="template"):
        own_template(template, "f.yaml, criterion right, template")


def test_what_there_is_nothing_to_insert_for_is_not_asked():
    made = rubric("{answer} {reference}")
    bare = Bare(model="m")
    subject = Subject(Question(id="q", text="QQ"), SUBJECT.answer)
    assert bare.requests([subject], made, made.criteria) == []
    mark = bare.cannot(subject, made, made.criteria[0], "")
    assert mark is not None and (mark.reason, mark.rationale) == (
        "no_reference",
        "The prompt shows a right answer, and there is none.",
    )


def test_another_template_is_another_recipe_and_the_same_criterion():
    one, two = rubric("{answer}?"), rubric("{answer}!")
    bare = Bare(model="m")
    assert bare.recipe_hash(one) != bare.recipe_hash(two)
    assert one.criteria[0].criterion_hash == two.criteria[0].criterion_hash
