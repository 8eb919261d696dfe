"""What made-up Hong Kong entrants are made of: characters with their romanisation, names without Chinese, schools."""

SURNAMES = (
    "陳 CHAN;李 LEE;黃 WONG;張 CHEUNG;林 LAM;何 HO;吳 NG;劉 LAU;梁 LEUNG;鄭 CHENG;王 WONG;周 CHOW;蔡 CHOI;"
    "鄧 TANG;許 HUI;葉 YIP;馬 MA;羅 LAW;徐 TSUI;朱 CHU;馮 FUNG;鄺 KWONG;關 KWAN;余 YU;温 WAN;曹 TSO;"
    "衞 WAI;歐陽 AU YEUNG;司徒 SZETO;譚 TAM;蘇 SO;潘 POON;袁 YUEN;彭 PANG;杜 TO;簡 KAN;麥 MAK;龔 KUNG;冼 SIN"
)
GIVEN_NAMES = (
    "家 Ka;俊 Chun;詠 Wing;欣 Yan;嘉 Ka;文 Man;敏 Man;怡 Yi;峯 Fung;軒 Hin;朗 Long;晴 Ching;彤 Tung;"
    "樂 Lok;希 Hei;穎 Wing;琳 Lam;芷 Tsz;子 Tsz;浩 Ho;然 Yin;栢 Pak;喬 Kiu;羣 Kwan;美 Mei;玲 Ling;"
    "偉 Wai;強 Keung;國 Kwok;華 Wah;麗 Lai;珍 Chun;志 Chi;明 Ming;健 Kin;思 Sze;𤧬 Yui;𨋢 Lip;𠮷 Kat;"
    "堃 Kwan;喆 Chit;叡 Yui;晞 Hei;㷫 Hing;曦 Hei;灝 Ho;熙 Hei;瑤 Yiu;恩 Yan;諾 Nok;謙 Him;蕎 Kiu;"
    "妤 Yu;鋒 Fung;衞 Wai;裏 Lui;峰 Fung;鈞 Kwan;霖 Lam;雪 Suet;慧 Wai;翹 Kiu;昕 Yan;懿 Yi"
)
CHRISTIAN_NAMES = ("Peter", "Amy", "Jason", "Chloe", "Hailey", "Kelvin", "Marcus", "Yoyo", "Anson", "Fiona")

# English name, and the Chinese one where there is one: no surname, an apostrophe, a hyphen, a middle dot.
UNUSUAL_NAMES = (
    ("D'SOUZA Maria", ""),
    ("O'BRIEN Sinéad", ""),
    ("SMITH-JONES Oliver", ""),
    ("KHAN Aamir", "阿米爾·汗"),
    ("SUKARNI", ""),
    ("THIRI", ""),
    ("SINGH Gurpreet", "星國培"),
    ("DELA CRUZ Ma. Cristina", ""),
    ("GURUNG Bishal", "古榮·比沙"),
    ("MÜLLER-WONG Leon", "黃禮安"),
    ("NGUYỄN Thị Mai", "阮氏梅"),
    ("LE GUIN Ursula", ""),
    ("M'BAYE Aminata", ""),
    ("SITI Nurhaliza", ""),
    ("CHAN", "陳喆"),
    ("TANAKA Yui", "田中結衣"),
    ("KAT Wing Yan", "𠮷詠欣"),
)

PRIMARY_SCHOOLS = (
    "白田小學",
    "荃灣晨曦小學",
    "彩虹道幼稚園暨小學",
    "聖瑪嘉烈女子小學",
    "青衣海濱學校",
    "屯門翠峯小學",
    "Lantau Bay International School",
)
SECONDARY_SCHOOLS = (
    "葵盛中學",
    "沙田衞理書院（模擬）",
    "元朗羣英書院",
    "觀塘明德中學",
    "將軍澳濱海書院",
    "Harbour Hill College",
)
UNIVERSITIES = ("香江理工大學", "新界人文大學", "九龍職業訓練學院")
TEACHERS_SCHOOLS = ("晨光幼稚園（教師）", "小樹苗幼稚園（教師）", "白田小學（教師）")


def character_pairs(text: str) -> list[tuple[str, str]]:
    """`陳 CHAN;李 LEE` as pairs of character and romanisation."""
    return [(character, roman) for character, _, roman in (entry.partition(" ") for entry in text.split(";"))]
