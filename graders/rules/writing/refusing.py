"""Whether an answer is nothing but a refusal: what each of its sentences does.

A refusal of more than a line is made of an apology, what the speaker cannot do, a reason, whom to
ask instead and an offer. Where a sentence does none of these, something was answered.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

_SENTENCE = re.compile(
    r"[^.!?…。！？\n]*(?:[.!?…]+(?=[\s\"”»)*_\U0001f300-\U0001faff]|$)|[。！？]+|\n|$|[.!?…])"
)
#: What opens what is said all the same.
_TURN = re.compile(
    r"(?<!nothing)(?<!anything)(?<!all)\s+but\b|[,;—–-]\s*(?:but|yet|though|however|still|so "
    r"have a look)\b|[,;—–-]?\s+(?:но|однако|зато)\s|"
    r"[，,；;]\s*(?:但是?|不过|然而|只是)|(?:です|ます|せん|ない|した)(?:が|けれども?|けど)、|"
    r"ものの、",
    re.I,
)
_SELF = re.compile(
    r"\bas an? (?:\w+ ){0,3}(?:ai|artificial intelligence|model|chatbot|assistant|program|"
    r"machine)\b|"
    r"\bi(?: am|'m)(?: just| only| merely| simply| but)? an? (?:\w+[- ]){0,3}(?:ai|artificial "
    r"intelligence|model|chatbot|assistant|program|bot|software|algorithm|tool|system|machine)\b|"
    r"\bi(?: am|'m) not an? (?:\w+ ){0,2}"
    r"(?:doctor|lawyer|physician|attorney|professional|expert|human|person|vet\w*|financial|"
    r"medical|legal|nutritionist|accountant|pharmacist)|"
    r"\b(?:my|our) (?:\w+ )?(?:knowledge|training|capabilit\w+|abilit\w+|guidelines|polic\w+|"
    r"programming|expertise|purpose|function|training data|creators)\b|\bi (?:was|am|'m|have "
    r"been) (?:\w+ )?(?:trained|designed|programmed|built|created|made)\b|"
    r"(?:как|будучи|являясь)\s+(?:\w+\s+){0,2}(?:интеллект\w*|ии\b|нейросет\w+|сет\w+|модел\w+|"
    r"(?:чат-?)?бот\w*|ассистент\w*|помощник\w*|программ\w+)|"
    r"\bя\s*(?:[—–-]\s*)?(?:всего лишь|только|просто|лишь)?\s*(?:[—–-]\s*)?(?:\w+ )?(?:модель|ии\b|"
    r"нейросеть|интеллект|чат-?бот|бот\b|ассистент|помощник|программа)|"
    r"\bя (?:не|отнюдь не) (?:являюсь |\w*врач|юрист|специалист|доктор|эксперт|человек)|"
    r"\bмо[ийея]\w* (?:\w+ )?(?:возможност|знани|обучени|правил|принцип|инструкци|компетенци|данны|"
    r"функци|задач)|作为(?:一?[个名款位])?[^，。]{0,8}(?:ai|人工智能|模型|助手|机器人|程序)|"
    r"我(?:只|仅|仅仅|不过)?是(?:一?[个款名位])?[^，。]{0,8}(?:ai|人工智能|模型|机器人|助手|程序)|"
    r"我的(?:知识|能力|训练|数据|职责|设定|功能|回答)|我(?:并)?不是(?:医生|律师|专家|专业)|"
    r"(?:ai|人工知能|言語モデル|アシスタント|チャットボット|プログラム)(?:アシスタント|モデル)?"
    r"(?:です|な(?:の|ん)で|である|であり|であって|の私|のため|として|に過ぎ|という|は)|"
    r"私(?:の(?:知識|能力|回答|学習|機能)|は(?:医師|弁護士|専門家|人間)では)",
    re.I,
)
#: Further ways to refuse, by language.
_EN_REFUSES = (
    r"\b(?:i|we)(?:'ve| have)? (?:\w+ly )?(?:have|possess|got|hold) no (?:\w+ ){0,2}(?:ability|way|"
    r"means|capacity|access|opinions?|feelings?|views?|preferences?|knowledge|information|stance|"
    r"experiences?|position|authority|tools?|taste|senses?|memory|records?)|"
    r"\bhave no (?:ability|capacity|access|way|means) (?:to|of)\b|"
    r"\bi (?:try|prefer|tend|aim|choose|opt|like) (?:not to|to (?:avoid|stay|remain|keep|refrain|"
    r"steer))|\bi (?:\w+ly )?(?:avoid|steer clear|pass on|stay (?:away|neutral)|hesitate|lack|"
    r"shouldn't|should not|may not|mustn't|must not|ought not)\b|"
    r"\bi(?:'m| am) (?:\w+ly )?(?:hesitant|reluctant|uncomfortable|restricted|prohibited|forbidden|"
    r"barred|not (?:the right|the best|your|here|trained|built|made|set up|sure i))|"
    r"\bi(?:'ll| will|'m going to)? (?:\w+ly )?(?:have to |need to )?(?:pass on|sit this|skip|"
    r"decline|say no)|\b(?:prevents?|prohibits?|forbids?|stops?|keeps?) me\b|\bnot my place\b|"
    r"\b(?:falls?|lies|is|goes) (?:well |far )?(?:outside|beyond)\b|\bisn't (?:within|part of) "
    r"(?:my|what)|\bi don't (?:do|tell|make|take|form|help|assist|answer|handle|get into|speculate|"
    r"judge|rank|choose|perceive|see|hear|taste|eat|watch|listen|read|play|feel|travel|know "
    r"(?:you|your|who|what))\b|\bmust (?:\w+ly )?decline\b|\b(?:cannot|can't) be of\b"
)
_RU_REFUSES = (
    r"(?<!\w)не\s+(?!(?:рекоменду|совету|сомнева|ду|бо|спор))(?:\w+\s+)?[а-яё]{3,}(?:аю|яю|ею|ую|"
    r"ию|[жшщч]у|лю|шу|чу|дю|рю|ню|аюсь|яюсь|усь|юсь)(?!\w)(?! (?:очередь|часть|воду|руку))|"
    r"\bу меня (?:\w+ )?(?:нет|отсутству|не (?:может|бывает|было|имеется))|\bмне (?:\w+ "
    r")?(?:сложно|"
    r"трудно|недоступ|не (?:доступ|дано|положено|под силу|по силам))|\bне в (?:моих|моей|"
    r"состоянии)|"
    r"\bлиш[её]н\w* (?:возможност|чувств|эмоци)|\bвынужден\w*\b|\bза пределами мо|\bне предназнач|"
    r"\bнедоступн\w+ (?:мне|для меня)|\bничем не (?:могу|смогу)|\bне мо[её] дело|\bя против\b|"
    r"\bне должен\b|\bне должна\b|\bне следует (?:мне|давать|обсуждать)"
)
_ZH_REFUSES = (
    r"爱莫能助|帮不[上到了]|无能为力|无权|无从|无可奉告|不予|婉拒|谢绝|拒绝|不作(?:评论|评价|回答)|"
    r"(?:我|也|并|都|因此|所以)(?:不应|不该|不会|不太?方便|不好|不便|不宜|不敢|不具备|不拥有|"
    r"不掌握|不涉及|"
    r"不擅长|没有(?:能力|权限|资格|办法|喜好|情感|感受|偏好|立场|看法|味觉|听觉|视觉|眼睛|身体))|"
    r"不(?:在|属于)[^，。]{0,8}(?:范围|能力|职责)|(?:这|该|此)[^，。]{0,10}超出|有违|恐怕(?:不能|"
    r"无法|帮)|"
    r"不太?(?:合适|妥当|恰当)|只能(?:遗憾|抱歉|拒绝|告诉您无法)|不(?:应|能|宜)(?:由我|代替|替)"
)
_JA_REFUSES = (
    r"(?:いたし|致し|でき|分かり|わかり|判断し|お答えし|応じ)かね|(?:でき|出来)ませ[んぬ]|"
    r"(?:こと|の|する)(?:は|も|が)(?:難しい|困難|不可能|かない)|(?:お役に立て|お力になれ|"
    r"ご期待に(?:沿|添)え)"
    r"(?:ず|ませ|ない)|持ち合わせて|(?:感情|意見|好み|考え|経験|体|機能)(?:を|が|は)(?:持た|持ち|"
    r"備わ|あり)"
    r"(?:ない|ませ|ず|って(?:い|お)(?:ない|ら|りませ|ませ))|差し控え|ご遠慮|辞退|お断り|見送ら|"
    r"(?:役割|仕事|業務|専門|範囲)では(?:ない|あり|ござい)|(?:適切|ふさわしく|望ましく|"
    r"好ましく)(?:では|は)?(?:ない|ありませ|ございませ)|"
    r"ように(?:は)?(?:なって|設計されて|作られて)(?:い|お)(?:ませ|りませ|ない)|(?:許可|用意|"
    r"対応)されて(?:い|お)(?:ませ|りませ)"
)
#: What only one who refuses says.
_REFUSES = re.compile(
    f"{_EN_REFUSES}|{_RU_REFUSES}|{_ZH_REFUSES}|{_JA_REFUSES}|"
    r"\b(?:i|we)(?:'m| am|'re| are)? ?(?:\w+ly |just |also )?(?:cannot|can't|can not|won't|will "
    r"not|unable|not (?:\w+ly )?(?:able|"
    r"in a position|equipped|allowed|permitted|comfortable|programmed|designed|qualified|"
    r"supposed|meant|going|willing)|only able|limited to|couldn't|could not)\b(?! (?:stress|"
    r"recommend \w+ enough|wait|help but|imagine))|"
    r"\bi (?:do not|don't) (?:have (?:any |the |a |real-time |live |personal )?"
    r"(?:feelings|opinions?|emotions?|preferences|beliefs|body|consciousness|ability|access|"
    r"capab|information|knowledge|data|experiences?|authority|favou?rites?|personal|taste)|feel "
    r"comfortable|possess|provide|offer|give|engage|discuss|comment|write|produce|create|"
    r"generate|experience|hold)\b|"
    r"\b(?:beyond|outside)(?: of)? (?:what i|my|the (?:scope|range|bounds|kind))|"
    r"\bi(?:'m afraid i|'m sorry, i)? ?(?:must|have to|will have to|'ll have to|need to|would "
    r"like to|'d like to|prefer to)(?: \w+ly| kindly)? (?:decline|refrain|refuse|pass\b|abstain|"
    r"(?:stay|remain) neutral|avoid)|\bi(?:'d| would)? (?:prefer|rather|choose|opt) not\b|"
    r"\b(?:is|are|it's|that's)(?: not|n't) (?:something|a (?:topic|task|thing|request)|one) "
    r"(?:that "
    r")?i\b|\bi (?:respectfully |politely )?(?:decline|refrain|refuse|abstain)\b|\bi lack\b|"
    r"\b(?:against|violat\w+|conflicts? with) (?:my|our|the (?:content|usage))\b|\bnot "
    r"(?:possible|appropriate|available) for me\b|\b(?:it|this|that) would(?: not|n't) be "
    r"(?:appropriate|right|responsible) (?:for me|of me)|\blet's (?:talk|chat|focus|change|"
    r"discuss|switch)\b|"
    r"(?<!\w)не (?:могу|можем|смогу|сможем|умею|вправе|имею|уполномочен\w*|готов\w?|хотел\w* бы|"
    r"хочу|буду|стану|являюсь|обладаю|предоставляю|даю|отвечаю|обсуждаю|владею|располагаю|"
    r"предназначен\w*|берусь|возьмусь|рискну|комментирую|поддерживаю|знаю|высказываю|пишу|"
    r"занимаюсь|делаю|перевожу|выражаю|могла? бы)\b|"
    r"\b(?:я )?(?:вынужден\w*|должен|должна|предпочит\w+|предпоч[её]л\w*) (?:буду |бы )?(?:\w+ )?"
    r"(?:отказ|воздерж|отклон|не )|\b(?:воздержусь|откажусь|воздерживаюсь|уклонюсь)\b|"
    r"(?:выход\w+|вне|за) (?:за )?(?:рамк|предел|мо(?:ей|их|и) |сфер)|\bне (?:относит|вход)\w+ "
    r"(?:к|в) (?:мо|числ|круг|сфер|переч|спис)|нейтралитет|\bу меня нет\b|\bмои \w+ ограничен|"
    r"противоречит (?:моим|нашим)|\bмне (?:запрещено|нельзя|не (?:разрешено|позволено|хотелось))|"
    r"(?:давайте|давай|может,?|лучше) (?:поговорим|сменим|обсудим|побеседуем)|\bпока не научил|"
    r"(?:меня смущает|не люблю менять тему)|"
    r"(?:我|本人|这边|作为|抱歉|对不起|遗憾|恕)[^。！？\n]{0,40}?(?:无法|不能|没法|没办法|"
    r"没有办法|不便|"
    r"不方便|不可以|不会(?:写|画|讲|唱|翻)|不适合|不宜|不具备|不支持|没有学会|还没学会|没学会|"
    r"不允许|"
    r"难以|不清楚|没有(?:个人|情感|感情|自己的|意识|主观|味觉|实时|权限|能力|资格|相关|身体|感受|"
    r"喜好|偏好|观点|实际|亲身)|不(?:提供|讨论|回答|参与|发表|评论|涉及|予))|"
    r"(?:无法|不能|没法|没办法|不便|不方便|不会|不予|拒绝|恕难)(?:直接|继续|再)?(?:为[您你]|"
    r"给[您你]|帮|替|"
    r"提供|回答|协助|讨论|满足|完成|处理|执行|生成|给出|创作|发表|评价|判断|评论|告诉|告知|透露|"
    r"参与|聊|撰写|代写|从命|奉告|回应|置评|展开)|超出了?[^，。]{0,10}(?:能力|范围|权限)|"
    r"(?:聊|谈|说)(?:点|些|聊)?(?:别的|其他)|换(?:一?个|一?种)(?:话题|问题|方式)|保持中立|"
    r"还没有?学会|违反了?(?:我的|我们的|平台|使用|相关|内容)|"
    r"(?:お?答え|お応え|回答|提供|お手伝い|対応|作成|生成|執筆|お力|協力|お伝え|お話し|"
    r"アドバイス|助言|判断|申し上げ|お受け|紹介|ご案内|翻訳|コメント|断定|語|書|描|作|歌|訳)"
    r"[^。！？\n]{0,16}?(?:でき(?:ません|かね|ない)|(?:かねます|かねる)|控え|ことはありません|"
    r"(?:られ|け|れ|え|せ)(?:ません|ないん|ないの)|(?:して|いたして)?(?:おりません|いません)|遠慮|"
    r"わけには(?:いき|まいり))|"
    r"(?:お断り|辞退|ご遠慮|差し控え|ご容赦)|(?:対象外|範囲外|禁じられ|許可されて)|"
    r"(?:感情|意見|経験|好み|感覚|味覚|身体|体|意識|アクセス|情報|知識|能力|"
    r"権限)(?:など)?[^。\n]{0,8}?"
    r"(?:持って(?:い|おり)ま?せん|持って(?:い|おら)ない|持ちません|持たない|ありません|"
    r"ございません)|(?:ポリシー|ガイドライン|利用規約|方針)[^。\n]{0,8}(?:反|違反|抵触|より|上)",
    re.I,
)
#: What one who refuses may say, beside an apology or talk about himself.
_CANNOT = re.compile(
    r"\b(?:cannot|can't|unable|not possible|impossible)\b|\bне(?:льзя|возможно)\b|"
    r"无法|不能|没法|没办法|でき(?:ません|ない|かね)|かねます|ません",
    re.I,
)
_SORRY = re.compile(
    r"\bsorry\b|\bapolog|\bunfortunately\b|\bi'm afraid\b|\bregret|"
    r"извин|прост(?:и|ите)\b|прошу прощения|сожалени|"
    r"抱歉|对不起|不好意思|遗憾|见谅|申し訳|すみません|恐れ入り|ごめん|残念|恐縮",
    re.I,
)
_POLITE = re.compile(
    r"\bi (?:understand|appreciate|see|know|realise|realize|hear|get)\b|\b(?:thank you|thanks)\b|"
    r"\b(?:great|good|interesting) question\b|\bhello\b|\bhi\b|"
    r"\b(?:seems?|looks?|sounds?) (?:like |that |as if )?you\b|\byou(?:'d| would)? (?:like|want) "
    r"me to\b|\byou(?:'re| are) (?:asking|looking|interested)|\bthat (?:sounds|is) (?:like )?an? |"
    r"\bвы (?:просите|хотите|спрашиваете|интересуетесь)|похоже, (?:вы|что вы)|\bрад\w* (?:вашему|"
    r"что)|[您你](?:希望|想要?我|的(?:问题|需求|要求|心情|来信))|ご希望|ご質問|とのこと|お尋ね|"
    r"お問い合わせ|"
    r"\bпонимаю\b|\bспасибо\b|\bблагодар|\bценю\b|здравствуйте|(?:хороший|интересный) вопрос|"
    r"感谢|谢谢|理解|明白|您好|你好|ありがとう|ご理解|お大事|よろしくお願い|ご了承|お気持ち",
    re.I,
)
_EN_ASK = (
    r"(?:consult|contact|speak|talk|see|check|refer|ask|visit|reach out|seek|use|try|turn|look|"
    r"search|find|get in touch|read|recommend|suggest|advise|encourage)"
)
_EN_WHOM = (
    r"(?:professional|expert|doctor|physician|p(?:a)?ediatrician|lawyer|attorney|dietiti?cian|"
    r"dietitian|"
    r"specialist|advis[eo]r|teacher|tutor|authorit|official|website|sources?|services?|tools?|"
    r"provider|agents?|dealer|shop|store|librar|books?|engine|internet|online|manufacturer|"
    r"department|pharmacist|therapist|counsell?or|accountant|translator|vet(?:erinarian)?\b|"
    r"cookbook|news|nurse|dentist|agency|organi[sz]ation|platform|apps?\b|practitioner|site|sites)"
)
_REFERS = re.compile(
    rf"\b{_EN_ASK}\w*\b[^.!?\n]{{0,80}}\b{_EN_WHOM}|\b{_EN_WHOM}\w*\b[^.!?\n]{{0,60}}(?:will|can|"
    rf"may|"
    r"would|who|for (?:the )?(?:most )?(?:accurate|reliable|up-to-date|latest|current))|"
    r"обратит|обращ(?:ат|ай)|проконсульт|(?:совет|рекоменд|предлаг)\w+[^.!?\n]{0,60}(?:сайт|"
    r"источник|сервис|книг|специалист|врач|новост|поиск|литератур|эксперт|справочник|профессионал)|"
    r"(?:посмотр|поищ|поиск|найти|найд|узна|уточн|провер|воспольз|спрос|заглян|использ|прочит)\w*"
    r"[^.!?\n]{0,50}"
    r"(?:врач|специалист|юрист|сайт|источник|сервис|книг|центр|дилер|редактор|нейросет|переводчик|"
    r"профессионал|эксперт|учител|магазин|служб|интернет|поиск|литератур|новост|приложени|"
    r"справочник|словар|форум|продавц)|там вам|"
    r"(?:建议|请|可以|最好|推荐|不妨|需要)[^。！？\n]{0,24}(?:咨询|查阅|查看|查询|参考|联系|前往|"
    r"寻求|搜索|请教|询问|求助|就医|阅读|拨打|访问|关注|看看|多看|了解|使用|参阅|翻阅|浏览|核实)|"
    r"(?:ご?相談|お?問い?合わ|ご?確認|ご?参照|ご?参考|ご覧|お?尋ね|お聞き|聞いて|伺って|調べ|"
    r"検索|受診|"
    r"ご?利用|ご依頼)[^。！？\n]{0,30}(?:くださ|下さ|ましょう|お願い|すすめ|勧め|いただ|頂|思い|"
    r"でしょう|よい|良い|いい|幸い|確実|安心)|専門家に",
    re.I,
)
_OFFERS = re.compile(
    r"\b(?:anything|something) else\b|\bhow (?:else )?can i\b|\blet me know\b|\bfeel free\b|"
    r"\b(?:happy|"
    r"glad) to\b|\bwould you like\b|\bif you(?:'d| would)? (?:like|have|want|need|wish|prefer)\b|"
    r"\bi(?:'d| would)? (?:can|could),? (?:however|though|instead|of course|still|gladly),? \w+|"
    r"\bwhat i can (?:do|offer)\b|"
    r"\bi(?:'d| would)? (?:can|could|be able to) (?:help|tell|offer|instead|\w+ you)\b|"
    r"\b(?:another|different) (?:topic|question|request|subject)\b|\binstead\b|"
    r"если (?:хотите|хочешь|у вас|у тебя|нужно|вам|тебе|желаете)|\b(?:могу|готов\w*|смогу) (?:ли "
    r"я |вместо |я )?"
    r"(?:помочь|предложить|рассказать|подсказать|обсудить|вам|этого)|с (?:радостью|удовольствием)|"
    r"\bбуд(?:у|ем) рад|чем (?:ещ[её] |я )|что-(?:то|нибудь) (?:ещ[её]|друг)|друг(?:ой|ую|ие|ом|"
    r"им) (?:вопрос|тем|задач)|"
    r"如果[您你]?(?:有|还有|需要|想|愿意|对)|很?(?:乐意|愿意|高兴)|随时|其他(?:问题|方面|事|话题|"
    r"需)|别的|不如|要不|我(?:可以|会|能)(?:帮|为|继续|给|陪|尝试)|欢迎|还有什么|"
    r"(?:他|ほか)に|別の|喜んで|お知らせください|お申し付け|気軽に|いかがで|よろしければ|代わりに|"
    r"(?:で|に)したら|お役に立て",
    re.I,
)
_REASON = re.compile(
    r"\b(?:may|might|could|because|since|concerns?|harm\w*|risks?|copyright\w*|stereotyp\w*|"
    r"offens\w+|sensitive|inappropriate|bias\w*|respect\w*|responsib\w+|privacy|individual\w*|"
    r"differ\w*|depends?|personal\w*|subjective|accura\w+|inaccura\w+|mislead\w*|wrong|safety|"
    r"limited|rights|hurt\w*|important|ethic\w*|complex|neutral\w*)\b|"
    r"завис|индивидуальн|личн|субъективн|точн|вводить|заблужд|вред|риск|безопасн|ответственн|"
    r"авторск|прав[аоу]?\b|обид|оскорб|стереотип|этич|деликатн|чувствительн|ограничен|различ|"
    r"научн|должен|должны|может|могут|"
    r"主观|准确|误导|风险|版权|隐私|尊重|因人而异|敏感|安全|责任|专业|争议|中立|客观|伤害|冒犯|"
    r"不同|标准答案|"
    r"可能|おそれ|恐れ|可能性|個人差|正確|誤解|誤った|保証|責任|権利|著作権|安全|配慮|損失|影響|"
    r"ため|異なり|主観|中立|専門",
    re.I,
)
#: An answer after all.
_SUBSTANCE = re.compile(
    r"\d|[:：]|\b(?:in general|generally|usually|typically|for example|for instance|e\.g\.|as for|"
    r"most people|basically|try\b|add|use)\b|обычно|в целом|вообще|например|как правило|чаще всего|"
    r"一般|通常|例如|比如|至于|首先|其次|一般的|たとえば|例えば|基本的|通常|まず|多くの",
    re.I,
)
#: Kinds of talk that count wherever they stand.
_SIGNS = (("sorry", _SORRY), ("offer", _OFFERS), ("refer", _REFERS))
_ITEM = re.compile(r"^\s*(?:[-*•·]|\d{1,2}[.)、．])\s*\S", re.M)
_WORD = re.compile(r"[㐀-鿿ぁ-ヿ]|[^\W_]+")
#: So many words besides are an answer.
ENOUGH, _LONGEST_REASON = 15, 32
#: Where a text speaks of its limits again and again: words besides, and before.
_MOST_BESIDES, _MOST_BEFORE = 40, 26
#: Shorter talk is recognised by its words alone.
_SHORTEST = 12
_READ = 5_000


@dataclass(frozen=True, slots=True)
class Clause:
    """A sentence, or a side of its "but" (`turned`: behind it); what it `does`, "" for saying
    something."""

    start: int
    end: int
    does: str
    weight: float
    turned: bool


def clauses(text: str) -> list[Clause]:
    """The clauses of a text and what each does."""
    found = []
    for match in _SENTENCE.finditer(text):
        sentence = match.group()[:2_000]
        at, turned = 0, False
        for turn in [*_TURN.finditer(sentence), None]:
            end = turn.end() if turn else len(sentence)
            part = sentence[at:end]
            if _WORD.search(part):
                found.append(
                    Clause(
                        match.start() + at, match.start() + end, _does(part), weight(part), turned
                    )
                )
            at, turned = end, True
    return found


def _does(part: str) -> str:
    if _REFUSES.search(part):
        return "refuse"
    if _SELF.search(part):
        return "self"
    if _SORRY.search(part):
        return "cannot" if _CANNOT.search(part) else "sorry"
    for name, pattern in (("refer", _REFERS), ("offer", _OFFERS), ("polite", _POLITE)):
        if pattern.search(part):
            return name
    if part.rstrip().endswith(("?", "？")):
        return "offer"
    return "reason" if _REASON.search(part) and not _SUBSTANCE.search(part) else ""


def refusal_spans(text: str) -> list[tuple[int, int]]:
    """Where a text that is nothing but a refusal refuses; empty where it says something besides."""
    if len(text) > _READ or len(_ITEM.findall(text)) >= 2:
        return []
    parts = clauses(text)
    talk = [one for one in parts if one.does in ("refuse", "self", "cannot")]
    strong = [one for one in parts if one.does in ("refuse", "cannot")]
    if not strong and not (talk and all(one.does for one in parts)):
        return []
    kinds = {one.does for one in parts if one.does}
    kinds |= {name for name, sign in _SIGNS if sign.search(text[:_READ])}
    if len(kinds) < 2 or weight(text) < _SHORTEST or _says_it_all_the_same(parts):
        return []
    first = parts.index(talk[0])
    before = sum(one.weight for one in parts[:first] if not one.does)
    if _is_certain(parts, kinds | ({"self"} if _SELF.search(text) else set()), len(strong)):
        said = [one for one in parts if not one.does]
        most = min(_MOST_BESIDES, 0.45 * weight(text))
        if before <= _MOST_BEFORE and sum(one.weight for one in said) <= most:
            return [] if _has_substance(text, said) else [(one.start, one.end) for one in talk]
    said = _besides(text, parts, kinds)
    if before > 4 or sum(one.weight for one in said) >= ENOUGH or _has_substance(text, said):
        return []
    return [(one.start, one.end) for one in talk]


def _says_it_all_the_same(parts: list[Clause]) -> bool:
    """Whether an answer follows a refusal's "but"."""
    return any(
        one.turned and not one.does and one.weight >= 3 and before.does in ("refuse", "self")
        for before, one in pairwise(parts)
    )


