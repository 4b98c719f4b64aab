"""A style is asked for, or none is."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

from graders.core.contracts import Rule
from graders.core.records import Mark, Subject
from graders.core.rubric import Criterion
from graders.core.scale import YES_NO, Scale
from graders.core.words import carried
from graders.rules.writing.marks import refusal

say = carried(
    "named_style",
    {
        "maybe": "The question may name an author, a work or a school.",
        "no_name": "The question names no author, work or school.",
    },
)

_READ = 8_000
#: Words with which the style of an author, a work or a school is asked for.
_STYLE = re.compile(
    r"\bstyle|\bstylis|\bmanner\b|\bspirit of\b|\bvein of\b|\bvoice "
    r"of\b|\bimitat|\bpastiche|\bparod|\bà la\b|\ba la\b|\bhomage|\btribute|"
    r"\w{3,}(?:esque|ist)\b|\b(?:gothic|baroque|romantic|noir|beat|metaphysical|symbol\w+|"
    r"classical|modern\w*|folk|fairy)\b|"
    r"\bas if\b.{0,40}\b(?:wrote|written)\b|\bwould (?:have )?(?:writ|tell|told|say|said|put)\w*|"
    r"\blike (?:a |an |the )?(?!this\b|that\b|it\b)\w+ (?:did|does|wrote|writes)\b|"
    r"стил|манер|(?<!\w)дух[еу](?!\w)|подража|пароди|стилиз|а-ля|по мотивам|(?<!\w)как "
    r"у\b|(?<!\w)под [А-ЯЁ]|\w+(?:изм|ист)\w{0,3}(?!\w)|"
    r"голос(?:ом|е)|сказк|былин|народн|частушк|сказ(?!\w)|"
    r"风格|風格|风|風|体(?!育|重|验|会|温)|體|仿|模仿|学习?[^。，]{0,6}的(?:写法|笔)|口吻|"
    r"口气|笔调|笔法|手法|流派|派|味道?|腔|像[^。，]{0,12}(?:一样|那样)|致敬|恶搞|戏仿|"
    r"スタイル|作風|文体|風に|風の|ふう|流(?:に|の|で)|らし[くい]|のように|みたいに|"
    r"になりきっ|真似|まね|模し|調(?:に|の|で)|口調|パロディ|派",
    re.I,
)
#: A capital inside a sentence may be the name of an author, a work or a school; these are none.
_CAPITAL = re.compile(r"(?<![.!?:\n\"“«(] )(?<![.!?:\n\"“«(—–-])(?<!^)\b[A-ZА-ЯЁÀ-Þ][\w’'-]+")
_NO_NAME = re.compile(
    r"(?:I|I'[a-z]+|English|Russian|Chinese|Japanese|German|French|Spanish|Italian|Korean|"
    r"Latin|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|"
    r"Sunday|January|February|March|April|May|June|July|August|September|October|November|"
    r"December|Christmas|Easter|New|Year|AABB|ABAB|ABBA|"
    r"[A-GА-Г]{2,14})"
)
#: "Dickens's life", at the beginning of a sentence too; none are "What's" and "Grandma's".
_OWNER = re.compile(
    r"\b(?!(?:What|It|That|This|There|Here|Let|Who|How|Where|When|Why|Today|Tomorrow|"
    r"Yesterday|Tonight|He|She|One|Everyone|Somebody|Nobody|"
    r"Everybody|Someone|Mom|Mum|Dad|Mother|Father|Grandma|Grandpa|Children|Women|Men|Teacher|"
    r"Valentine|New|Monday|Sunday|Winter|Summer)['’])"
    r"[A-Z][a-zà-ÿ]{2,}['’]s\b"
)
_TITLE = re.compile(r"[《『][^》』\n]{1,60}[》』]|[ァ-ヿ]{2,}[・=＝][ァ-ヿ]{2,}")
#: No capital letter tells a name in Chinese or Japanese: names that readers everywhere know stand
#: in this list, other people are told by what is said beside a name (a trade, a title, a life,
#: works). A word too many only leaves a question open.
_KNOWN = (
    # Chinese
    "屈原|曹操|曹植|陶渊明|陶淵明|王勃|王维|王維|孟浩然|李白|杜甫|白居易|李贺|李賀|李商隐|"
    "李商隱|杜牧|王昌龄|岑参|韩愈|韓愈|柳宗元|刘禹锡|"
    "贺知章|李煜|欧阳修|歐陽脩|苏轼|蘇軾|苏东坡|蘇東坡|黄庭坚|李清照|陆游|陸游|辛弃疾|辛棄疾|"
    "柳永|范仲淹|王安石|关汉卿|汤显祖|施耐庵|罗贯中|"
    "吴承恩|曹雪芹|蒲松龄|蒲松齡|纳兰性德|納蘭性德|鲁迅|魯迅|周作人|胡适|胡適|徐志摩|朱自清|"
    "老舍|巴金|茅盾|冰心|沈从文|沈從文|郁达夫|萧红|蕭紅|"
    "张爱玲|張愛玲|钱锺书|钱钟书|錢鍾書|林语堂|林語堂|梁实秋|丰子恺|闻一多|戴望舒|卞之琳|"
    "艾青|海子|顾城|北岛|舒婷|余光中|席慕蓉|三毛|汪曾祺|史铁生|"
    "余华|莫言|王小波|金庸|古龙|琼瑶|刘慈欣|陈忠实|路遥|贾平凹|毛泽东|毛主席|"
    # Japanese
    "紫式部|清少納言|西行|吉田兼好|松尾芭蕉|芭蕉|与謝蕪村|蕪村|小林一茶|一茶|良寛|井原西鶴|"
    "近松門左衛門|正岡子規|子規|夏目漱石|漱石|森鷗外|森鴎外|"
    "樋口一葉|島崎藤村|石川啄木|啄木|与謝野晶子|北原白秋|萩原朔太郎|高村光太郎|中原中也|"
    "宮沢賢治|宮澤賢治|金子みすゞ|種田山頭火|山頭火|芥川龍之介|芥川|"
    "太宰治|太宰|川端康成|谷崎潤一郎|三島由紀夫|江戸川乱歩|志賀直哉|武者小路実篤|泉鏡花|"
    "梶井基次郎|坂口安吾|安部公房|大江健三郎|村上春樹|谷川俊太郎|"
    "茨木のり子|俵万智|星新一|司馬遼太郎|遠藤周作|吉本ばなな|東野圭吾|"
    # others
    "莎士比亚|莎士比亞|但丁|歌德|席勒|海涅|里尔克|卡夫卡|雨果|巴尔扎克|福楼拜|波德莱尔|"
    "普鲁斯特|加缪|普希金|莱蒙托夫|果戈理|屠格涅夫|托尔斯泰|"
    "陀思妥耶夫斯基|契诃夫|高尔基|阿赫玛托娃|马雅可夫斯基|拜伦|雪莱|济慈|华兹华斯|狄更斯|"
    "简·奥斯汀|王尔德|乔伊斯|叶芝|艾略特|惠特曼|狄金森|爱伦·坡|"
    "马克·吐温|海明威|福克纳|弗罗斯特|泰戈尔|纪伯伦|聂鲁达|博尔赫斯|马尔克斯|塞万提斯|安徒生|荷马|"
    "シェイクスピア|シェークスピア|ダンテ|ゲーテ|シラー|ハイネ|リルケ|カフカ|ユゴー|"
    "バルザック|ボードレール|ランボー|プルースト|カミュ|プーシキン|"
    "ゴーゴリ|ツルゲーネフ|トルストイ|ドストエフスキー|チェーホフ|ゴーリキー|バイロン|キーツ|"
    "ワーズワース|ディケンズ|オースティン|ワイルド|ジョイス|"
    "イェイツ|エリオット|ホイットマン|ディキンソン|ヘミングウェイ|フォークナー|タゴール|"
    "ネルーダ|ボルヘス|セルバンテス|アンデルセン|ホメロス|"
    # works and schools that are named by themselves
    "红楼梦|紅樓夢|西游记|水浒传|三国演义|诗经|詩經|楚辞|唐诗|唐詩|宋词|宋詞|元曲|朦胧诗|"
    "新月社|源氏物語|平家物語|枕草子|徒然草|方丈記|万葉集|古今集|百人一首|竹取物語"
)
#: Trades and titles of people who write, and what is said of a person only.
_SAID = (
    "作家|诗人|詩人|词人|詞人|文人|文豪|作者|文学家|文學家|小说家|小說家|小説家|剧作家|"
    "劇作家|散文家|思想家|歌人|俳人|俳諧師|先生|女士|大师|"
    "生平|传记|傳記|自传|自傳|生涯|人生|半生|伝記|自伝|代表作|名作|名著|名句|名言|诗集|詩集|"
    "文集|歌集|句集|遗作|遺作"
)
_SURNAMES = (
    "王李张張刘劉陈陳杨楊赵趙黄黃周吴吳徐孙孫胡朱高林何郭马馬罗羅梁宋郑鄭谢謝韩韓唐冯馮董萧蕭程曹袁邓鄧许許傅沈曾彭吕呂苏蘇卢盧蒋蔣蔡贾賈丁魏薛叶葉"
    "阎余潘杜戴夏钟鐘汪田任姜范方石姚谭廖邹熊金陆陸郝孔白崔康毛邱秦江史顾顧侯邵孟龙龍万段钱錢汤湯尹黎易常武乔贺賀赖龚文"
)
#: A surname and a given name whose owner lives, writes or is written about.
_PERSON = rf"[{_SURNAMES}][一-鿿]{{1,2}}的(?:一生|作品|小说|小說|散文|文章|文字|文学|写法|笔)"
_JAPANESE = r"[一-鿿]{2,5}(?:さん|氏|先生|様)?の(?:一生|作品|小説|短歌|エッセイ|随筆|世界観|文学)"
_NAMED = re.compile("|".join((_KNOWN, _SAID, _PERSON, _JAPANESE)))


@dataclass(frozen=True)
class NamedStyle(Rule):
    """Decides that a question names no author, work or school, so that whose style an answer has is
    not asked.

    Why it matters: nobody need grade the style of a plain birthday poem, and no mean counts it.
    Decides: "Write a haiku about a railway station." Does not: the same with "in the style of
    Bashō", "как у Чехова", "仿李白". Where a word of style, a title, a capital within a sentence,
    or a Chinese or Japanese name that is known or stands beside a trade, a life or works may name
    one, it leaves the question open, as it does where a required element of the question has such a
    word. Known misses: an author whom few know, named in Chinese or Japanese with nothing that
    tells of a person (left to nobody: state it as a required element), a name at the beginning of a
    sentence that owns nothing there.
    """

    version: ClassVar[str] = "2"
    about: ClassVar[str] = "The question names an author, a work or a school."
    default_scale: ClassVar[Scale] = YES_NO
    closes: ClassVar[str] = "not_applicable"

    def grade(self, subject: Subject, criterion: Criterion) -> Mark:
        if refused := refusal(subject):
            return refused
        asked = "\n".join(
            (
                subject.question.text[:_READ],
                *(element[:300] for element in subject.question.must_have[:50]),
            )
        )
        names = [
            found.group()
            for found in _CAPITAL.finditer(asked)
            if not _NO_NAME.fullmatch(found.group())
        ]
        if (
            _STYLE.search(asked)
            or _TITLE.search(asked)
            or names
            or _OWNER.search(asked)
            or _may_name(asked)
        ):
            return Mark.unscored("not_decisive", say("maybe"))
        return Mark.unscored("not_applicable", say("no_name"))


def _may_name(text: str) -> bool:
    """Whether a text in Chinese or Japanese may name somebody who writes, a work or a school."""
    return _NAMED.search(text) is not None
