"""The Chinese extraction table, continued: what began, what ended, and how the days of a life run."""

from memory.rules import chinese_words as words
from memory.rules.chinese_syntax import place, row, work

_PLACE_OF_WORK = (
    r"(?:出版社|报社|旅行社|事务所|公司|书店|花店|饭店|酒店|茶馆|餐厅|咖啡馆|咖啡店|奶茶店|便利店|药店|超市|商场|工厂|[厂店铺社]|医院"
    r"|诊所|法院|研究院|设计院|学校|小学|中学|大学|幼儿园|培训班|机构|研究所|派出所|银行|邮局|税务局|机关|机场|地铁站|电视台|图书馆"
    r"|博物馆|体育馆|健身房|工作室|工地|农场|集团|单位|物流园|仓库|数据中心)"
)
_KIND_OF_WORK = (
    r"(?:校对|财务|会计|行政|后勤|人事|前台|运维|开发|后端|前端|文员|采购|销售|出纳|质检|收银|保洁|护理|编辑|客服|仓管|店员|测试"
    r"|设计|算法|嵌入式|研发|实习|兼职|翻译|培训|教研|文秘|法务|审计|品控|调度|化验|安保|保安|运营|策划|推广|管理|维修|服务员|厨师)"
)
_WEEK = (
    r"(?:每?(?:周|星期|礼拜)[一二三四五六日天末](?:[、和到至][一二三四五六日天])*"
    r"|每个?周末|每晚|每天(?:早上|晚上)?|工作日)"
)

HOME = (
    place(
        "lives_in",
        r"@adverbs(?:搬|迁)(?:回|来|进|去|到)了?@object",
        "搬到了{object}，住在{object}",
        changes=True,
    ),
    place(
        "lives_in",
        r"@adverbs(?:在|于)(?P<object>[\u4e00-\u9fff]{2,10}?)(?:租|买|合租)(?:了|的|着|下)?(?:一?[个套间栋])?"
        r"[^，。]{0,4}?(?:房子?|公寓|单间|屋|新房)",
        "住在{object}",
    ),
    place(
        "lives_in",
        r"@adverbs在(?P<object>[\u4e00-\u9fff]{2,8}?)(?:住下来?了|安了家|安家了?|落脚|定居|落户)",
        "住在{object}",
    ),
    place(
        "lives_in",
        r"@adverbs(?P<not>从)(?P<object>[\u4e00-\u9fff]{2,8}?)搬(?:走|出来|出去)",
        "住在{object}",
        "不住在{object}",
    ),
)

