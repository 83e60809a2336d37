# The names and their homes: what `__init__.py` loads on first use.

from magistrate.parsing._api import parse_label as parse_label, parse_score as parse_score
from magistrate.parsing._api import parse_statements as parse_statements, parse_verdicts as parse_verdicts
from magistrate.parsing.objects import parse_object as parse_object
from magistrate.parsing.readings import LabelReading as LabelReading, ObjectReading as ObjectReading
from magistrate.parsing.readings import ScoreReading as ScoreReading, StatementsReading as StatementsReading
from magistrate.parsing.readings import VerdictReading as VerdictReading, Verdicts as Verdicts
from magistrate.parsing.stream import VerdictReader as VerdictReader

__all__: list[str]
