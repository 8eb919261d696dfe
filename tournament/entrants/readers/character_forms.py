"""Other shapes of the letters of a name, each as the one that names are compared in: what a reader takes for the same.

For comparing published words with names alone; what is stored, shown or found by search is not changed by it.
"""

from tournament.entrants.readers.simplified import SIMPLIFIED_CHARACTER_PAIRS

# Simplified or older characters that stand in names of Hong Kong, and the traditional one of each, in pairs.
NAME_CHARACTER_FORMS = """
陈陳张張黄黃吴吳刘劉赵趙杨楊叶葉郑鄭邓鄧冯馮谢謝许許罗羅苏蘇卢盧钟鍾鐘鍾谭譚陆陸邹鄒汤湯欧歐阳陽关關韦韋严嚴贺賀顾顧龚龔
万萬钱錢孙孫马馬庄莊区區吕呂简簡麦麥蒋蔣贾賈骆駱阎閻闫閆颜顏鲍鮑鲁魯龙龍赖賴庞龐聂聶连連丽麗华華国國荣榮伟偉杰傑强強灵靈
凤鳳宝寶贝貝庆慶宁寧诗詩颖穎晓曉乐樂乔喬娇嬌婵嬋娴嫻静靜莹瑩恒恆轩軒辉輝锋鋒铭銘钧鈞锦錦键鍵银銀鸿鴻鹏鵬鹤鶴宪憲权權维維
绮綺纯純绍紹缘緣纪紀红紅经經韵韻颂頌顺順风風飞飛兴興学學坚堅尧堯岚嵐广廣义義礼禮祯禎祎禕谦謙诚誠诺諾谊誼贤賢赞贊达達进進
远遠运運逊遜泽澤洁潔涛濤润潤渊淵滢瀅灿燦炜煒炼煉爱愛玮瑋琼瓊瑶瑤珑瓏笃篤彦彥发發云雲东東亿億仪儀伦倫俪儷兰蘭凯凱刚剛剑劍
劲勁励勵咏詠圣聖壮壯声聲实實宽寬岭嶺帜幟应應恺愷悦悅愿願时時显顯晔曄晖暉柠檸栋棟桦樺梦夢欢歡济濟湾灣烨燁焕煥献獻现現画畫
确確积積稳穩竞競笔筆联聯胜勝艺藝芦蘆苇葦莲蓮萝蘿蓝藍蔼藹蕴蘊见見觉覺记記识識语語说說説說贞貞贵貴资資赐賜跃躍车車轶軼迈邁
还還钰鈺铃鈴铁鐵镇鎮镜鏡长長门門闻聞隽雋鸣鳴齐齊龄齡卫衛启啟啓啟听聽冲衝决決净淨凉涼丰豐团團园園书書头頭对對个個会會业業
优優传傳儿兒众眾创創务務动動协協卖賣双雙图圖场場处處备備复復妇婦层層岁歲带帶师師归歸录錄总總护護报報拥擁择擇揽攬数數断斷
旧舊术術机機来來条條极極构構标標树樹样樣档檔桥橋检檢毕畢汉漢汇匯沪滬泪淚满滿热熱独獨玛瑪环環电電盖蓋种種称稱纬緯纲綱纳納
纷紛线線练練细細终終结結给給绘繪统統继繼绩績续續绿綠网網职職节節荐薦药藥获獲虑慮补補规規视視览覽计計认認让讓训訓议議讯訊
论論设設访訪证證评評词詞译譯试試详詳课課谁誰调調谈談质質负負财財责責货貨贸貿费費过過选選适適释釋里裏钢鋼铜銅问問间間阶階
际際难難雾霧韩韓页頁项項须須领領题題额額驰馳骏駿鱼魚鸟鳥鹰鷹眞真靑青淸清﨑崎戶户徳德恵惠桜櫻樱櫻沢澤辺邊边邊斎齋斋齋渋澀
歩步涩澀
"""
# By case, since some look like another letter as capitals: Cyrillic, Greek, small capitals, letters with a stroke.
LATIN_LOOKALIKES = (
    ("АВЕЅІЈКМНОРСТУХҮԌԚԜавеѕіјкмнорстухүһԁԛԝӏѵ", "ABESIJKMHOPCTYXYGQWabesijkmhopctyxyhdqwlv"),
    ("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧαβεζηικμνορτυχ", "ABEZHIKMNOPTYXabezhikmnoptyx"),
    ("ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ", "abcdefghijklmnoprstuvwyz"),
    ("ĐđŁłØøĦħŦŧıɑɡ", "ddllOohhttiag"),
)
# Letters on a dark disc or square, and those of flags: 26 of each.
PICTURED_LETTER_STARTS = (0x1F150, 0x1F170, 0x1F1E6)
KATAKANA_START, HIRAGANA_START, KANA_COUNT = 0x30A1, 0x3041, 86


def characters_of_pairs() -> dict[int, str]:
    """Each other shape and its traditional character."""
    row = "".join((SIMPLIFIED_CHARACTER_PAIRS + NAME_CHARACTER_FORMS).split())
    return {ord(row[place]): row[place + 1] for place in range(0, len(row), 2)}


def letters_of_alphabets() -> dict[int, str]:
    """Each letter that looks like one of the Latin alphabet."""
    made = {ord(one): latin for others, letters in LATIN_LOOKALIKES for one, latin in zip(others, letters, strict=True)}
    made |= {first + place: chr(ord("a") + place) for first in PICTURED_LETTER_STARTS for place in range(26)}
    made |= {KATAKANA_START + place: chr(HIRAGANA_START + place) for place in range(KANA_COUNT)}
    return made | {ord("æ"): "ae", ord("Æ"): "ae", ord("œ"): "oe", ord("Œ"): "oe"}


TRADITIONAL_CHARACTERS, LATIN_LETTERS = characters_of_pairs(), letters_of_alphabets()
