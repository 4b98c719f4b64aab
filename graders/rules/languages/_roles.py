"""What people in a dialogue are called, in nine languages."""

from __future__ import annotations

import re
from collections.abc import Sequence

_ROLES = {
    name: number
    for number, names in enumerate(
        (
            "doctor врач доктор 医生 大夫 医師 医者 先生お医者 arzt ärztin médico médica dottore "
            "médecin",
            "patient пациент пациентка больной 病人 患者 paciente paziente",
            "teacher учитель учительница преподаватель 老师 教师 先生 lehrer lehrerin profesor "
            "profesora "
            "insegnante professeur",
            "student ученик ученица студент студентка 学生 同学 生徒 schüler schülerin "
            "estudiante alumno "
            "studente étudiant élève",
            "customer client buyer shopper покупатель покупательница клиент клиентка 顾客 客人 "
            "客户 客 お客 "
            "お客様 お客さん 客様 "
            "kunde kundin cliente",
            "clerk seller assistant shopassistant salesperson vendor продавец продавщица 店员 "
            "售货员 店員 販売員 "
            "verkäufer verkäuferin vendedor vendedora dependiente dependienta commesso commessa "
            "venditore venditrice vendeur vendeuse shopkeeper "
            "売り手 店主さん販売員さん",
            "waiter waitress server официант официантка 服务员 ウェイター ウェイトレス kellner "
            "kellnerin camarero "
            "camarera cameriere serveur serveuse",
            "guest visitor diner гость гостья посетитель посетительница 客人们 ゲスト 宿泊客 "
            "gast huésped ospite "
            "invité",
            "receptionist администратор портье 前台 フロント 受付 recepcionista rezeption "
            "réceptionniste",
            "mother mom mum мама мать 妈妈 母亲 母 お母さん mutter mamá madre mamma maman",
            "father dad папа отец 爸爸 父亲 父 お父さん vater papá padre papà",
            "cat кошка кот 猫 ねこ katze gato gatto chat kedi",
            "dog собака пёс пес 狗 犬 いぬ hund perro cane chien köpek",
            "tourist traveller traveler турист туристка 游客 観光客 旅行者 turista tourist",
            "passerby local прохожий прохожая 路人 行人 通行人 passant transeúnte",
            "driver taxidriver водитель таксист 司机 運転手 fahrer conductor taxista autista",
            "passenger пассажир пассажирка 乘客 乗客 pasajero passeggero passager",
            "man мужчина 男 男人 男性 mann hombre uomo homme",
            "woman женщина 女 女人 女性 frau mujer donna femme",
            "boy мальчик 男孩 男の子 junge niño ragazzo garçon",
            "girl девочка девушка 女孩 女の子 mädchen niña ragazza fille",
            "boss manager начальник начальница менеджер 经理 老板 上司 部長 chef jefe capo",
            "employee сотрудник сотрудница работник 员工 职员 社員 部下 empleado impiegato employé",
            "pharmacist аптекарь фармацевт провизор 药剂师 薬剤師 apotheker farmacéutica "
            "farmacéutico farmacista",
            "interviewer интервьюер 面试官 記者 面接官 entrevistador",
            "candidate applicant кандидат соискатель 面试者 应聘者 応募者 candidato candidat",
            "friend друг подруга 朋友 友達 友人 freund freundin amigo amiga amico amica ami amie",
            "secretary секретарь 秘书 秘書 sekretärin sekretär segretaria segretario secretaria "
            "secrétaire",
            "host hostess innkeeper landlord owner хозяин хозяйка 主人 店主 房东 老板娘 大家 wirt "
            "wirtin "
            "vermieter oste proprietario dueño dueña patron propriétaire",
            "vet veterinarian ветеринар 兽医 獣医 tierarzt tierärztin veterinario veterinaria "
            "vétérinaire",
            "hairdresser barber парикмахер парикмахерша 理发师 美容師 friseur friseurin peluquero "
            "peluquera parrucchiere parrucchiera coiffeur coiffeuse",
            "baker пекарь булочник 面包师 パン屋 bäcker bäckerin panadero panadera panettiere "
            "fornaio "
            "boulanger boulangère",
            "neighbor neighbour сосед соседка 邻居 隣人 nachbar nachbarin vecino vecina vicino "
            "vicina "
            "voisin voisine",
            "cook chef повар кухарка 厨师 料理人 koch köchin cocinero cocinera cuoco cuoca "
            "cuisinier",
            "coach trainer тренер 教练 コーチ trainerin entrenador entrenadora allenatore "
            "entraîneur",
            "librarian библиотекарь 图书管理员 司書 bibliothekar bibliothekarin bibliotecario "
            "bibliotecaria bibliothécaire",
            "mechanic механик автомеханик 修理工 整備士 mechaniker mecánico meccanico mécanicien",
            "farmer фермер крестьянин 农民 農家 bauer bäuerin granjero agricultor contadino "
            "fermier",
            "police officer policeofficer policeman полицейский 警察 警官 polizist policía",
        )
    )
    for name in names.split()
}


def numbered(rows: Sequence[Sequence[str]]) -> list[list[int]]:
    """Two rows of speakers as numbers of what they are, in whatever language it is said; empty rows
    where that is not known of all."""
    found = [
        [_ROLES.get(re.sub(r"[\W\d_]", "", name).casefold(), -1) for name in row] for row in rows
    ]
    if any(-1 in row for row in found) or set(found[0]) != set(found[1]):
        return [[], []]
    return found