WORK = (
    work(
        "side_job",
        rf"@adverbs在(?P<object>[^，。在]{{0,14}}?{_PLACE_OF_WORK})里?(?:做|干)?(?:兼职|副业)",
        "在{object}兼职",
    ),
    work(
        "works_at",
        rf"@adverbs在(?P<object>[^，。在]{{0,14}}?{_PLACE_OF_WORK})里?(?:上班|工作|打工|干活|做事|任职|当|教|值班|做[^，。]{{0,6}}?"
        rf"{_KIND_OF_WORK}|写(?:代码|程序|嵌入式)|搞[^，。]{{1,6}}@end|管[^，。]{{1,6}}@end)",
        "在{object}工作",
    ),
    work(
        "works_at",
        rf"@adverbs在(?P<object>[^，。在]{{2,12}}?)(?:做|搞|干|负责)[^，。]{{0,6}}?{_KIND_OF_WORK}@end",
        "在{object}工作",
        fits=words.employer,
    ),
    work(
        "works_at",
        rf"@adverbs(?:调|换|转)(?:到|去|进|来)了?(?P<object>[^，。]{{0,10}}?(?:{_PLACE_OF_WORK}|部门?|中心|组|科室?|项目))@end",
        "在{object}工作",
        changes=True,
    ),
    work(
        "does_work",
        r"@adverbs(?:就)?是(?P<object>(?:教|开|卖|跑|搞|做|修|种|养|画|写|弄|干)[^，。的]{1,6})的@end",
        "是{object}的",
        fits=words.trade,
    ),
    work(
        "does_work",
        r"@adverbs(?P<object>(?:教|开|卖|跑|修|种|搞)[^，。的了]{1,4})的@end",
        "是{object}的",
        fits=words.trade,
    ),
    work("job", r"@adverbs(?:升|提拔?)(?:了|为|成|任|职?做)(?P<object>@job)@end", "是{object}", changes=True),
    work(
        "job",
        r"@adverbs(?:转行|改行|转岗)(?:去)?(?:做|当|干|到)(?:了)?(?P<object>[^，。了]{2,10})",
        "是{object}",
        changes=True,
    ),
    work("responsible_for", r"@adverbs(?:负责|主管|分管)(?P<object>[\u4e00-\u9fffA-Za-z]{2,10})@end", "负责{object}"),
    row(
        "owns",
        r"@adverbs(?P<object>(?:在[^，。]{2,10}?)?(?:又|也|刚|还)*开了(?:一|两|三)?(?:家|间|个)[^，。]{0,4}?"
        r"(?:店|铺|馆|公司|厂|工作室|诊所|餐厅|民宿))",
        "{object}",
        category="work",
    ),
    row(
        "studies",
        r"@adverbs(?:在)?(?:上|读|念)(?:了)?(?P<object>幼儿园(?:[大中小]班)?|[小初高大研][一二三四五六]|小学[一二三四五六]年级|初中|高中|大学|研究生)@end",
        "在读{object}",
        category="work",
        changes=True,
    ),
    row(
        "studies",
        r"@adverbs(?:在[^，。]{2,10}?)?(?:改学|学的是|转学|转到|改读|读的是|读)(?:了)?(?P<object>法律|医|会计|金融|计算机|英语|数学|护理|[\u4e00-\u9fff]{2,6}(?:学|专业|工程|系))@end",
        "学{object}",
        category="work",
        changes=True,
    ),
    row(
        "schedule",
        r"@adverbs(?P<object>(?:请|休|放|修)?(?:产假|年假|病假|婚假|假)(?:休|请|放)?(?:一直)?到@time[^，。]{0,3})",
        "{object}",
        category="work",
        keeps_time=True,
    ),
)

DAYS = (
    row(
        "habit",
        rf"@still(?P<object>{_WEEK}(?:都)?[在去上练跑学打跳教做][^，。]{{1,16}})",
        "{object}",
        category="habits",
        fits=words.action,
        keeps_time=True,
    ),
    row(
        "commutes_by",
        r"@adverbs(?:改|换)?(?P<object>(?:坐|骑|开|搭|乘)[^，。]{1,6}(?=上下?班|上学|去公司|去单位|通勤))",
        "{object}上班",
        category="habits",
        changes=True,
    ),
    row(
        "car",
        r"@adverbs(?:把车|车)?(?:换|买|提|开)(?:了|成了?|的是)(?:一?[辆台])?(?P<object>特斯拉|比亚迪|蔚来|小鹏|理想|宝马|奔驰|奥迪|大众|丰田|本田|五菱|沃尔沃|[\u4e00-\u9fffA-Z0-9]{0,6}(?:新能源|电动|越野|轿|跑)车)",
        "的车是{object}",
        category="possessions",
        changes=True,
    ),
    row(
        "phone_model",
        r"@adverbs(?:把?手机)?(?:换|买|用)(?:了|成了?|的是|上了?)(?:一?[部台])?(?:新)?(?P<object>(?:苹果|华为|小米|三星|荣耀|vivo|OPPO|iPhone)\s?[A-Za-z0-9]*|[\u4e00-\u9fffA-Za-z0-9]{1,8}手机)",
        "的手机是{object}",
        category="possessions",
        changes=True,
    ),
    row(
        "has_pet",
        r"@adverbs(?:捡|领|买|抱|接|带|救)(?:了|回了?|养了)(?:来)?(?P<object>(?:[一两二三\d][只条匹个]|只|条)[\u4e00-\u9fff]{0,4}?@pet)",
        "养了{object}",
        category="pets",
    ),
    row(
        "spouse",
        r"(?:已经|都)?(?:和|跟|与)(?P<object>[\u4e00-\u9fff]{2,3}?)(?:@adverbs)(?:结婚|领证|成家)了",
        "和{object}结婚了",
        category="family",
        fits=words.name,
        item_type="relation",
    ),
)

ROWS = (*WORK, *HOME, *DAYS)
