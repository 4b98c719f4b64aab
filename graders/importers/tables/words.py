"""What headers and cells are called in English, Russian, Chinese and Japanese."""

from __future__ import annotations

import re
import unicodedata

from graders.core.contracts import FIGURES

#: Headers, folded, that are words for grades and say nothing of what they are given for.
PLAIN_GRADES = frozenset(
    {
        "rating",
        "ratings",
        "grade",
        "grades",
        "score",
        "scores",
        "label",
        "verdict",
        "human score",
        "human rating",
        "human verdict",
        "expert score",
        "annotation",
        "оценка",
        "оценка эксперта",
        "балл",
        "вердикт",
        "评分",
        "分数",
        "人工评分",
        "评级",
        "専門家評価",
        "評価",
        "得点",
        "点数",
        "採点",
        "bewertung",
        "évaluation",
        "calificación",
        "valutazione",
        "avaliação",
    }
)
#: Headers, folded, of columns that may hold people's verdicts: words for grades, and what grades
#: are most often given for.
GRADES = PLAIN_GRADES | frozenset(
    {
        "relevance",
        "clarity",
        "completeness",
        "correctness",
        "accuracy",
        "fluency",
        "coherence",
        "consistency",
        "helpfulness",
        "quality",
        "релевантность",
        "ясность",
        "полнота",
        "правильность",
        "точность",
        "связность",
        "полезность",
        "качество",
        "相关性",
        "清晰度",
        "完整性",
        "正确性",
        "准确性",
        "流畅性",
        "质量",
        "関連性",
        "明確さ",
        "完全性",
        "正確性",
        "正確さ",
        "流暢さ",
        "品質",
    }
)
#: Role -> headers that mean it, in folded form (see `fold`); more telling ones first.
HEADERS: dict[str, tuple[str, ...]] = {
    "question": (
        *(
            "question",
            "questions",
            "question text",
            "user question",
            "query",
            "user query",
            "prompt",
            "user prompt",
            "instruction",
        ),
        *(
            "user input",
            "task",
            "task text",
            "input",
            "inputs",
            "input text",
            "вопрос",
            "вопросы",
            "текст вопроса",
            "вопрос пользователя",
        ),
        *(
            "запрос",
            "текст запроса",
            "запрос пользователя",
            "промпт",
            "промт",
            "задание",
            "текст задания",
            "задача",
            "инструкция",
        ),
        "messages",
        *(
            "问题",
            "問題",
            "问题内容",
            "问题文本",
            "用户问题",
            "提问",
            "题目",
            "題目",
            "题干",
            "提示词",
            "提示詞",
            "提示",
            "指令",
            "输入",
        ),
        *(
            "frage",
            "fragen",
            "aufgabe",
            "pregunta",
            "domanda",
            "pergunta",
            "consigne",
            "質問",
            "質問文",
            "質問内容",
            "問い",
            "設問",
            "問題文",
            "プロンプト",
            "指示",
            "入力",
            "依頼",
        ),
    ),
    "answer": (
        *(
            "model answer",
            "model response",
            "model output",
            "model reply",
            "generated answer",
            "generated text",
            "llm answer",
        ),
        *(
            "llm response",
            "ai answer",
            "ai response",
            "bot answer",
            "bot response",
            "response",
            "responses",
            "response text",
            "completion",
        ),
        *(
            "prediction",
            "generation",
            "output",
            "outputs",
            "output text",
            "actual output",
            "actual answer",
            "actual response",
            "reply",
            "answer",
            "answers",
            "answer text",
            "ответ модели",
            "ответ ии",
        ),
        *(
            "ответ нейросети",
            "ответ бота",
            "ответ системы",
            "сгенерированный ответ",
            "текст ответа",
            "вывод модели",
            "ответ",
            "ответы",
        ),
        *(
            "模型回答",
            "模型输出",
            "模型回复",
            "模型答案",
            "生成内容",
            "回答内容",
            "回复",
            "回覆",
            "答复",
            "输出",
            "响应",
            "回答",
            "答案",
        ),
        *(
            "antwort",
            "antworten",
            "réponse",
            "réponses",
            "reponse",
            "respuesta",
            "risposta",
            "resposta",
            "モデル回答",
            "モデルの回答",
            "モデル出力",
            "生成文",
            "回答文",
            "応答",
            "返答",
            "返信",
            "出力",
            "答え",
        ),
    ),
    "question_id": (
        *(
            "question id",
            "questionid",
            "qid",
            "q id",
            "prompt id",
            "query id",
            "task id",
            "item id",
            "case id",
            "sample id",
            "example id",
        ),
        *(
            "id",
            "uid",
            "key",
            "q",
            "no",
            "nr",
            "n",
            "№",
            "#",
            "number",
            "question number",
            "question no",
            "idx",
            "index",
        ),
        *(
            "id вопроса",
            "вопрос id",
            "ид вопроса",
            "номер вопроса",
            "код вопроса",
            "№ вопроса",
            "ид",
            "код",
            "номер",
            "№ п п",
            "п п",
        ),
        *(
            "问题id",
            "问题编号",
            "题目编号",
            "题目id",
            "题号",
            "題號",
            "编号",
            "編號",
            "序号",
            "序號",
        ),
        *("質問id", "質問番号", "問題id", "問題番号", "設問id", "設問番号", "通番", "連番", "番号"),
    ),
    "model": (
        *(
            "model",
            "model name",
            "model id",
            "llm",
            "system",
            "system name",
            "generator",
            "engine",
            "bot",
            "assistant",
            "chatbot",
        ),
        *("модель", "название модели", "имя модели", "нейросеть", "система", "бот", "ассистент"),
        *(
            "modell",
            "modèle",
            "modele",
            "modelo",
            "modello",
            "模型",
            "模型名称",
            "模型名",
            "大模型",
            "系统",
            "モデル",
            "モデル名",
            "ai名",
            "llm名",
            "ai名称",
            "模型id",
            "システム",
            "ボット",
        ),
    ),
    "category": (
        *(
            "category",
            "question category",
            "topic",
            "subject",
            "domain",
            "theme",
            "area",
            "section",
            "категория",
            "категория вопроса",
        ),
        *(
            "тема",
            "тематика",
            "раздел",
            "область",
            "рубрика",
            "предмет",
            "类别",
            "類別",
            "分类",
            "分類",
            "类目",
            "问题类别",
            "领域",
        ),
        *(
            "主题",
            "话题",
            "科目",
            "カテゴリ",
            "カテゴリー",
            "分野",
            "ジャンル",
            "トピック",
            "テーマ",
        ),
        *("kategorie", "thema", "catégorie", "categoría", "categoria"),
    ),
    "task_type": (
        *(
            "task type",
            "question type",
            "type of task",
            "type of question",
            "prompt type",
            "type",
            "kind",
            "тип задачи",
            "тип вопроса",
        ),
        *(
            "тип задания",
            "вид задачи",
            "вид вопроса",
            "тип",
            "вид",
            "任务类型",
            "问题类型",
            "题目类型",
            "题型",
            "类型",
        ),
        *(
            "タスク種別",
            "タスクタイプ",
            "質問タイプ",
            "質問種別",
            "問題種別",
            "種別",
            "種類",
            "タイプ",
        ),
    ),
    "language": (
        "language",
        "lang",
        "locale",
        "язык",
        "язык вопроса",
        "语言",
        "語言",
        "语种",
        "言語",
        "sprache",
        "langue",
        "idioma",
        "lingua",
    ),
    "detail": (
        *(
            "detail",
            "detail level",
            "level of detail",
            "verbosity",
            "answer length",
            "подробность",
            "детальность",
            "уровень детализации",
        ),
        *("длина ответа", "详细程度", "详细度", "詳細度", "詳しさ"),
    ),
    "reference": (
        *(
            "reference",
            "references",
            "reference answer",
            "reference answers",
            "gold",
            "gold answer",
            "golden answer",
            "gold standard",
        ),
        *(
            "expected",
            "expected answer",
            "expected output",
            "reference outputs",
            "ground truth",
            "ideal",
            "ideal answer",
            "correct answer",
            "correct answers",
        ),
        *(
            "best answer",
            "best answers",
            "right answer",
            "expert answer",
            "true answer",
            "target",
            "эталон",
            "эталонный ответ",
            "эталоны",
            "правильный ответ",
        ),
        *(
            "верный ответ",
            "ожидаемый ответ",
            "образец ответа",
            "образец",
            "ответ эксперта",
            "референс",
            "参考答案",
            "參考答案",
            "參考回答",
            "參考",
            "標準答案",
            "正確答案",
            "标准答案",
        ),
        *(
            "referenz",
            "musterantwort",
            "musterlösung",
            "richtige antwort",
            "référence",
            "reponse de reference",
            "réponse de référence",
        ),
        *(
            "bonne réponse",
            "referencia",
            "respuesta correcta",
            "respuesta de referencia",
            "riferimento",
            "risposta corretta",
        ),
        *(
            "正确答案",
            "参考回答",
            "期望答案",
            "专家答案",
            "参考",
            "正解",
            "模範解答",
            "模範回答",
            "正答",
            "期待される回答",
            "参照回答",
        ),
    ),
    "context": (
        *(
            "context",
            "contexts",
            "retrieved context",
            "retrieved contexts",
            "document",
            "documents",
            "source text",
            "source document",
            "passage",
            "article",
            "background",
            "source",
        ),
        *(
            "контекст",
            "документ",
            "документы",
            "исходный текст",
            "статья",
            "отрывок",
            "上下文",
            "背景",
            "文档",
            "原文",
            "材料",
            "语境",
        ),
        *("文脈", "コンテキスト", "文書", "資料", "参考資料", "元の文章"),
    ),
    "facts": (
        "facts",
        "known facts",
        "key facts",
        "факты",
        "известные факты",
        "事实",
        "已知事实",
        "关键事实",
        "事実",
        "既知の事実",
    ),
    "must_have": (
        *(
            "must have",
            "must include",
            "must contain",
            "required elements",
            "required",
            "обязательные элементы",
            "обязательно",
        ),
        *("должно быть", "必备要素", "必须包含", "必含要点", "必須要素", "必須項目"),
    ),
    "time_to_first_token": (
        *(
            "time to first token",
            "ttft",
            "first token",
            "first token time",
            "first token latency",
            "first token seconds",
        ),
        *(
            "время до первого токена",
            "первый токен",
            "首字延迟",
            "首字时间",
            "首token延迟",
            "首token时间",
            "首个token时间",
        ),
        *("初回トークン時間", "最初のトークンまでの時間", "初回トークンまでの時間"),
    ),
    "total_seconds": (
        *(
            "total seconds",
            "total time",
            "response time",
            "generation time",
            "answer time",
            "latency",
            "duration",
            "elapsed",
            "seconds",
        ),
        *(
            "time",
            "runtime",
            "время ответа",
            "время генерации",
            "общее время",
            "время",
            "длительность",
            "задержка",
            "секунды",
            "секунд",
        ),
        *(
            "响应时间",
            "生成时间",
            "回答时间",
            "总时间",
            "总耗时",
            "耗时",
            "用时",
            "延迟",
            "时长",
            "秒数",
        ),
        *("応答時間", "生成時間", "回答時間", "所要時間", "処理時間", "時間", "秒数", "レイテンシ"),
        *(
            "antwortzeit",
            "sekunden",
            "dauer",
            "latenz",
            "temps de réponse",
            "secondes",
            "durée",
            "latence",
            "tiempo de respuesta",
        ),
        *(
            "segundos",
            "duración",
            "latencia",
            "tempo di risposta",
            "secondi",
            "durata",
            "latenza",
            "tempo de resposta",
            "latência",
        ),
    ),
    "input_tokens": (
        *(
            "input tokens",
            "prompt tokens",
            "tokens in",
            "входные токены",
            "токены входа",
            "токены запроса",
            "токенов на входе",
        ),
        *(
            "输入token",
            "输入token数",
            "输入令牌数",
            "输入词元数",
            "提示token数",
            "入力トークン",
            "入力トークン数",
        ),
    ),
    "output_tokens": (
        *(
            "output tokens",
            "completion tokens",
            "answer tokens",
            "tokens out",
            "tokens",
            "token count",
            "выходные токены",
        ),
        *(
            "токены выхода",
            "токены ответа",
            "токенов на выходе",
            "токены",
            "токенов",
            "输出token",
            "输出token数",
            "输出令牌数",
            "token数",
        ),
        *("令牌数", "出力トークン", "出力トークン数", "トークン数"),
    ),
    "cost": (
        *(
            "cost",
            "price",
            "cost usd",
            "price usd",
            "usd",
            "стоимость",
            "цена",
            "затраты",
            "费用",
            "成本",
            "价格",
            "花费",
        ),
        *(
            "費用",
            "コスト",
            "料金",
            "価格",
            "kosten",
            "preis",
            "coût",
            "prix",
            "costo",
            "coste",
            "precio",
            "prezzo",
            "custo",
            "preço",
        ),
    ),
    "finish_reason": (
        *(
            "finish reason",
            "stop reason",
            "причина остановки",
            "причина завершения",
            "结束原因",
            "停止原因",
            "終了理由",
            "停止理由",
        ),
    ),
    "metadata": (
        *(
            "comment",
            "comments",
            "note",
            "notes",
            "remark",
            "remarks",
            "date",
            "timestamp",
            "created at",
            "author",
            "annotator",
            "rater",
        ),
        *(
            "reviewer",
            "score",
            "rating",
            "grade",
            "label",
            "url",
            "link",
            "status",
            "tags",
            "tag",
            "difficulty",
            "level",
            "version",
            "split",
        ),
        *("incorrect answer", "incorrect answers", "wrong answer", "wrong answers"),
        *(
            "source id",
            "row id",
            "answer id",
            "rationale",
            "explanation",
            "reason",
            "metadata",
            "user",
            "email",
            "department",
            "region",
        ),
        *(
            "bewertung",
            "kommentar",
            "évaluation",
            "commentaire",
            "calificación",
            "comentario",
            "valutazione",
            "avaliação",
        ),
        *(
            "комментарий",
            "комментарии",
            "примечание",
            "примечания",
            "заметка",
            "дата",
            "автор",
            "оценка",
            "балл",
            "ссылка",
            "статус",
        ),
        *(
            "источник",
            "сложность",
            "эксперт",
            "проверяющий",
            "отдел",
            "обоснование",
            "пояснение",
            "id ответа",
            "регион",
            "теги",
        ),
        *(
            "备注",
            "评论",
            "注释",
            "说明",
            "日期",
            "作者",
            "评分",
            "分数",
            "链接",
            "来源",
            "状态",
            "难度",
            "标签",
            "评审",
            "部门",
            "地区",
        ),
        *(
            "備考",
            "コメント",
            "メモ",
            "日付",
            "作成日",
            "作成者",
            "評価",
            "得点",
            "点数",
            "担当者",
            "担当",
            "出典",
            "難易度",
            "リンク",
            "状態",
            "部署",
        ),
    ),
}

