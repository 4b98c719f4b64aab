// Made by graders/web/unseen.py from graders/core/hidden.py.
export const SIGNS = {
  "invisible":
    "\u0001-\b\u000e-\u001f\u007f-\u0084\u0086-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-" +
    "\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb" +
    "\ud82f\udca0-\ud82f\udca3\ud834\udd73-\ud834\udd7a\udb40\udc00-\udb43\udfff",
  "pattern":
    "(^\ufeff|(?<=\ud83c\udff4)(?:\udb40\udc67\udb40\udc62\udb40\udc65\udb40\udc6e\udb40\udc67|\udb40" +
    "\udc67\udb40\udc62\udb40\udc73\udb40\udc63\udb40\udc74|\udb40\udc67\udb40\udc62\udb40\udc77\udb40" +
    "\udc6c\udb40\udc73)\udb40\udc7f(?![\u0001-\b\u000e-\u001f\u007f-\u0084\u0086-\u009f\u00ad\u034f" +
    "\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufe00" +
    "-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ud82f\udca0-\ud82f\udca3\ud834\udd73-\ud834\udd7a\udb40\udc00-" +
    "\udb43\udfff])|(?<=[^\\s\u0001-\b\u000e-\u001f\u007f-\u0084\u0086-\u009f\u00ad\u034f\u061c\u115f" +
    "\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f" +
    "\ufeff\uffa0\ufff0-\ufffb\ud82f\udca0-\ud82f\udca3\ud834\udd73-\ud834\udd7a\udb40\udc00-\udb43\udfff" +
    "A-Za-z\u00aa\u00ba\u00c0-\u024f\u0370-\u058f])[\ufe00-\ufe0f](?=[^\ufe00-\ufe0f\udb40\udd00-\udb40" +
    "\uddef]|$)|(?<=[\u3400-\u9fff\uf900-\ufaff\ud840\udc00-\ud888\udfaf])[\udb40\udd00-\udb40\udd1f](?![" +
    "\u0001-\b\u000e-\u001f\u007f-\u0084\u0086-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-" +
    "\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb" +
    "\ud82f\udca0-\ud82f\udca3\ud834\udd73-\ud834\udd7a\udb40\udc00-\udb43\udfff])|(?<=[\u2190-\u2bff" +
    "\ufe0f\ud83c\udc00-\ud83e\udeff\udb40\udc7f])\u200d(?=[\u2190-\u2bff\ud83c\udc00-\ud83e\udeff])|(?<=" +
    "[\u0600-\u061b\u061d-\u08ff\u0900-\u0dff\u0f00-\u109f\u1780-\u17b3\u17b6-\u17ff\u1820-\u18af\ua8e0-" +
    "\ua8ff\ufb50-\ufdff\ufe70-\ufefc])[\u200c\u200d](?![\u0001-\b\u000e-\u001f\u007f-\u0084\u0086-\u009f" +
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800" +
    "\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ud82f\udca0-\ud82f\udca3\ud834\udd73-\ud834\udd7a\udb40" +
    "\udc00-\udb43\udfff])|(?<![\u0001-\b\u000e-\u001f\u007f-\u0084\u0086-\u009f\u00ad\u034f\u061c\u115f" +
    "\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f" +
    "\ufeff\uffa0\ufff0-\ufffb\ud82f\udca0-\ud82f\udca3\ud834\udd73-\ud834\udd7a\udb40\udc00-\udb43\udfff" +
    "])[\u200c\u200d](?=[\u0600-\u061b\u061d-\u08ff\u0900-\u0dff\u0f00-\u109f\u1780-\u17b3\u17b6-\u17ff" +
    "\u1820-\u18af\ua8e0-\ua8ff\ufb50-\ufdff\ufe70-\ufefc])|(?<=[\u0e00-\u0fff\u1000-\u109f\u1780-\u17b3" +
    "\u17b6-\u17ff\u1950-\u1aaf])\u200b(?=[\u0e00-\u0fff\u1000-\u109f\u1780-\u17b3\u17b6-\u17ff\u1950-" +
    "\u1aaf])|(?<=[A-Za-z\u00aa\u00ba\u00c0-\u024f\u0370-\u058f][A-Za-z\u00aa\u00ba\u00c0-\u024f\u0370-" +
    "\u058f])\u00ad(?=[A-Za-z\u00aa\u00ba\u00c0-\u024f\u0370-\u058f][A-Za-z\u00aa\u00ba\u00c0-\u024f" +
    "\u0370-\u058f])|(?<=[^\\s\u0001-\b\u000e-\u001f\u007f-\u0084\u0086-\u009f\u00ad\u034f\u061c\u115f" +
    "\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f" +
    "\ufeff\uffa0\ufff0-\ufffb\ud82f\udca0-\ud82f\udca3\ud834\udd73-\ud834\udd7a\udb40\udc00-\udb43\udfff" +
    "])[\u2061-\u2064](?=[^\\s\u0001-\b\u000e-\u001f\u007f-\u0084\u0086-\u009f\u00ad\u034f\u061c\u115f" +
    "\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f" +
    "\ufeff\uffa0\ufff0-\ufffb\ud82f\udca0-\ud82f\udca3\ud834\udd73-\ud834\udd7a\udb40\udc00-\udb43\udfff" +
    "])|(?<=[\u1820-\u18aa])[\u180b-\u180f](?=[\u1820-\u18aa\\s]|$)|(?<=[\u1780-\u17a2])[\u17b4\u17b5]|(?" +
    "<=[\u1100-\u115e])\u1160|\u115f(?=[\u1160-\u11a7])|\u034f(?=[\u0300-\u036f\u0591-\u05c7]))|[\u0001-" +
    "\b\u000e-\u001f\u007f-\u0084\u0086-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f" +
    "\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ud82f" +
    "\udca0-\ud82f\udca3\ud834\udd73-\ud834\udd7a\udb40\udc00-\udb43\udfff]+",
  "quiet": [
    [
      "^[\u061c\u200e\u200f\u202a-\u202c\u2066-\u2069]{1,2}$",
      "[\u05d0-\u06ff\u0710-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]"
    ],
    [
      "^\u2800+$",
      "[\u2801-\u28ff]"
    ]
  ],
  "names": {
    "\u00ad": "soft hyphen",
    "\u034f": "combining grapheme joiner",
    "\u061c": "arabic letter mark",
    "\u115f": "Hangul filler",
    "\u1160": "Hangul filler",
    "\u17b4": "khmer vowel inherent aq",
    "\u17b5": "khmer vowel inherent aa",
    "\u180b": "mongolian free variation selector one",
    "\u180c": "mongolian free variation selector two",
    "\u180d": "mongolian free variation selector three",
    "\u180e": "mongolian vowel separator",
    "\u180f": "mongolian free variation selector four",
    "\u200b": "zero-width space",
    "\u200c": "zero width non-joiner",
    "\u200d": "zero width joiner",
    "\u200e": "left-to-right mark",
    "\u200f": "right-to-left mark",
    "\u202a": "left-to-right embedding",
    "\u202b": "right-to-left embedding",
    "\u202c": "pop directional formatting",
    "\u202d": "left-to-right override",
    "\u202e": "right-to-left override",
    "\u2060": "word joiner",
    "\u2061": "function application",
    "\u2062": "invisible times",
    "\u2063": "invisible separator",
    "\u2064": "invisible plus",
    "\u2066": "left-to-right isolate",
    "\u2067": "right-to-left isolate",
    "\u2068": "first strong isolate",
    "\u2069": "pop directional isolate",
    "\u206a": "inhibit symmetric swapping",
    "\u206b": "activate symmetric swapping",
    "\u206c": "inhibit arabic form shaping",
    "\u206d": "activate arabic form shaping",
    "\u206e": "national digit shapes",
    "\u206f": "nominal digit shapes",
    "\u2800": "blank Braille pattern",
    "\u3164": "Hangul filler",
    "\ufeff": "byte order mark",
    "\uffa0": "Hangul filler",
    "\ufff9": "interlinear annotation anchor",
    "\ufffa": "interlinear annotation separator",
    "\ufffb": "interlinear annotation terminator",
    "\ud82f\udca0": "shorthand format letter overlap",
    "\ud82f\udca1": "shorthand format continuing overlap",
    "\ud82f\udca2": "shorthand format down step",
    "\ud82f\udca3": "shorthand format up step",
    "\ud834\udd73": "musical symbol begin beam",
    "\ud834\udd74": "musical symbol end beam",
    "\ud834\udd75": "musical symbol begin tie",
    "\ud834\udd76": "musical symbol end tie",
    "\ud834\udd77": "musical symbol begin slur",
    "\ud834\udd78": "musical symbol end slur",
    "\ud834\udd79": "musical symbol begin phrase",
    "\ud834\udd7a": "musical symbol end phrase"
  },
  "most": 20,
  "most_read": 2000,
  "names_shown": 4
};
