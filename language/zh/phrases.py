"""What Brain says in Chinese without a model."""

from language.phrases import Phrases

PHRASES = Phrases(
    no_model="（没有配置语言模型，所以我只凭记忆回答。）",
    spent="（今天可用于语言模型的额度已经用完，明天之前我只凭记忆回答。）",
    failed="（语言模型没有回应（{reason}），所以我只凭记忆回答。{advice}）",
    remember="我记得的有：",
    talked="这次对话里你告诉我的有：",
    nothing="关于这个，我还没有任何记忆。",
    nothing_at_all="我对你还一无所知。跟我说点什么吧，我会记住的。",
    nothing_said="我们还没有聊过什么。",
    noted="我记下了。",
    cannot="没有语言模型，这件事我做不了。",
    courtesies={
        "help": "我会记住你告诉我的事，也能再找出来：用你自己的话问我就行，也可以问我知道你些什么。"
        "“忘掉……”“不对，是……”我也听得懂；说“总结一下我们的对话”，我就总结这次对话。",
        "thanks": "不客气。",
        "wellbeing": "我很好，谢谢。你呢？",
        "greeting": "你好！想聊点什么？",
        "farewell": "再见！",
        "reaction": "好的。",
    },
    user_said="- {date}，你说过：“{text}”",
    brain_said="- {date}，我说过：“{text}”",
    other_said="- {date}，{speaker}说过：“{text}”",
    known="- {text}（自{date}）",
    statuses={"earlier": "（以前说的）", "outdated": "（已不再如此）"},
    advice={
        "model_timeout": "它没有及时回答；请调大 BRAIN_MODEL_TIMEOUT，或换一个更快的模型。",
        "model_rate_limited": "服务商限制了请求频率；请稍等，或提高限额。",
        "model_quota_exhausted": "账户额度已用完；请查看服务商的套餐和账单。",
        "model_server_error": "服务商自身出错；请稍后再试。",
        "model_unreachable": "它的地址无人应答；请检查 BRAIN_BASE_URL 和网络，再运行 brain doctor。",
        "model_interrupted": "它什么都没说就停了；请再试一次。",
        "model_auth_failed": "服务商拒绝了密钥；请检查 OPENAI_API_KEY。",
        "model_not_found": "它的地址不认识这个模型或路径；brain doctor 会列出可用的模型。",
        "model_bad_request": "服务商拒绝了请求；brain doctor 会检查模型和地址。",
        "model_context_exceeded": "提示词超过了它能读的长度；请调小 BRAIN_CONTEXT_WINDOW。",
        "model_malformed": "它的回答无法读取；请检查 BRAIN_BASE_URL 的结尾是否正确，通常是 /v1。",
    },
)
