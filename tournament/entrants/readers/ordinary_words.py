"""Names that everybody writes without meaning anybody, and words beside a guardian's name that are none of it."""

import re

ORDINARY_CHINESE_WORDS = """
任何 何時 何地 何人 安全 安排 高興 高度 高級 成功 成績 成為 成人 成員 方法 方向 方式 方便 文件 文明 文化 平安 平均 平等
時間 全部 全場 金額 金牌 萬一 程序 程度 危險 溫暖 溫度 水平 水準 常見 明白 明日 明天 關於 關注 周日 周年 周末 和平 和局
同時 連同 白天 黃色 黑色 路線 海報 車費 解決 應該 計分 計算 辛苦 家長 馬上 白色 紅色 藍色 黃金 石頭 田徑 游泳 童年 項目
易學 于是 向來 終於 司機 管理 許多 許可 任務 任意 安靜 安心 連續 包括 曾經 周一 周二 周三 周四 周五 周六 高空 高溫 文字
金錢 程式 方面 成果 成立 平手 平日 常常 盛況 時刻 時候 向上 管制 陸續 關閉 關係 雷暴 雲層 章程 凌晨 簡單 簡介 車站 司儀
左右 左邊 冷氣 海外 石級 馬路 龍舟 白板 黑板 紅牌 黃牌 黃昏 黃雨 黑雨 紅雨 金色 水牌 別人 樂隊 樂意 游戲 麻雀
花費 古典
"""
ORDINARY_ENGLISH_WORDS = """
a an and as at be but by can chance day do down fair fun game go gold good grace he her him his hope ice in is it joy
king lee long lot love man may me men more no noble now on or our out own page per play rose see she sign sing so son
song star sun the them then they time to too tong two up us wan was we well who will win wing wise with won woo yes you
young your bright brave lucky grand prize west east north south hill wood park
"""
# Given names that sound like one syllable of Cantonese; WORDS_ALONE are words or months as often.
SHORT_ENGLISH_NAMES = """
ann bea ben cat chia coen dan dean dion don fay fion gia gina guy hana ian jan jay jean jen jim joan joey jon joy
juan kai kat kaia kay ken kia kim kit leah leo leon lia liam lou mae mai max may mia miu moon nat neo nia noah pat pia
rae ray rin ron roy ruan sam sean sia sue suki tia tim tom von yan yui yuna zen zoe zoey
"""
WORDS_ALONE = frozenset(("cat", "don", "guy", "jan", "kit", "max", "moon", "pat", "von", "ray"))
WORDS_ZH, WORDS_EN = frozenset(ORDINARY_CHINESE_WORDS.split()), frozenset(ORDINARY_ENGLISH_WORDS.split())
NAMES_EN = frozenset(SHORT_ENGLISH_NAMES.split())
PERSON_TITLES = frozenset(
    ("mr", "mrs", "ms", "miss", "mdm", "madam", "dr", "mother", "father", "mum", "mom", "dad", "parent", "guardian")
)
RELATION_PATTERN = re.compile(
    "先生|太太|女士|小姐|媽媽|爸爸|父親|母親|家長|監護人|祖父|祖母|外婆|外公|嫲嫲|爺爺|婆婆|公公|姑媽|阿姨|父|母|（.*?）"
)
# One character that stands alone as a word: 大、中、小.
ORDINARY_ALONE = frozenset("大中小高低上下左右前後男女甲乙丙丁東南西北紅黃藍綠黑白金銀銅年月日時分人家國")
# Where a given name is surely a word, a day of the calendar, a street or a place.
MONTH_NAME_PATTERN = (
    "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
)
ORDINARY_PHRASE_PATTERN = re.compile(
    r"\b(?:grace period|(?:period|days?|minutes?) of grace|with (?:good )?grace|(?:we|i) hope|hope (?:to|that|you|for)"
    rf"|\d{{1,2}}(?:st|nd|rd|th)?(?: of)? (?:{MONTH_NAME_PATTERN})|(?:{MONTH_NAME_PATTERN}) \d{{1,4}}"
    rf"|(?:in|until|since|before) (?:{MONTH_NAME_PATTERN})"
    r"|tai (?:po|wai|kok tsui|koo|hang|o)|wan chai|sha tin|tin shui wai|man kam to|lok (?:fu|ma chau)|wing on"
    r"|(?:\w+ ){1,3}(?:street|road|lane|avenue|terrace|estate|court|station|centre|building))\b",
    re.IGNORECASE,
)
