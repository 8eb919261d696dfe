"""The icons, drawn on 24 by 24 in strokes of the text's colour. A word always stands beside one."""

JOKER_ICON_PATH = '<circle cx="12" cy="12" r="10"/><path d="M8.6 8.4v1.6M15.4 8.4v1.6M6.8 13.6c1.4 5 9 5 10.4 0"/>'


def icon_stroke_path(path: str) -> str:
    return f'<path d="{path}"/>'


ICONS = {
    "joker": JOKER_ICON_PATH,
    "tick": icon_stroke_path("M4 12.5l5.5 5.5L20 7"),
    "cross": icon_stroke_path("M6 6l12 12M18 6L6 18"),
    "warn": icon_stroke_path("M12 4L2.5 20h19zM12 10v4.5M12 17.2v.3"),
    "info": icon_stroke_path("M12 21a9 9 0 100-18 9 9 0 000 18zM12 11v5.5M12 7.6v.2"),
    "lock": icon_stroke_path("M6 11h12v9H6zM8.5 11V7.5a3.5 3.5 0 017 0V11"),
    "off": icon_stroke_path(
        "M3 9c2-1.8 4.3-3 7-3.4M21 9a14 14 0 00-5-2.9M6.5 13a8 8 0 014-2M17.5 13a8 8 0 00-1.5-1.2M12 18.5v.2M4 3l16 18"
    ),
    "on": icon_stroke_path("M3 9c5-4.6 13-4.6 18 0M6.5 13c3-2.7 8-2.7 11 0M12 18.5v.2"),
    "sound": icon_stroke_path("M4 9.5v5h4l5 4v-13l-5 4zM16.5 9a4.5 4.5 0 010 6M19 6.5a8 8 0 010 11"),
    "hand": icon_stroke_path(
        "M7 12V6.5a1.5 1.5 0 013 0V11M10 11V4.5a1.5 1.5 0 013 0V11M13 11V6a1.5 1.5 0 013 0v7M16 12v-2.5a1.5"
        " 1.5 0 013 0V14c0 4-2.5 7-6.5 7-3.5 0-5-1.5-6.5-4.5L4.2 13.5c-.6-1.3 1-2.5 2-1.5L7 13"
    ),
    "del": icon_stroke_path("M8 6h13v12H8l-6-6zM12 9.5l5 5M17 9.5l-5 5"),
    "find": icon_stroke_path("M10.5 17a6.5 6.5 0 100-13 6.5 6.5 0 000 13zM15.5 15.5L20 20"),
    "left": icon_stroke_path("M15 5l-7 7 7 7"),
    "right": icon_stroke_path("M9 5l7 7-7 7"),
    "person": icon_stroke_path("M12 11.5a4 4 0 100-8 4 4 0 000 8zM4.5 20.5c.8-4.5 4-6 7.5-6s6.7 1.5 7.5 6"),
    "undo": icon_stroke_path("M8 5L4 9l4 4M4 9h10a5.5 5.5 0 010 11h-4"),
    "pause": icon_stroke_path("M8.5 5v14M15.5 5v14"),
    "play": icon_stroke_path("M7 5l11 7-11 7z"),
    "pen": icon_stroke_path("M4 20l1-4.5L16 4.5l3.5 3.5L8.5 19z"),
    "clock": icon_stroke_path("M12 21a9 9 0 100-18 9 9 0 000 18zM12 7v5.5l3.5 2"),
    "print": icon_stroke_path("M7 9V4h10v5M7 17H4v-8h16v8h-3M7 14h10v6H7z"),
    "down": icon_stroke_path("M12 4v11M7 10.5l5 5 5-5M5 20h14"),
    "rain": icon_stroke_path("M7 14a4 4 0 01.5-8 5 5 0 019.3 1.2A3.5 3.5 0 0117 14M8 17l-1 3M12 17l-1 3M16 17l-1 3"),
    "mail": icon_stroke_path("M3 6h18v12H3zM3.5 6.5L12 13l8.5-6.5"),
    "up": icon_stroke_path("M12 16V5M7 9.5l5-5 5 5M5 20h14"),
}