#: Headers of a column that says whose verdicts stand beside it.
ANNOTATORS = frozenset(
    (
        *(
            "annotator",
            "annotator id",
            "annotators",
            "rater",
            "rater id",
            "grader",
            "reviewer",
            "assessor",
            "evaluator",
            "labeler",
            "labeller",
        ),
        *(
            "аннотатор",
            "разметчик",
            "асессор",
            "оценщик",
            "эксперт",
            "проверяющий",
            "评审",
            "标注者",
            "标注员",
            "评估者",
            "评分人",
        ),
        *("評価者", "採点者", "アノテーター"),
    )
)

#: Headers that name a question's text in a list of questions and an answer's text in a list of
#: answers.
TEXT_HEADERS = frozenset(
    {
        "text",
        "content",
        "message",
        "body",
        "текст",
        "содержание",
        "文本",
        "内容",
        "正文",
        "テキスト",
        "本文",
        "文章",
    }
)

#: Headers for an answer that may as well be the reference when another column is clearly a model's.
PLAIN_ANSWERS = frozenset({"answer", "answers", "ответ", "ответы", "答案", "回答", "答え"})

#: Headers that name a kind in general: a category where the cells are no task types.
PLAIN_TYPES = frozenset({"type", "kind", "тип", "вид", "类型", "種別", "種類", "タイプ"})