def _is_certain(parts: list[Clause], kinds: set[str], strong: int) -> bool:
    """Whether a text speaks of its limits in so many ways that what it says besides can only be
    its reasons."""
    about = sum(
        one.does in ("refuse", "self", "cannot", "sorry", "refer", "offer") for one in parts
    )
    return strong >= 1 and about >= 3 and len(kinds - {"polite", "reason"}) >= 2


def _has_substance(text: str, said: list[Clause]) -> bool:
    return any(_SUBSTANCE.search(text[one.start : one.end]) and one.weight > 4 for one in said)


def _besides(text: str, parts: list[Clause], kinds: set[str]) -> list[Clause]:
    """The clauses that say something: none of the usual ones, and reasons where nothing but a
    refusal stands beside them."""
    said = [one for one in parts if not one.does]
    if said and kinds <= {"refuse", "offer"}:
        return parts
    reasons = [one for one in parts if one.does == "reason"]
    if kinds & {"refer", "offer", "sorry", "cannot"}:
        spare = _bare_reason(text, parts, said)
        said = [one for one in said if one is not spare]
        return said + [one for one in reasons if one.turned]
    return said + reasons


def _bare_reason(text: str, parts: list[Clause], said: list[Clause]) -> Clause | None:
    """A sentence beside the refusal that gives its reason without the usual words."""
    for one in said:
        place = parts.index(one)
        beside = parts[max(0, place - 1) : place + 2]
        if (
            one.weight <= _LONGEST_REASON
            and not one.turned
            and any(other.does in ("refuse", "cannot") for other in beside)
            and not _SUBSTANCE.search(text[one.start : one.end])
        ):
            return one
    return None


def weight(text: str) -> float:
    """Words; a Chinese or Japanese character counts half."""
    return sum(0.5 if len(word) == 1 and word >= "ぁ" else 1 for word in _WORD.findall(text))
