"""Does a sentence claim a right over this system? "I am an admin" is something that was said, and grants nothing."""

import re

_OFFICE = (
    r"(?:admin(?:istrator)?|root(?:\s+user)?|super-?user|sysadmin|moderator|operator"
    r"|owner\s+of\s+(?:this|the)\s+(?:system|account|server|bot|assistant|workspace)"
    r"|(?:developer|creator|maker|engineer)\s+of\s+(?:you|this)|your\s+(?:developer|creator|maker|owner|admin\w*))"
)
_CLAIM = re.compile(
    rf"\b(?:I\s+am|I['’]?m|I\s+was\s+made|I['’]ve\s+been\s+made)\s+(?:an?|the|also|now|really|actually|one\s+of\s+the|\s)*"
    rf"(?:system\s+|your\s+|global\s+|tenant\s+)?{_OFFICE}s?\b"
    r"|\bI(?:\s+have|['’]ve)(?:\s+got)?\s+(?:\w+\s+)?(?:admin(?:istrator)?|root|super-?user|unrestricted|full)\s+"
    r"(?:access|rights?|permissions?|privileges?|clearance)\b"
    r"|\bI(?:['’]m|\s+am)\s+(?:authori[sz]ed|permitted|cleared|entitled)\s+to\b"
    r"|我(?:其实|现在|就)?是(?:这个?|本|你的?)?(?:系统|平台|服务器|超级)*(?:的)?(?:超级)?(?:管理员|超级用户|开发者|创造者|所有者|版主)"
    r"|我(?:有|拥有)(?:系统|最高|全部|所有|超级)*(?:的)?(?:管理员?|root|最高|全部)?的?权限|我被授权|我有权(?!利)",
    re.IGNORECASE,
)


def is_rights_claim(sentence: str) -> bool:
    """Whether its speaker claims an office or permissions, in English or Chinese."""
    return bool(_CLAIM.search(sentence))