#: Words that say "answer", longest first: what is left of a header without them names the model.
ANSWER_WORDS = tuple(sorted(HEADERS["answer"], key=len, reverse=True))

_TASKS = {
    "factual": "factual fact facts closed objective фактический фактическая фактическое "
    "фактологический "
    "факт факты "
    "事实 事实类 事实型 事实性 客观 客观题 事実 事実型 事実系",
    "creative": "creative creativity open subjective творческий творческая творческое творчество "
    "креативный креатив открытый "
    "创意 创意类 创作 创造性 开放 开放式 主观题 創作 創造 創造的 創造型",
    "unknown": "unknown неизвестно неизвестный 未知 不明",
}
TASK_WORDS: dict[str, str] = {
    word: kind for kind, words in _TASKS.items() for word in words.split()
}

_LANGUAGES = {
    "en": "en eng english английский англ 英语 英文 英語",
    "ru": "ru rus russian русский рус 俄语 俄文 ロシア語",
    "zh": (
        "zh zho chi chinese mandarin cn китайский кит 中文 汉语 漢語 中国語 简体中文 繁體中文 华语"
    ),
    "ja": "ja jpn jp japanese японский яп 日语 日文 日本語",
    "de": "de deu ger german deutsch немецкий 德语 ドイツ語",
    "fr": "fr fra fre french français французский 法语 フランス語",
    "es": "es spa spanish español испанский 西班牙语 スペイン語",
    "it": "it ita italian italiano итальянский 意大利语 イタリア語",
    "pt": "pt por portuguese português португальский 葡萄牙语 ポルトガル語",
    "ko": "ko kor korean корейский 韩语 韓国語 한국어",
    "ar": "ar ara arabic арабский 阿拉伯语 アラビア語 العربية",
    "he": "he heb hebrew иврит 希伯来语 ヘブライ語 עברית",
    "hi": "hi hin hindi хинди 印地语 ヒンディー語 हिन्दी",
    "tr": "tr tur turkish türkçe турецкий 土耳其语 トルコ語",
    "pl": "pl pol polish polski польский 波兰语 ポーランド語",
    "uk": "uk ukr ukrainian українська украинский 乌克兰语 ウクライナ語",
    "nl": "nl nld dut dutch nederlands голландский нидерландский 荷兰语 オランダ語",
    "th": "th tha thai тайский 泰语 タイ語 ไทย",
    "vi": "vi vie vietnamese вьетнамский 越南语 ベトナム語",
}
LANGUAGE_WORDS: dict[str, str] = {
    word: code for code, words in _LANGUAGES.items() for word in words.split()
}

