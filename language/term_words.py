"""Word lists of the analyser: words that carry no topic, and the names of months."""

_STOP_WORDS = """
    a an the and or but if then else of to in on at by for with about into from up down out over under
    is am are was were be been being do does did doing done have has had having
    i me my mine we us our you your yours he him his she her hers it its they them their
    this that these those there here what which who whom whose when where why how
    no nor not so than too very can could will would shall should may might must just also
    s t d ll m re ve don didn doesn isn aren wasn weren won wouldn couldn shouldn
"""
ENGLISH_STOP_WORDS = frozenset(_STOP_WORDS.split())

CHINESE_FILLERS = frozenset("的了吗呢啊呀吧么嘛哦噢是在和与及也都就还有其之这那什哪怎几多少来着啥")

MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan",
            "february feb",
            "march",
            "april apr",
            "",
            "june jun",
            "july jul",
            "august aug",
            "september sep sept",
            "october oct",
            "november nov",
            "december dec",
        ),
        start=1,
    )
    for name in names.split()
}
"""English month names by number; ``may`` is left out because it is mostly a verb and needs its neighbours."""
