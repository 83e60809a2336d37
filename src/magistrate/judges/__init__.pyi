# The names and their homes: what `__init__.py` loads on first use.

from magistrate.judges._questions import Extract as Extract, ExtractAndVerify as ExtractAndVerify, Grade as Grade
from magistrate.judges._questions import Question as Question, Structured as Structured, Verify as Verify
from magistrate.judges._questions import list_of_texts as list_of_texts
from magistrate.judges._replies import ISSUE_OF_STATUS as ISSUE_OF_STATUS
from magistrate.judges._replies import ScoreReply as ScoreReply, SingleReply as SingleReply
from magistrate.judges._replies import StatementsReply as StatementsReply, StructuredReply as StructuredReply
from magistrate.judges._replies import VerdictsReply as VerdictsReply, placed as placed, status_of as status_of
from magistrate.judges._replies import unjudged as unjudged, usage_of as usage_of
from magistrate.judges.base import BaseJudge as BaseJudge, Judge as Judge, WrappedJudge as WrappedJudge
from magistrate.judges.base import as_judge as as_judge, can_grade as can_grade, name_of as name_of
from magistrate.judges.base import never_says as never_says, together as together
from magistrate.judges.resolve import makes_calls as makes_calls, resolve_judge as resolve_judge

__all__: list[str]
