"""Letters that are not Latin and look as if they were, and letters that cannot be seen."""

_ALIKE = {
    "a": "АаΑαɑᴀꓮᎪᗩ",
    "b": "ВвΒʙꓐᏴᗷ",
    "c": "СсϹϲᴄꓚᏟᑕ",
    "d": "Ԁԁᴅꓓ\u13a0ᗪđĐðÐ",
    "e": "ЕеΕεєЄɛᴇꓰᎬ",
    "f": "ꜰꓝϜƒᖴ",
    "g": "ɡɢꓖᏀ",
    "h": "НнһΗʜꓧᎻ",
    "i": "ІіΙιıɩɪꓲӀᎥᛁ",
    "j": "Јјᴊꓙ",
    "k": "КкΚκᴋꓗ",
    "l": "ʟꓡᏞᒪłŁ",
    "m": "МмΜᴍꓟᎷ",
    "n": "Νηոɴꓠᑎ",
    "o": "ОоΟοօᴏꓳøØ",
    "p": "РрΡρᴘꓑᏢ",
    "q": "ԛԚ",
    "r": "ʀꓣᎡ",
    "s": "ЅѕՏꜱꓢᏚᔕ",
    "t": "ТтΤτᴛꓔᎢ",
    "u": "υսՍᴜꓴᑌ",
    "v": "νѵᴠꓦᏙ",
    "w": "ԝԜᴡꓪᏔ",
    "x": "ХхΧχꓫ",
    "y": "УуΥγʏꓬ",
    "z": "Ζᴢꓜ",
}
_BLOCKS = (0x1F150, 0x1F170, 0x1F1E6)
"""Where the letters A to Z stand in circles, in squares, and as halves of flags; the plain forms can be decomposed."""

LOOKALIKES = {ord(each): letter for letter, others in _ALIKE.items() for each in others} | {
    first + place: chr(ord("a") + place) for first in _BLOCKS for place in range(26)
}
"""Code point → the Latin letter, in lower case, that a reader takes it for."""

FILLERS = frozenset("\u115f\u1160\u3164\uffa0\u2800")
"""Letters by their category that show nothing."""

STANDING_IN = {"a": "a4@", "e": "e3", "i": "i1l!|", "l": "l1|", "o": "o0", "s": "s5$"}
"""Latin letter → what is written for it with a wink."""
