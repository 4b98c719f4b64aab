"""Answers that stand for classes of faults and of look-alikes, whichever rule they concern: closing
remarks behind foreign sentences, dialogues in two languages of one script, signatures, ranges."""

from __future__ import annotations

import pytest

from tests.rules.unseen import faults_in

#: The fault ("" for none), the question, the answer.
CASES = (
    (
        "missing_translation",
        "I'm learning Spanish. Give me five sentences for the doctor's.",
        "1. Me duele la cabeza.\n2. Tengo fiebre desde ayer.\n3. ¿Puede recetarme algo?\n4. Soy alérgico a la penicilina.\n5. ¿Cuándo puedo volver al trabajo?\n\nI hope this helps!",
    ),
    (
        "missing_translation",
        "I'm learning Spanish. Give me five sentences for the doctor's.",
        "Here are five sentences:\n\n1. Me duele la cabeza.\n2. Tengo fiebre desde ayer.\n3. ¿Puede recetarme algo?\n4. Soy alérgico a la penicilina.\n5. ¿Cuándo puedo volver al trabajo?\n\nI hope this helps! Good luck with your studies, and let me know if you want more. Would you like a dialogue next?",
    ),
    (
        "missing_translation",
        "Я учу немецкий. Дай пять предложений для врача.",
        "1. Ich habe Kopfschmerzen.\n2. Seit gestern habe ich Fieber.\n3. Können Sie mir etwas verschreiben?\n4. Ich bin allergisch gegen Penicillin.\n\nНадеюсь, это поможет! Удачи в изучении языка!",
    ),
    (
        "missing_translation",
        "我在学法语，请写一段简单的对话。",
        "A: Bonjour, vous allez bien ?\nB: Oui, très bien, merci.\nA: Vous voulez un café ?\nB: Avec plaisir !\n\n希望这段对话对你有帮助！多读几遍，加油！",
    ),
    (
        "missing_translation",
        "イタリア語を勉強しています。市場での会話を書いてください。",
        "A: Buongiorno, quanto costano i pomodori?\nB: Due euro al chilo.\nA: Ne prendo un chilo, per favore.\nB: Ecco a lei, grazie!\n\n何度も声に出して練習してみてくださいね。応援しています！",
    ),
    (
        "",
        "I'm learning Spanish. Give me five sentences for the doctor's.",
        "**Spanish**\n1. Me duele la cabeza.\n2. Tengo fiebre desde ayer.\n3. ¿Puede recetarme algo?\n\n**English**\n1. My head hurts.\n2. I've had a fever since yesterday.\n3. Can you prescribe me something?\n\nI hope this helps!",
    ),
    (
        "",
        "I'm learning Dutch, A1. A short text about a cat please, with English.",
        "Mijn kat heet Max. Hij is zwart en heel lief. Elke ochtend slaapt hij op de vensterbank. 's Avonds eet hij vis.\n\nMy cat is called Max. He is black and very sweet. Every morning he sleeps on the windowsill. In the evening he eats fish.",
    ),
    (
        "",
        "Teach me some Polish for the bakery.",
        "- **Poproszę chleb.** – I'd like some bread, please.\n- **Ile to kosztuje?** – How much is it?\n- **Dziękuję, to wszystko.** – Thank you, that's all.",
    ),
    (
        "",
        "I am learning Italian. Dialogue at the station with English below each line.",
        "**Anna:** Scusi, a che ora parte il treno?\n*Excuse me, what time does the train leave?*\n\n**Bigliettaio:** Alle nove e dieci.\n*At ten past nine.*\n\n**Anna:** Grazie mille!\n*Many thanks!*\n\n**Bigliettaio:** Prego.\n*You're welcome.*",
    ),
    (
        "",
        "German dialogue about the weather, with English.",
        "Max: Heute regnet es.\nLena: Ja, schon den ganzen Tag.\nMax: Gehen wir trotzdem raus?\nLena: Klar!\n\nMax: It's raining today.\nLena: Yes, all day long.\nMax: Shall we go out anyway?\nLena: Sure!",
    ),
    (
        "dialogue_out_of_step",
        "German dialogue about the weather, with English.",
        "Max: Heute regnet es.\nLena: Ja, schon den ganzen Tag.\nMax: Gehen wir trotzdem raus?\nLena: Klar!\n\n**English**\nMax: It's raining today.\nLena: Yes, all day long.\nMax: Shall we go out anyway?",
    ),
    (
        "",
        "Write a haiku about rain.",
        "Rain on the tin roof:\nmy grandmother counts her beads\nin the dark kitchen",
    ),
    (
        "",
        "Напиши письмо учительнице, коротко.",
        "Дорогая Анна Сергеевна!\n\nСпасибо вам за уроки и терпение.\n\nВаш Петя",
    ),
    (
        "",
        "List the steps for sharpening a knife.",
        "1. Soak the stone in water for ten minutes;\n2. hold the blade at twenty degrees;\n3. draw it towards you, and\n4. test it on paper.",
    ),
    ("", "What do I pack?", "- socks,\n- a torch,\n- matches"),
    (
        "cut_off",
        "Write the rules of our garden.",
        "1. Please close the gate behind you;\n2. water only in the evening;\n3. take home what you have picked; and\n4. do not leave tools lying in the gra",
    ),
    (
        "",
        "用英文怎么写地址：上海市黄浦区南京东路100号",
        "Room 100, Nanjing East Road, Huangpu District, Shanghai, China\n\n由小到大写即可。",
    ),
    (
        "",
        "Write a dialogue between a cook and a mouse.",
        "**Cook:** Who's eaten my cheese?\n**Mouse:** The cat, surely.\n**Cook:** The cat is on holiday.\n**Mouse:** Then it was a very long-distance cat.",
    ),
    (
        "",
        "三到五个建议，怎样早起？",
        "1. 早点睡。\n2. 把手机放远。\n3. 拉开窗帘。\n4. 周末也别赖床。",
    ),
    ("", "How do I say 'good luck' in Welsh?", "**Pob lwc!** It's pronounced roughly *pobb look*."),
    (
        "",
        "Explain photosynthesis in two paragraphs.",
        "Plants catch light with chlorophyll and split water with its energy. Oxygen leaves through the pores.\n\nThe energy then builds sugar from carbon dioxide, which feeds the plant and everything that eats it.",
    ),
    (
        "wrong_count",
        "Explain photosynthesis in two paragraphs for workers.",
        "Plants catch light with chlorophyll and split water with its energy. Oxygen leaves through the pores.\n\nThe energy then builds sugar.\n\nSugar feeds the plant and everything that eats it.\n\nThat is why forests matter.",
    ),
    (
        "",
        "Give tips for each room: kitchen, bath.",
        "**Kitchen:** air it daily.\n**Bath:** wipe the tiles.",
    ),
    (
        "",
        "Create a sign-up sheet for 10 volunteers.",
        "Name 1: ____\nName 2: ____\nName 3: ____\nName 4: ____\nName 5: ____\nName 6: ____\nName 7: ____\nName 8: ____\nName 9: ____\nName 10: ____",
    ),
    (
        "",
        "Tell a story with a repeated line for toddlers.",
        'The bear went up the hill. "Who is there?" said the owl. The bear went on.\n\nThe bear came to a brook. "Who is there?" said the frog. The bear went on.\n\nThe bear came to a tree. "Who is there?" said the squirrel. The bear went on.\n\nThe bear came home. "It\'s me," he said.',
    ),
    (
        "",
        "Подскажи, как по-польски будет «доброе утро»?",
        "Dzień dobry. Отдельного приветствия для утра в польском нет.",
    ),
    (
        "",
        "写一封给公司的英语求职信",
        "Dear Hiring Manager,\n\nI am writing to apply for the position of designer at your company. I have five years of experience.\n\nSincerely,\nLi Ming",
    ),
)


@pytest.mark.parametrize(("fault", "question", "answer"), CASES)
def test_a_class_of_answers_is_told(fault: str, question: str, answer: str) -> None:
    found = faults_in(question, answer)
    assert fault in found if fault else not found
