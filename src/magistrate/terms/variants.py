"""Traditional and simplified Chinese characters: the frequent ones that tell a text of one from a text of the other."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["chinese_variant"]

_PAIRS: Final = """
    國国 這这 個个 來来 時时 們们 說说 學学 會会 為为 對对 發发 經经 與与 過过 後后 還还 從从 實实 開开 關关 東东
    車车 長长 門门 問问 間间 見见 現现 點点 機机 電电 話话 動动 員员 業业 應应 無无 樣样 當当 產产 種种 體体 書书
    讓让 認认 識识 題题 樂乐 處处 親亲 頭头 錢钱 買买 賣卖 萬万 億亿 報报 場场 區区 華华 義义 議议 論论 誰谁 請请
    謝谢 證证 調调 談谈 計计 設设 訪访 許许 該该 語语 誤误 讀读 變变 貝贝 財财 貨货 費费 資资 賽赛 質质 轉转 輕轻
    辦办 邊边 遠远 運运 達达 選选 適适 連连 進进 醫医 針针 銀银 鐵铁 陽阳 陸陆 隊队 際际 難难 雲云 雙双 離离 風风
    飛飞 館馆 馬马 魚鱼 鳥鸟 麥麦 黃黄 齊齐 龍龙 歲岁 歷历 殺杀 氣气 漢汉 滿满 準准 溫温 滅灭 濟济 災灾 燈灯 爭争
    爾尔 獨独 獲获 環环 畫画 異异 療疗 監监 盤盘 確确 禮礼 積积 窮穷 節节 築筑 範范 簡简 糧粮 紀纪 約约 紅红 級级
    細细 終终 組组 結结 給给 統统 絕绝 網网 維维 綠绿 線线 編编 練练 縣县 總总 繼继 續续 罰罚 習习 聯联 聲声 聽听
    職职 腦脑 臨临 舉举 舊旧 艦舰 藝艺 藥药 蘇苏 術术 衛卫 裝装 製制 複复 規规 視视 覺觉 觀观 將将 專专 導导 層层
    島岛 師师 帶带 廣广 庫库 廠厂 張张 強强 彈弹 徑径 復复 愛爱 態态 慶庆 憲宪 戰战 戲戏 據据 擊击 擔担 擁拥 敵敌
    數数 斷断 條条 極极 構构
""".split()
_TRADITIONAL: Final = re.compile(f"[{''.join(pair[0] for pair in _PAIRS)}]")
_SIMPLIFIED: Final = re.compile(f"[{''.join({pair[1] for pair in _PAIRS} - {'后', '云', '范', '制', '准', '复'})}]")
_ENOUGH: Final = 2
_AHEAD: Final = 3


def chinese_variant(text: str) -> str | None:
    """Whether a Chinese text is written in traditional or simplified characters.

    Args:
        text: A Chinese text.

    Returns:
        "hant", "hans", or None where the text shows neither clearly.
    """
    traditional = len(_TRADITIONAL.findall(text))
    simplified = len(_SIMPLIFIED.findall(text))
    if max(traditional, simplified) < _ENOUGH:
        return None
    if traditional >= _AHEAD * simplified:
        return "hant"
    return "hans" if simplified >= _AHEAD * traditional else None
