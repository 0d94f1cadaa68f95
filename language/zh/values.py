"""Chinese values by kind, the surest first: what an earlier pattern has taken is no value of a later one."""

import re

from language.kinds import ValueKind
from language.zh.people import CITIES

_NUMBER = r"(?:\d+(?:[.,]\d+)?|[零〇一二两三四五六七八九十百千万]+)"
_PART = r"(?:上午|下午|早上|早晨|晚上|中午|凌晨|傍晚|夜里|午夜|清晨)"
_UNIT = (
    r"(?:年级|个月|个小时|小时|分钟|公斤|千克|公里|厘米|平米|平方米|毫克|毫升|号线|号楼|号院|单元|百分|岁|斤|块钱|块|元|平|米|楼|层|栋|幢|室|天|周"
    r"|次|杯|口|个|只|条|集|度|页|遍|粒|片|步|里|本|辆|位|名|届|期|站|排|座|分|倍|成|班|组|回|趟|瓶|包|根|年)"
)

VALUES: tuple[tuple[ValueKind, re.Pattern[str]], ...] = (
    ("time", re.compile(rf"(?P<value>{_PART}?(?:{_NUMBER}点(?:半|{_NUMBER}分?|[一三]刻)?|\d{{1,2}}[:：]\d{{2}}))")),
    ("weekday", re.compile(r"(?:周|星期|礼拜)(?P<value>[一二三四五六日天末])(?![岁个])")),
    ("year", re.compile(r"(?P<value>(?:19|20)\d{2}|[一二][九零〇]..)(?=年)")),
    ("month", re.compile(rf"(?<!个)(?P<value>{_NUMBER})(?=月(?!前|内|后))")),
    ("day", re.compile(rf"(?P<value>{_NUMBER})(?=[号日](?![线楼院本]))")),
    ("quantity", re.compile(rf"(?<![第\d.])(?P<value>{_NUMBER})(?P<unit>{_UNIT})")),
    ("number", re.compile(r"(?<![\w.])(?P<value>\d[\d-]*)(?![\d点月号日年])")),
    ("number", re.compile(r"(?P<value>[一二两三四五六七八九]?[千百万][零一二三四五六七八九十百千万]+)")),
    ("name", re.compile(rf"(?P<value>{CITIES})(?!菜|话|人|口味|烤鸭|火锅)")),
    ("name", re.compile(r"(?<![A-Za-z])(?P<value>[A-Z][A-Za-z]+)(?![A-Za-z])")),
)
"""The group ``value`` is what can be exchanged, ``unit`` what it is counted in."""