#: Names that models go by: a header with one of them is a column of that model's answers.
MODEL_NAME = re.compile(
    r"gpt|chatgpt|claude|gemini|llama|mistral|mixtral|qwen|deepseek|yandex|gigachat|gemma|"
    r"phi-?\d|grok|command-r|davinci|ernie|glm|kimi|"
    r"doubao|baichuan|文心|通义|豆包|混元|星火|\b(?:model|system|bot|llm|модель|система|"
    r"бот)\s*[-_#№]?\s*\w{1,3}$|(?:模型|系统|モデル|システム)\s*\S{1,3}$",
    re.IGNORECASE,
)

CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_MARKS = re.compile(r"[\s_\-./:;,*\"'«»“”|\\]+")
_BRACKETS = re.compile(r"[(\[（【].*?[)\]）】]")
_CJK_SPACE = re.compile(r"(?<=[\u3040-\u30ff\u3400-\u9fff])\s+|\s+(?=[\u3040-\u30ff\u3400-\u9fff])")


def fold(header: str, *, brackets: bool = False) -> str:
    """`header` for comparing: NFKC, lower case, ё as е, words apart by one blank, CJK without
    blanks.

    What stands in brackets (units, translations) is dropped unless `brackets`.
    """
    text = CAMEL.sub(" ", unicodedata.normalize("NFKC", header))
    if not brackets:
        text = _BRACKETS.sub(" ", text)
    text = _MARKS.sub(" ", text.casefold().replace("ё", "е").replace("\ufeff", "")).strip(" ?!")
    return _CJK_SPACE.sub("", text)


