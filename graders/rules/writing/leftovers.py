"""Leftovers of templates, markup and model tokens in a text, each with the topics of a question
that make it the subject itself."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from graders.core.words import say
from graders.rules.writing._encodings import garbled
from graders.rules.writing.prose import without_code
from graders.rules.writing.unreadable import damages

#: Characters that are read.
_MOST = 60_000
_MOST_COMMANDS = 300

_TEMPLATE_TOPIC = (
    r"templat|placeholder|jinja|mustache|handlebars|letter|e-?mail|form\b|sample|шаблон|"
    r"письм|образец|заявлен|бланк|模板|邮件|信|占位|テンプレ|"
    r"メール|手紙|ひな形|雛形|プレースホルダ"
)
#: Questions whose answers may have gaps: all but those that name people, or want a final text.
_OPEN_TEXT = (
    r"(?s)^(?!.*(?:final text|final version|ready to (?:send|use|print)|unread|as is\b|no "
    r"placeholders|"
    r"without placeholders|without gaps|complete text|copy and paste|my name is|i'm called|"
    r"готов\w+ (?:текст|к)|"
    r"без (?:пропусков|заглушек|скобок|шаблон)|меня зовут|финальн|окончательн|сразу отправ|"
    r"可直接|直接(?:发|用|复制|发送)|"
    r"定稿|最终|我叫|不要(?:留空|占位)|そのまま(?:送|使|コピー)|完成(?:版|形|原稿)|清書|"
    r"私は[^。]{1,8}です|穴埋めなし))"
)
#: A letter may have gaps for a person to fill, but none for a program.
_PROGRAM_TOPIC = (
    r"templat|placeholder|jinja|mustache|handlebars|variable|interpolat|f-string|javascript|"
    r"typescript|bash|shell|шаблон|переменн|模板|变量|占位|"
    r"テンプレ|変数|プレースホルダ"
)
_WEB_TOPIC = (
    r"html|xml|css|jsx|svg|react|markdown|markup|entit|\btags?\b|web\s?(?:page|site)|"
    r"\bcode\b|тег|вёрст|верст|разметк|веб|код\b|标签|网页|代码|标记|"
    r"タグ|ウェブ|コード|マークアップ|unicode|юникод"
)
_MODEL_TOPIC = r"token|chat template|special|токен|标记|令牌|トークン|tokeni"
_MATH_TOPIC = r"latex|\btex\b|латех"
_ESCAPE_TOPIC = (
    r"escape|unicode|newline|python|string|regex|code|экранир|юникод|строк|код|转义|代码|"
    r"エスケープ|コード|改行"
)

#: What it is, its pattern, and the questions in which it is the topic.
_PATTERNS: tuple[tuple[str, re.Pattern[str], re.Pattern[str]], ...] = tuple(
    (what, re.compile(pattern, re.I), re.compile(topic, re.I))
    for what, pattern, topic in (
        (
            "placeholder",
            r"\{\{[^{}\n]{1,60}\}\}|\{%[^%\n]{1,80}%\}|<%=?[^%\n]{1,80}%>|"
            r"(?<!\\)\$\{[^\W\d]\w{0,40}\}|(?<![\\\w^_])\{[a-z]{2,20}_[a-z_]{2,30}\}|"
            r"(?-i:%[A-Z][A-Z_]{2,30}%)",
            _PROGRAM_TOPIC,
        ),
        (
            "gap",
            r"\[(?:insert\b|add your|fill "
            r"in|placeholder|todo\b|tbd\b|вставьте|вставить|впишите|укажите|此处|在此|插入|"
            r"请填|填写|"
            r"ここに[^\]\n]{0,12}(?:挿入|入力|記入))[^\]\n]{0,60}\]",
            _TEMPLATE_TOPIC,
        ),
        (
            # What a person could fill in, where the question wants a text without gaps.
            "gap",
            r"\[(?!\d|x\]| \]|[a-z]{1,3}\])(?:your|the|name|date|company|phone|position|address|"
            r"topic|title|"
            r"backup|contact|city|имя|дата|компан|название|должност|телефон|ваш\w*|тема|您的|"
            r"你的|姓名|日期|公司|"
            r"职位|联系|具体|电话|会社名|氏名|お?名前|日付|日時|具体的な|部署|電話|役職|住所|"
            r"[^\]\n]{1,20}(?:名|番号|先))"
            r"[^\]\n]{0,40}\](?!\()",
            _OPEN_TEXT,
        ),
        (
            "token",
            (
                r"</?s>|<\|[a-z_ "
                r"]{1,30}\|>|<｜[^｜\n]{1,40}｜>|\[/?INST\]|<</?SYS>>|<(?:bos|eos|pad|unk|"
                r"start_of_turn|end_of_turn)>|</?think>"
            ),
            _MODEL_TOPIC + "|" + _WEB_TOPIC,
        ),
        (
            "source",
            (
                r"【\d{1,3}[†:][^】\n]{0,60}】|:contentReference\[oaicite:\d{1,3}\]|"
                r"(?:[\ue000-\uf8ff]*cite[\ue000-\uf8ff]*)?(?:turn\d+[a-z]+\d+[\ue000-\uf8ff]*)+|"
                r"\[cite(?:_start|: ?[\d, ]+)\]|[\ue200-\ue2ff]+"
            ),
            "†|oaicite",
        ),
        (
            "entity",
            (
                r"&(?:nbsp|amp|lt|gt|quot|apos|mdash|ndash|laquo|raquo|hellip|#\d{2,5}|"
                r"#x[0-9a-f]{2,5});"
            ),
            _WEB_TOPIC,
        ),
        (
            "tag",
            (
                r"</?(?:p|div|span|br|b|i|u|strong|em|font|center|td|tr|th|table|li|ul|ol|h[1-6]|"
                r"a|img|body|html|section)(?:\s[^<>\n]{0,200})?/?>"
            ),
            _WEB_TOPIC,
        ),
        (
            "line_break",
            r"(?<=[.!?;。！？：）),，、—])\\n|(?<!\b[a-z]):\\n|\\n\\n|(?:\\u[0-9a-f]{4}){2,20}",
            _ESCAPE_TOPIC,
        ),
    )
)
_BREAK = re.compile(r"<br\s?/?>", re.I)

_STARS = re.compile(r"(?<!\*)\*\*(?!\*)")
_MATH_TOKEN = re.compile(r"\\\(|\\\)|\\\[|\\\]|\$\$")
_PARTNER = {r"\(": r"\)", r"\[": r"\]", "$$": "$$"}
_DOLLARS = re.compile(r"(?<![\\$])\$[^$\n]{1,300}\$")
_ENVIRONMENT = re.compile(r"\\(begin|end)\{([a-z*]{1,20})\}")
_COMMAND = re.compile(
    r"\\(?:frac|dfrac|sqrt|cdot|times|left|right|sum|prod|int|infty|leq|geq|neq|approx|pi|"
    r"alpha|beta|gamma|theta|lambda|mathbf|mathrm|mathbb|"
    r"text|quad|boxed|begin|end)(?![a-zA-Z])|"
    # Short names, which a path may have too: C:\log.
    r"(?<![\w:.\\])\\(?:ln|log|exp|sin|cos|tan|lim|int|pm|mu|phi|rho|sigma|omega|Delta|Omega|"
    r"partial|nabla|vec|hat|le|ge|to)(?![a-zA-Z\\])"
)


@dataclass(frozen=True, slots=True)
class Leftover:
    """A span, and what it is."""

    start: int
    end: int
    what: str


def leftovers(text: str, question: str, language: str) -> list[Leftover]:
    """Leftovers in the prose of `text`, in order; none of a kind that `question` is about or
    contains."""
    prose, question = without_code(text[:_MOST]), question[:4000]
    found = [*_by_pattern(prose, question)]
    if "**" not in question and not re.search(r"\*\*\w", question):
        found += _open_emphasis(prose)
    if not re.search(_MATH_TOPIC, question, re.I):
        found += _broken_math(prose)
    # Where so much is broken that nothing can be read, another rule speaks.
    if not damages(text, language):
        found += [
            Leftover(one.start, one.end, say("rules.leftover.broken")) for one in garbled(prose)
        ]
        found += [
            Leftover(match.start(), match.end(), say("rules.leftover.broken"))
            for match in re.finditer("\ufffd+", prose)
        ]
    return sorted(found, key=lambda one: one.start)


def _by_pattern(prose: str, question: str) -> Iterator[Leftover]:
    for what, pattern, topic in _PATTERNS:
        if topic.search(question) or pattern.search(question):
            continue
        for match in pattern.finditer(prose):
            # The usual way to break a line inside a cell.
            if _BREAK.fullmatch(match.group()) and _in_table(prose, match.start()):
                continue
            yield Leftover(match.start(), match.end(), say(f"rules.leftover.{what}"))


def _in_table(prose: str, at: int) -> bool:
    start = prose.rfind("\n", 0, at) + 1
    return prose[start : start + 20].lstrip().startswith("|")


def _open_emphasis(prose: str) -> list[Leftover]:
    """Pairs of stars without a partner in their paragraph."""
    found: list[Leftover] = []
    # Stars that a note below answers.
    if re.search(r"^[ \t]*\\\*", prose, re.M):
        return found
    for paragraph in re.finditer(r"[^\n]+(?:\n[^\n]+)*", prose):
        body = paragraph.group()
        signs: list[re.Match[str]] = []
        for match in _STARS.finditer(body):
            before, after = (
                body[match.start() - 1 : match.start()],
                body[match.end() : match.end() + 1],
            )
            # Powers (2**3), hidden words (f**k) and arguments (**kwargs) are no emphasis, and a
            # note may begin with stars.
            if (
                _word(before)
                and _word(after)
                and before < "Ѐ"
                and after < "Ѐ"
                and not _closes(signs)
            ):
                continue
            if after.isspace() and not before.strip() and not _closes(signs):
                return []
            if re.match(
                r"\*\*(?:kwargs|args|options|opts)\b", body[match.start() : match.start() + 12]
            ):
                continue
            signs.append(match)
        if len(signs) % 2:
            start, end = signs[-1].start(), min(len(body), signs[-1].end() + 40)
            found.append(
                Leftover(
                    paragraph.start() + start,
                    paragraph.start() + end,
                    say("rules.leftover.stars"),
                )
            )
    return found


def _closes(signs: list[re.Match[str]]) -> bool:
    return len(signs) % 2 == 1


def _word(char: str) -> bool:
    return char.isalnum()


def _broken_math(prose: str) -> list[Leftover]:
    """Delimiters and environments of LaTeX without a partner, and commands outside of formulas."""
    found, inside = [], [match.span() for match in _DOLLARS.finditer(prose)]
    opened: re.Match[str] | None = None
    for match in _MATH_TOKEN.finditer(prose):
        sign = match.group()
        if opened is not None and sign == _PARTNER[opened.group()]:
            inside.append((opened.start(), match.end()))
            opened = None
        elif sign in _PARTNER:
            if opened is not None:
                found.append(opened)
            opened = match
        else:
            found.append(match)
    if opened is not None:
        found.append(opened)
    # A Windows path or an escaped bracket of Markdown is no formula; a lone sign counts where
    # commands say that it is one.
    broken = [
        Leftover(sign.start(), min(len(prose), sign.end() + 20), say("rules.leftover.formula"))
        for sign in found
    ]
    commands = [match.start() for match in _COMMAND.finditer(prose)][:_MOST_COMMANDS]
    if not commands:
        return []
    names = [match.group(1) for match in _ENVIRONMENT.finditer(prose)]
    if names.count("begin") != names.count("end"):
        broken.append(
            Leftover(
                commands[0],
                min(len(prose), commands[0] + 30),
                say("rules.leftover.environment"),
            )
        )
    environments = [match.start() for match in _ENVIRONMENT.finditer(prose)]
    inside += list(zip(environments[::2], environments[1::2], strict=False))
    outside = next((at for at in commands if not _covered(at, inside)), None)
    if outside is not None and not broken:
        broken.append(Leftover(outside, min(len(prose), outside + 30), say("rules.leftover.latex")))
    return broken


def _covered(at: int, spans: list[tuple[int, int]]) -> bool:
    return any(start <= at <= end for start, end in spans)
