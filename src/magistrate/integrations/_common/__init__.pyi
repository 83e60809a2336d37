from magistrate.integrations._common.backend import Backend as Backend, Limits as Limits, explain as explain
from magistrate.integrations._common.backend import UnusableReplyError as UnusableReplyError
from magistrate.integrations._common.evaluator import Evaluator as Evaluator, details as details, headline as headline
from magistrate.integrations._common.evaluator import safe_score as safe_score
from magistrate.integrations._common.inputs import (
    case_in as case_in,
    case_of as case_of,
    joined as joined,
    made as made,
    needs as needs,
)
from magistrate.integrations._common.inputs import message_of as message_of, messages_of as messages_of

__all__: list[str]
