"""How Chinese questions ask: about whom, for what anybody could know, and the words that name nothing."""

import re

PERSONAL = re.compile(r"[我咱俺]")
"""The one who asks."""
FOR_ME = re.compile(r"^(?:请|麻烦)?(?:你)?[帮给替]我")
"""For whom a task is done."""
TOLD = re.compile(r"你[^，。？！,?!]{0,10}(?:说|讲|给|推荐|建议|列|提|写|教|排|估|算|比较|介绍|安排|告诉|介绍|解释)")
"""What the assistant said."""
GENERAL = re.compile(
    r"^(?:请|麻烦)?(?:你)?(?:帮我|给我|替我)?(?:写|翻译|把.*[翻换译改]|用.{1,12}[写说]|用一句话|解释|讲|推荐|算|想[一二两三四五六七八九十]"
    r"|列|从\d+加)|什么是|什么意思|怎么(?:推|工作|说|写|算|念|读|运作|知道)|区别|下一句|首都|等于|乘以|除以|换成|元素符号"
    r"|发明|世界上|摄氏|华氏|公式|海拔|一(?:天|年|小时|公里|英里)有?(?:等于)?多少|为什么(?:算|不用|是)|连接哪|流进|还是.{1,6}单位"
)
"""A task, or what holds for everybody."""
EMPTY = re.compile(
    r"什么时候|时候|为什么|因为|多少|什么|哪[里儿些个位家种天年月]?|怎么样?|几[号点个月岁年位]?|谁|如何|告诉|名字|现在|最后|最终"
    r"|当时|当初|以后|之后|之前|后来|以前|今年|一共|总共|可以|我们|你们|他们|关于|第[一二三]|[吗呢吧的了是在有和跟与都也还就"
    r"把被给让要会能该我你他她它这那个过着得到去来叫最从对为请帮下一里上没不说做又再只才更位辆次]"
)
"""What stands between the words by which a memory could be known."""