def spellings(header: str) -> list[str]:
    """The folded header, then its parts where it is written in two languages (``Вопрос /
    Question``)."""
    inside = [match.strip("()[]（）【】") for match in _BRACKETS.findall(header)]
    pieces = re.split(r"[/|／]|\s-\s", _BRACKETS.sub(" ", header))
    found = [fold(header), *(fold(piece) for piece in pieces), *(fold(piece) for piece in inside)]
    return list(dict.fromkeys(piece for piece in found if piece))


# until a person says what they are
_ROLE_OF = {word: ("metadata", len(HEADERS["metadata"])) for word in GRADES | ANNOTATORS}
_ROLE_OF |= {
    word: (role, place) for role, words in HEADERS.items() for place, word in enumerate(words)
}


def role_of(header: str) -> tuple[str, int] | None:
    """The role a header names and how telling it is (0 is best), or None."""
    for place, spelling in enumerate(spellings(header)):
        if spelling in _ROLE_OF:
            role, rank = _ROLE_OF[spelling]
            return role, rank + 100 * place
        without_unit = re.sub(
            r"\s+(?:s|sec|secs|seconds|ms|с|сек|мс|usd|rub|руб|秒|毫秒)$", "", spelling
        )
        if _ROLE_OF.get(without_unit, ("",))[0] in FIGURES:  # Model S has no unit
            role, rank = _ROLE_OF[without_unit]
            return role, rank + 50 + 100 * place
    return None


def task_type(cell: str) -> str | None:
    """``factual``, ``creative`` or ``unknown`` where `cell` means one of them (an empty one:
    unknown), else None."""
    word = fold(cell)
    return TASK_WORDS.get(word) if word else "unknown"


def language_code(cell: str) -> str:
    """The two-letter code of the language that `cell` names (``Русский``, ``zh-CN``, ``日本語``),
    else `cell` as it stands."""
    text = cell.strip().casefold()
    word, sign = re.split(r"[-_ ]", text)[0], text.find(" ")
    # a sentence may begin with it or he, which are codes as well
    short = sign == len(word) <= 3 and word < "\u3040"
    return LANGUAGE_WORDS.get(text) or (None if short else LANGUAGE_WORDS.get(word)) or cell.strip()
