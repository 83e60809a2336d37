"""The policies: ours, and those of the frameworks whose numbers a team may have to reproduce.

Every policy works on the same stored verdicts, so one run can be read under all of them without a call. Where a
framework was read in its source, the entry names the release. Where two of its own texts disagree, each has a policy.

The frameworks know fewer verdicts than a stored result may hold. Those they do not know count as their nearest "no":
`unsupported` (a binary judge's no, cause unknown) counts as `contradicted`, and `partially_supported` counts as not
supported, unless the entry says otherwise.
"""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from magistrate.errors import ConfigurationError, meant
from magistrate.scoring._policy import CELL_NAMES, Cell, Extra, Missing, Policy
from magistrate.verdict import Verdict


def _policy(name: str, written: dict[str, Any]) -> Policy:
    cells: dict[str, Any] = {cell: _cell(written.pop(cell, written.get("cells", {}))) for cell in CELL_NAMES}
    written.pop("cells", None)
    return Policy(
        name=name,
        credit={**dict.fromkeys(Verdict, 0.0), Verdict.SUPPORTED: 1.0, **written.pop("credit", {})},
        scale=tuple(written.pop("scale", (0.0, 1.0))),
        missing=Missing(written.pop("missing", Missing.INCONCLUSIVE)),
        extra=Extra(written.pop("extra", Extra.DROP)),
        **cells,
        **written,
    )


def _cell(written: Any) -> Cell:
    if isinstance(written, dict):
        return Cell(**written)
    return Cell(native=written) if isinstance(written, str) else Cell(written)


_WRITTEN = tomllib.loads(Path(__file__).with_name("policies.toml").read_text(encoding="utf-8"))
POLICIES: Mapping[str, Policy] = MappingProxyType({name: _policy(name, written) for name, written in _WRITTEN.items()})
"""Every policy by its versioned name, the default first."""

POLICY_ALIASES: Mapping[str, str] = MappingProxyType(
    {
        "ragas": "ragas-0.4",
        "deepeval": "deepeval-4",
        "trulens": "trulens-2.16",
        "promptfoo": "promptfoo-2468",
        "ragaliq": "ragaliq-adr6",
    }
)
"""Short names. They name the newest version that is known here, promptfoo and RagaliQ their design records."""


def get_policy(policy: str | Policy) -> Policy:
    """Return the policy of that name or alias, in any case, or the policy itself.

    Raises:
        ConfigurationError: If no policy has that name; the message names the nearest ones.
    """
    if isinstance(policy, Policy):
        return policy
    if not isinstance(policy, str):
        raise ConfigurationError(f"a policy is a name or a Policy, not {type(policy).__name__}")
    name = policy.strip().casefold()
    found = POLICIES.get(POLICY_ALIASES.get(name, name))
    if found is not None:
        return found
    known = [*POLICIES, *POLICY_ALIASES]
    hint = meant(name[:100], known, 3) or f" Use one of {', '.join(known)}"
    raise ConfigurationError(f"unknown scoring policy {policy[:100]!r}.{hint}")
