"""Refusal, or talk about being an AI, in place of an answer."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

from graders.core.contracts import Rule
from graders.core.examples import FaultExample
from graders.core.records import Mark, Subject
from graders.core.rubric import Criterion
from graders.core.scale import YES_NO, Scale
from graders.core.words import carried
from graders.rules.writing.marks import refusal, span, worst
from graders.rules.writing.prose import without_code, without_quotes
from graders.rules.writing.refusing import ENOUGH, refusal_spans, weight

say = carried(
    "refusal_talk",
    {
        "asked": "The question is about AI, or about a refusal.",
        "besides": "{words:g} words besides the talk about refusing or being an AI.",
        "much_besides": "Besides refusal or talk about being an AI there are {words:g} words.",
        "nothing_else": "Apology, refusal, reason, referral or offer, and nothing else.",
        "none": "No refusal and no talk about being an AI at the beginning.",
    },
)

_READ = 20_000
_EN_DO = (
    "help|assist|fulfil|comply|provide|answer|do that|do "
    "this|give|create|write|generate|complete|discuss|support|process|access|"
    "browse|recommend|"
    "express|offer|respond|engage|share|continue|translate|tell|make|participate|satisfy|"
    "accommodate|carry "
    "out|perform"
)
_EN = (
    r"\bas an? (?:ai|artificial intelligence|(?:large )?language model|chatbot|virtual "
    r"assistant|machine learning model|"
    r"computer program)\b|"
    r"\bi(?: am|'m)(?: just| only| merely| simply| but)? an? (?:ai|artificial "
    r"intelligence|(?:large )?language model|chatbot|"
    r"virtual assistant)\b|"
    r"\bi(?: cannot| can't| can not| am unable to|'m unable to| am not able to|'m not able "
    r"to| won't| will not| am not allowed to|"
    rf"'m not allowed to"
    rf"|'m not programmed to| am not programmed to)(?: be able to)? (?:\w+ )?(?:{_EN_DO})|"
    r"\bi (?:do not|don't) have (?:any "
    r")?(?:personal|feelings|opinions?|emotions?|preferences|beliefs|a body|consciousness|"
    r"the ability to|access to)|"
    r"\bi(?:'m| am) not an? (?:\w+ ){0,2}(?:professional|doctor|lawyer|expert|vet|dietitian|"
    r"therapist|pharmacist|"
    r"adviser|advisor|physician)[^.!?\n]{0,30}\b(?:can't|cannot|can not|unable|not able|"
    r"not allowed|not qualified)|"
    r"\bmy (?:programming|guidelines) (?:does|do)(?: not|n't) allow|"
    rf"\bi(?:'d| would)? (?:prefer|rather) not (?:to )?(?:{_EN_DO})|"
    r"\bi (?:must|have to|will have to|need to)(?: \w+ly| kindly)? decline"
    rf"(?: (?:to (?:{_EN_DO})|(?:(?:this|that|your|the) "
    r"(?:request|prompt|task|question)))|[.!;]|$)|"
    r"\b(?:goes|is|runs) against my (?:guidelines|polic\w+|principles|programming)|"
    r"\bviolates? (?:my|our|the content) (?:guidelines|polic\w+)"
)
_RU = (
    r"(?:как|будучи|являясь)\s+(?:\w+\s+)?(?:искусственн\w+ "
    r"интеллект\w*|ии\b|нейросет\w+|нейронн\w+ сет\w+|языков\w+ модел\w+|"
    r"чат-?бот\w*|виртуальн\w+ ассистент\w*)|"
    r"\bя\s*(?:[—–-]\s*)?(?:всего лишь|только|просто|лишь)?\s*(?:[—–-]\s*)?(?:языковая "
    r"модель|ии\b|нейросеть|"
    r"искусственный интеллект|чат-?бот)|"
    r"\bя (?:не могу|не смогу|не в состоянии|не имею возможности)(?: "
    r"\w+)? (?:помочь|выполн\w+|ответить|отвечать|давать|дать|"
    r"предостав\w+|обсуждать|"
    r"написать|писать|создать|генерировать|сгенерировать|сочинить|сочинять|придумать|"
    r"помогать|рассказать|выразить|удовлетворить)|"
    r"\bя не умею (?:писать|сочинять|рассказывать|шутить|рисовать|переводить)|\bу меня нет "
    r"(?:\w+ )?доступа к|"
    r"в вашем вопросе меня смущает|(?:не люблю менять тему "
    r"разговора)|(?:давайте|может,?|лучше) поговорим (?:на другую тему|о ч[её]м-)|"
    r"\bя? ?не (?:обладаю|имею) (?:\w+ "
    r")?(?:чувств|эмоци|мнени|личн|собственн|предпочтен|сознани)|\bу меня нет (?:\w+ "
    r")?(?:мнени|"
    r"чувств|предпочтен|эмоци|личн)|\bне могу (?:вам |тебе )?помочь (?:с|в) "
    r"(?:эти?м|таки?м|ваш|тво)|"
    r"(?:запрос|просьбу|это)[^.!?\n]{0,20} (?:выполнить|исполнить) (?:я )?не "
    r"(?:могу|смогу)|\bя? ?(?:вынужден|должен|должна)а? отказ\w+|"
    r"противоречит (?:моим|нашим) (?:\w+ )?(?:правил|принцип|инструкц|рекомендац)"
)
_ZH = (
    r"作为(?:一个|一名|一款|一位)?(?:ai|人工智能|(?:大型)?语言模型|大模型|虚拟助手|"
    r"聊天机器人|智能助手)|我(?:只|仅仅?)?是(?:一个|"
    r"一款|个)?(?:ai|人工智能|(?:大型)?语言模型|聊天机器人)|"
    r"我?(?:无法|不能|没办法|没有办法)(?:为您|为你|给您|给你|直接|继续)?(?:满足|回答|提供|"
    r"帮助|协助|完成|处理|执行|讨论|生成|回应|"
    r"给出|创作|帮到|获取|访问实时)|我?(?:无法|不能|没办法)(?:帮|替|为)[你您](?:写|翻译|编|"
    r"创作|查)(?=这|此|该|任何)|"
    r"我没有(?:个人|情感|感情|自己的|意识|主观)|违反了?(?:我的|我们的|平台|"
    r"使用)[^。，\n]{0,4}(?:规定|政策|准则|原则)|"
    r"恕我?(?:无法|不能|难以)|我(?:拒绝|不便|不方便)(?:回答|提供|写|创作)"
)
_JA = (
    r"(?:私は)?(?:ai|人工知能|(?:大規模)?言語モデル)(?:アシスタント|モデル)?(?:ですので|"
    r"なので|であるため|である私|であり、|の私|のため|ですから|"
    r"として|に過ぎ|です)|"
    r"(?:申し訳(?:ありません|ございません)|すみません|恐れ入ります|残念です)(?:が|"
    r"けれど)、?[^。\n]{0,40}?"
    r"(?:(?:アクセス|お受け)でき|受けられ|(?:書|描)け|(?:書く|作る|作成する|生成する|"
    r"翻訳する)ことは?が?でき)(?:ません|かねます)|"
    r"(?:(?:その|この|そのような|このような)[^。、\n]{1,12}?(?:に|を|は|には|については?|"
    r"に関しては))?"
    r"(?:お応え|お答え|お手伝い|対応|回答|お力添え|協力|ご提供|提供|お伝え|作成|"
    r"生成)(?:すること)?(?:は|が)?(?:できません|できかねます|"
    r"致しかねます|いたしかねます)|"
    r"(?:ご依頼|ご要望|リクエスト|質問)[にはを][^。\n]{0,15}できません|(?:ポリシー|"
    r"ガイドライン|利用規約)に(?:反|違反|抵触)|"
    r"(?:ご依頼|ご要望|リクエスト|作成|回答)[はをも][^。\n]{0,10}お断り|個人的な意見(?:は|"
    r"を)(?:持っていません|持ちません|ありません)"
)
_TALK = re.compile("|".join((_EN, _RU, _ZH, _JA)), re.I)
#: Where the talk ends: at the end of its sentence, or where "but" opens what is said all the same.
_TURN = re.compile(
    r"[.!?](?=\s|$)|[。！？\n]|[,;，；、]?\s?\b(?:but|however|yet)\b|,?\s(?:но|однако|"
    r"зато)\s|[，；]?(?:但是?|不过|然而)|が、|"
    r"けれど|ただし"
)
_FILLER = re.compile(
    r"(?:\bi(?:'m| am)\b\s*)?(?:very |so |really "
    r")?(?:\bsorry\b|\bapologi[sz]e\b|\bapologies\b)[^.!?\n,]{0,60}|\bunfortunately\b|"
    r"\bi understand\b[^.!?\n,]{0,60}|"
    r"\b(?:thank you|thanks)\b[^.!?\n]{0,60}|\b(?:what a |that's a "
    r")?(?:great|good|interesting) question\b|\bhello\b|\bhi\b|"
    r"\bhowever\b|\bbut\b|"
    r"извините|простите|прошу прощения|к "
    r"сожалению|спасибо[^.!?\n]{0,40}|здравствуйте|но\b|(?:хороший|интересный) вопрос|"
    r"对不起|很?抱歉|非常|不好意思|您好|你好|但是?|申し訳(?:ありません|ございません)(?:が)?|"
    r"すみません(?:が)?|恐れ入りますが|"
    r"残念ながら|ごめんなさい|そのご依頼には",
    re.I,
)
_BOILERPLATE = re.compile(
    r"[^.!?。！？\n]{0,200}(?:anything else|how (?:else )?can i (?:help|assist)|let me "
    r"know|feel free|please contact|please consult|"
    r"happy to help|"
    r"i(?:'m| am) designed to|safe and helpful|another (?:topic|question)|что-то "
    r"ещё|что-нибудь ещё|обратитесь|чем (?:ещё |"
    r"еще )?(?:я )?могу|"
    r"сменим тему|другой "
    r"вопрос|其他问题|其他方面|请咨询|还有什么|随时告诉|他に(?:何か|ご質問)|ご質問が|"
    r"専門家に)[^.!?。！？\n]{0,200}[.!?。！？]?",
    re.I,
)
_ABOUT_AI = re.compile(
    r"\ba\.?i\.?\b|artificial intelligence|language "
    r"model|\bllms?\b|chatbot|\bbots?\b|chatgpt|\bgpt|robot|\bare you\b|\byourself\b|"
    r"machine learning|neural net|"
    r"\bии\b|искусственн\w+ интеллект|нейросет|языков\w+ модел|чат-?бот|робот|\bты "
    r"(?:кто|человек|машина|живой)|\bкто ты\b|о себе|"
    r"人工智能|语言模型|大模型|机器人|你是(?:谁|人|不是)|自我介绍|人工知能|言語モデル|"
    r"ロボット|あなたは(?:誰|人間|何者)|自己紹介|"
    r"(?<![a-z])ai(?![a-z])|"
    # What the one who answers is, feels and thinks.
    r"(?<!what )(?<!which )(?<!how )(?<!why )(?<!who )(?<!where )(?<!when )\b(?:can|do|could) you "
    r"(?:really |actually |ever )?(?:feel(?! about)|think(?=\s*[?.!]| for yourself| like)|dream|"
    r"sleep|exist|understand me|have (?:any )?(?:feelings|emotions|"
    r"consciousness|a (?:body|soul|mind|name)))\b|(?:у тебя|у "
    r"вас|ты|вы)\b[^.?!\n]{0,15}(?:чувств|эмоци|сознани|душ[аи]|тело|мечта)|"
    r"你[^。？\n]{0,4}(?:感情|意识|情感|感觉|生命|灵魂|身体)|あなた(?:に|は|には|"
    r"も)[^。？\n]{0,6}(?:感情|意識|心|体|魂|夢)",
    re.I,
)
_ABOUT_REFUSING = re.compile(
    (
        r"refus|reject|declin|turn(?:ing)? "
        r"down|apolog|отказ|извин|отклон|拒绝|谢绝|道歉|婉拒|断り|断る|謝罪|お詫び|辞退"
    ),
    re.I,
)
_HOW = re.compile(r"\bhow\b|\bwhat (?:can|should) i\b|(?<!\w)как\b|怎么|如何|怎样|どう|方法", re.I)
#: Who was asked how to refuse, and says what it is itself, refuses.
_AS_AI = re.compile(
    r"\bas an? (?:\w+ ){0,2}(?:ai|language model|assistant)\b|\bi(?:'m| am) (?:just )?an? (?:\w+ )?"
    r"(?:ai|language model|chatbot)\b|\bя\s*[—–-]?\s*(?:\w+ )?(?:искусственный интеллект|ии\b|"
    r"языковая модель|нейросеть)|как (?:искусственный интеллект|ии|языковая модель)|"
    r"作为[^，。]{0,8}(?:ai|人工智能|语言模型|助手)|(?:ai|人工知能|言語モデル)(?:アシスタント)?"
    r"(?:です|なの|である|として|のため)",
    re.I,
)
#: Before talk: somebody who is not the speaker says it. Behind talk that begins with a dash: "—
#: ..., — said the clerk".
_SAYS = re.compile(
    r"(?<!\bI "
    r")\b(?:said|says|wrote|writes|replied|replies|answered|answers|whispered|whispers|"
    r"shouted|muttered|"
    r"told (?:him|her|them|us|me)|reads?)"
    r"[^.!?\n:]{0,30}:\s*$|"
    r"(?:сказал|написал|ответил|говорит|отвечает|прошептал|крикнул|пробормотал|произн[её]с|"
    r"вздохнул|написано)[^.!?\n:]{0,30}:\s*$|"
    r"(?<!我)(?:说|說|道|回答|答道|喊道|写着|寫著)[：:]\s*$|(?:言った|答えた|書いてあった|"
    r"つぶやいた)[：:]\s*$",
    re.I,
)
_DASHED = re.compile(r"^[ \t]*[—–-][ \t]", re.M)
_SAID_BEHIND = re.compile(r"[^\n]{0,200}?[,.!?…]\s{0,2}[—–-]\s{1,2}[а-яё]")
#: Questions whose whole answer may well be something to say, in quotation marks.
_QUOTES_ASKED = re.compile(
    r"quot|\blines?\b|phrase|\bsay|tell "
    r"(?:my|him|her|them)\b|message|\brepl|respon|\be?-?mail|\btext\b|letter|sentence|caption|"
    r"цитат|процитир|фраз|реплик|сообщени|ответ|письм|сказать|предложени|"
    r"引用|台词|臺詞|原话|回复|回覆|短信|消息|信|说|說|句|セリフ|台詞|せりふ|言葉|返信|"
    r"メッセージ|メール|文",
    re.I,
)
#: The answer is a letter, whose writer refuses.
_LETTER = re.compile(
    r"\W*(?:dear\b(?! user)|subject:|re:|уважаем|дорог|тема:|здравствуйте, [А-ЯЁ]|尊敬的|主题|"
    r"亲爱的|"
    r"件名|拝啓|\S{1,12}様)",
    re.I,
)


@dataclass(frozen=True)
class RefusalTalk(Rule):
    """Decides that an answer refuses, or talks about being an AI, and gives nothing else.

    With 15 words (30 Chinese or Japanese characters) besides, it is an answer. Whether the refusal
    is right (a dangerous request) is not looked at. Read are the first 20,000 characters.
    """

    version: ClassVar[str] = "9"
    about: ClassVar[str] = (
        "The answer answers, and does not refuse or talk about being an AI instead."
    )
    default_scale: ClassVar[Scale] = YES_NO
    fault: ClassVar[str] = "refusal_talk"
    fault_title: ClassVar[str] = "Refusal in place of an answer"
    fault_about: ClassVar[str] = (
        "The answer refuses what was asked, or speaks of its being a language model in place of "
        "answering. One that answers after a caution, or refuses what would do harm, does not "
        "have it."
    )
    severity: ClassVar[str] = "critical"
    speaks_to: ClassVar[str] = "relevance"
    why: ClassVar[str] = "The reader asked something harmless and gets talk about the machine."
    misses: ClassVar[str] = (
        "Long sermons in place of an answer, refusals without the usual words, "
        "questions that name AI or refusals."
    )
    present: ClassVar[tuple[FaultExample, ...]] = (
        FaultExample(
            "What is your favourite dish?",
            "As an AI language model, I don't have personal preferences.",
            "Nothing but talk about itself.",
            "As an AI language model, I don't have personal preferences",
        ),
        FaultExample(
            "写一首关于冬天的诗",
            "对不起，我无法满足您的要求。",
            "没有诗，只有拒绝。",
            "我无法满足您的要求",
        ),
    )
    absent: ClassVar[tuple[FaultExample, ...]] = (
        FaultExample(
            "What is the capital of France?",
            "Paris. As an AI I cannot travel there.",
            "The answer comes first.",
        ),
        FaultExample(
            "Напиши вежливый отказ.",
            "Здравствуйте, Анна!\n\nК сожалению, я не могу прийти в пятницу.\n\nС уважением,\nПётр",
            "Об отказе и просили.",
        ),
    )
    missed: ClassVar[tuple[FaultExample, ...]] = (
        FaultExample(
            "Tell me a joke about cats.",
            (
                "Jokes at the cost of animals are a matter that calls for care, "
                "and I would rather we spoke of something else."
            ),
            "Overlooked: a refusal without the usual words.",
        ),
    )

    def grade(self, subject: Subject, criterion: Criterion) -> Mark:
        if refused := refusal(subject):
            return refused
        question, text = subject.question.text[:20_000], subject.answer.text[:_READ]
        advice = _HOW.search(question) and _AS_AI.search(text)
        asked = _ABOUT_REFUSING.search(question) and not advice
        if asked or _ABOUT_AI.search(question) or _TALK.search(question):
            return Mark.unscored("not_decisive", say("asked"))
        plain = without_quotes(without_code(text).replace("’", "'").replace("‘", "'"))
        # all of the answer stands in quotation marks
        if not weight(plain) and not _QUOTES_ASKED.search(question):
            plain = re.sub(r"[\"“”«»「」『』]", " ", text.replace("’", "'"))
        talk = [one for one in _talk(plain) if not _is_told(plain, one[0])]
        said = _besides(plain, talk) if talk and not _answers_first(text[: talk[0][0]]) else None
        if said is not None and said < ENOUGH and len(subject.answer.text) <= _READ:
            return worst(
                criterion, say("much_besides", words=said), [span(text, *one) for one in talk]
            )
        whole = [] if _LETTER.match(plain) else refusal_spans(plain)
        if whole and not any(_is_told(plain, start) for start, _ in whole):
            return worst(criterion, say("nothing_else"), [span(text, *one) for one in whole])
        reason = say("none") if said is None else say("besides", words=said)
        return Mark.unscored("not_decisive", reason)


def _besides(text: str, talk: list[tuple[int, int]]) -> float:
    """The words of a text besides its talk, and besides politeness."""
    rest, at = [], 0
    for start, end in talk:
        rest.append(text[at:start])
        at = end
    rest.append(text[at:])
    return weight(_BOILERPLATE.sub(" ", _FILLER.sub(" ", " ".join(rest))))


def _talk(text: str) -> list[tuple[int, int]]:
    """Stretches of refusal and of talk about being an AI, in order, not overlapping."""
    found: list[tuple[int, int]] = []
    for match in _TALK.finditer(text):
        if found and match.start() < found[-1][1]:
            continue
        turn = _TURN.search(text, match.end())
        found.append((match.start(), turn.start() if turn else len(text)))
    return found


def _is_told(text: str, start: int) -> bool:
    """Whether talk is what somebody in a story says."""
    line = text.rfind("\n", 0, start) + 1
    before = _FILLER.sub("", text[line:start]).rstrip(" ,，、")
    if _SAYS.search(before):
        return True
    return _DASHED.match(text, line) is not None and _SAID_BEHIND.match(text, start) is not None


def _answers_first(before: str) -> bool:
    """Whether something but politeness stands before the talk."""
    bare = _FILLER.sub(" ", before)
    return weight(bare) > 4 or bool(re.search(r"[^\W_][^\n]{0,80}[.!。！\n]", bare))
