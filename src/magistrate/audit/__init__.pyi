# The names and their homes: what `__init__.py` loads on first use.

from magistrate.audit._audit import AuditPart as AuditPart, audit_files as audit_files, audit_part as audit_part
from magistrate.audit._audit import audit_parts as audit_parts
from magistrate.audit._summary import Finding as Finding, Standing as Standing
from magistrate.audit._runs import keep_run as keep_run
from magistrate.audit._recorded import Recorded as Recorded
from magistrate.audit._stored import FIELDS as FIELDS, Place as Place
from magistrate.audit._summary import Mean as Mean
from magistrate.audit._summary import AuditSummary as AuditSummary
from magistrate.audit._tasks import AuditTask as AuditTask, LabelTask as LabelTask, ScoreTask as ScoreTask
from magistrate.audit._tasks import VerdictsTask as VerdictsTask
from magistrate.audit._audit import SourceKind as SourceKind

__all__: list[str]
