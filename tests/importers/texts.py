"""Plain questions and answers in four languages, from which tests make files in many encodings."""

from __future__ import annotations

HEADERS = {
    "en": ("question", "model", "answer"),
    "ru": ("вопрос", "модель", "ответ"),
    "zh": ("问题", "模型", "回答"),
    "ja": ("質問", "モデル", "回答"),
}

TEXTS = {
    "en": [
        (
            "Where do swallows spend the winter?",
            "Most of them fly to Africa, some as far as the Cape; a few stay in southern Spain.",
        ),
        (
            "What does “déjà vu” mean?",
            "It is French for “already seen”: the feeling of having lived a moment before.",
        ),
        ("How hot is the surface of the Sun?", "About 5,500 °C, which is roughly 5,800 kelvin."),
        (
            "Name a café drink without coffee.",
            "Hot chocolate, chai, or a steamed milk with cinnamon – all are served warm.",
        ),
        (
            "Who wrote the first computer program?",
            "Ada Lovelace is usually named; her notes of 1843 describe one for the Analytical Engine.",
        ),
        (
            "Is a tomato a fruit?",
            "In botany yes, it is a berry; in the kitchen it’s treated as a vegetable.",
        ),
        (
            "How do I remove a coffee stain?",
            "Blot it, rinse with cold water, then use a little vinegar; don’t rub.",
        ),
    ],
    "ru": [
        (
            "Куда улетают ласточки на зиму?",
            "Большинство ласточек зимует в Африке, некоторые добираются до самого юга материка.",
        ),
        (
            "Кто написал «Евгения Онегина»?",
            "Роман в стихах «Евгений Онегин» написал Александр Сергеевич Пушкин.",
        ),
        (
            "Какая температура на поверхности Солнца?",
            "Около пяти с половиной тысяч градусов; внутри — миллионы.",
        ),
        (
            "Как вывести пятно от кофе?",
            "Промокните его, промойте холодной водой, затем нанесите немного уксуса, не растирая.",
        ),
        (
            "Помидор — это фрукт?",
            "С точки зрения ботаники это ягода, но на кухне его считают овощем.",
        ),
        (
            "Посоветуй книгу на выходные.",
            "Возьмите что-нибудь короткое и смешное, например рассказы Чехова или Зощенко.",
        ),
        (
            "ЧТО ТАКОЕ ФОТОСИНТЕЗ?",
            "Это процесс, при котором растения превращают свет, воду и углекислый газ в сахар и кислород.",
        ),
    ],
    "zh": [
        ("燕子在哪里过冬？", "大多数燕子飞到东南亚和澳大利亚过冬，第二年春天再飞回来。"),
        ("《红楼梦》的作者是谁？", "一般认为前八十回是曹雪芹写的，后四十回由高鹗续写。"),
        ("太阳表面有多热？", "太阳表面的温度大约是五千五百摄氏度，内部则高得多。"),
        ("怎样去掉衣服上的咖啡渍？", "先用纸吸干，再用冷水冲洗，然后加一点白醋轻轻擦拭。"),
        ("番茄是水果还是蔬菜？", "从植物学上说它是浆果，不过在厨房里人们把它当作蔬菜。"),
        ("推荐一本适合周末读的书。", "可以读一本短篇小说集，内容轻松，一个下午就能看完。"),
        ("什么是光合作用？", "植物利用阳光，把水和二氧化碳变成糖分，同时放出氧气。"),
    ],
    "ja": [
        (
            "ツバメはどこで冬を越しますか？",
            "多くはフィリピンやマレーシアなどの暖かい国で冬を越し、春に日本へ戻ってきます。",
        ),
        (
            "『吾輩は猫である』の作者は誰ですか？",
            "夏目漱石です。一九〇五年から雑誌に連載されました。",
        ),
        (
            "太陽の表面は何度くらいですか？",
            "およそ五千五百度です。中心はもっと熱く、千五百万度に達します。",
        ),
        (
            "コーヒーの染みはどう落としますか？",
            "まず紙で吸い取り、水ですすいでから、少しの酢を使って軽くたたきます。",
        ),
        ("トマトは果物ですか？", "植物学では果実ですが、料理では野菜として扱われます。"),
        (
            "週末に読む本をすすめてください。",
            "短編集がよいでしょう。気軽に読めて、半日もあれば終わります。",
        ),
        (
            "光合成とは何ですか？",
            "植物が光を使って、水と二酸化炭素から糖と酸素を作るはたらきです。",
        ),
    ],
}
