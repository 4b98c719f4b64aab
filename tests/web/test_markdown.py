"""Texts as HTML: what is too long to be rendered as Markdown."""

from __future__ import annotations

from graders.web.markdown import LONGEST_MARKDOWN, render


def test_a_very_long_text_is_plain_wraps_and_runs_nothing() -> None:
    line = "word and more & " * (LONGEST_MARKDOWN // 16 + 1)
    found = render(f"{line}\nanother line\n\n\n<script>window.hit=1</script>\x00 **not bold**")
    # preformatted it would be one line that nobody can read to its end
    assert "<pre" not in found and "<script" not in found and "<strong" not in found
    assert "it is shown without its formatting.</span></p><p>word and more &amp; word" in found
    assert found.endswith(
        "another line</p><p>&lt;script&gt;window.hit=1&lt;/script&gt;\ufffd **not bold**</p>"
    )
    assert found.count("<br>") == 1 and len(found) < 1.5 * len(line)
