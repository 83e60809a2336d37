# The names and their homes: what `__init__.py` loads on first use.

from magistrate.judges.llm._judge import LLMJudge as LLMJudge

__all__: list[str]
