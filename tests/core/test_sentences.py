"""Ends of sentences in four languages: `|` stands where a text is cut."""

from __future__ import annotations

import pytest

from graders.core.claims import split_claims
from graders.core.text import sentences

ENGLISH = [
    "It was signed on Jan. 5 in Paris.| It holds.",
    "The report is due on Sept. 30.| Then we rest.",
    "It closes in Dec.| The park stays open.",
    "He sat.| Visitors came.",
    "See No. 5, Fig. 3 and Fig. B for the plan, i.e. the map, e.g. of Rome.| Go.",
    "It took approx. 3.5 hours.| He said No.| Nobody came.",
    "Mr. Brown met Dr. Ng near St. Paul on 5 Main St.| They talked.",
    "J. S. Bach was born in 1685.| He wrote music by J. S. Bach.| It was good.",
    "He took vitamin C.| It helped.",
    "Tea, milk, etc. were bought.| Tea, milk, etc.| Shops were open.",
    "Open from 8 a.m. to 5 p.m. Monday to Friday.| It opens at 8 a.m.| Visitors wait.",
    "The U.S. Senate voted.| He lives in the U.S.| She does not.",
    "Apple Inc. Chairman Cook came.| He left Apple Inc.| The firm went on.",
    "“It is open.” he said.| “It is open.”| He left.",
    "Really?!| Yes.",
    "Wait...| Now it is 3.14.| So.",
    "1. Oslo is north.| 2. Rome is south.",
    "He likes art.| I read Smith et al.| The case is Roe v. Wade, art. 5.| Good.",
    "It is at p. 5 of vol. II of the work.| All of it.",
]
RUSSIAN = [
    "Договор подписан в янв. 2020 г. в Москве.| Он действует.",
    "Это было в 2020 г.| Дом построен позже.",
    "Он родился в г. Москве.| Он живёт на ул. Ленина, д. 5 и в г. Москва.| Там тепло.",
    "Яблоки, груши и т. д.| Он ушёл.",
    "Яблоки, груши и т.д. лежат там, т. е. на столе.| Они спелые.",
    "А. С. Пушкин писал стихи.| Стихи писал А. С. Пушкин.| Они хороши.",
    "Построен в XIX в.| Архитектор неизвестен.",
    "Цена 100 руб. 50 коп. за штуку, напр. за Рис.| Это дорого.",
    "Длина 5 см.| Ширина больше.",
    "См. Рис. 3 и табл. 5 для ответа.| Готово.",
    "«Открыто с восьми.» — сказал он.| «Открыто.»| Он ушёл.",
    "Музей им. Пушкина открыт.| Вход свободный.",
    "Рим основан в 753 г. до н. э.| Город вырос.",
]
CHINESE = [
    "他说：“八点开门。”然后走了。|我们等。",
    "“八点开门。”门卫说。|“九点关门。”|她知道了。",
    "“几点开门？”他问道，“九点？”|没人回答。",
    "他说：“八点开门。”|她走了。|圆周率是3.14。|好！",
    "“八点开门。”|她说九点关门。",
    "它说“好。”。|我走了。",
    "「八點開門。」的牌子在門口。|請等。",
]
JAPANESE = [
    "「開館は8時です。」と係員が言った。|入口は左です。",
    "「はい。」って言った。|「いいえ。」|とても寒い。",
    "『開いています。』という札がある。|円周率は3.14です。",
    "「8時です。」、「9時です。」などと言う。|ところで、駅は近い。",
    "「開館は8時です。」|係員は去った。|本当ですか？|はい！",
    "「8時です。」を信じた。|「8時です。」の札。|のちに閉まった。",
]


@pytest.mark.parametrize("marked", [*ENGLISH, *RUSSIAN, *CHINESE, *JAPANESE])
def test_a_text_is_cut_where_sentences_end_and_nowhere_else(marked: str) -> None:
    assert sentences(marked.replace("|", "")) == [part.strip() for part in marked.split("|")]


def test_no_claim_is_half_of_one() -> None:
    assert split_claims("The report is due on Sept. 30.") == ("The report is due on Sept. 30.",)
    assert split_claims("「開館は8時です。」と係員が言った。") == (
        "「開館は8時です。」と係員が言った。",
    )
    assert split_claims("他说：“八点开门。”然后走了。") == ("他说：“八点开门。”然后走了。",)


def test_a_claim_of_a_quotation_is_whole_however_its_lines_are_wrapped() -> None:
    signed = "> The tower in the middle of the town was\n> finished in 1889.\n\nIt is high."
    assert split_claims(signed) == (
        "The tower in the middle of the town was finished in 1889.",
        "It is high.",
    )
    assert split_claims(signed.replace("\n> ", "\n")) == split_claims(signed)
    assert split_claims("The tower in the middle of the town\n> stands there") == (
        "The tower in the middle of the town",
        "stands there",
    )
