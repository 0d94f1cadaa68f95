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

_COMMON = """
    one two three four say said got get like love hate want need now um uh oh off all onli pleas year month week day
    last first sinc never go goe gone take back old know time live im rememb ca after again everi ani more thing call
    still ask told make name use put let right befor bit work move keep note left stop realli much mani feel think good
    new
    那个 不是 现在 我们 是我 我是 给我 这个 一个 一下 帮我 个月 的那 不能 就是 不要 我不 本人 自己 的是 的事 我的 记得
    怎么 我就 什么 不用 我在 跟我 知道 我说 以后 都不 说我 下来 了吧 我跟 把我 来了 了一 时候 要是 我家 可以 我这 没有
    跟你 喜欢 我喜 不喜 今年 每天 已经
"""
COMMON_WORDS = frozenset(_COMMON.split())
"""Stems and pairs of characters that statements of all sorts have in common: sharing them tells nothing."""
