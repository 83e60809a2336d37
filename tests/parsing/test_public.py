from magistrate import parsing
from magistrate.parsing import parse_verdicts
from magistrate.verdict import ParseStatus, Verdict


class TestPublicNames:
    def test_all_lists_every_public_name(self) -> None:
        assert sorted(parsing.__all__) == parsing.__all__
        assert all(hasattr(parsing, name) for name in parsing.__all__)


class TestOwnReplyShape:
    def test_one_property_per_statement_id_and_a_token(self) -> None:
        reply = '{"s1": {"reason": "r", "verdict": "supported"}, "s2": {"verdict": "contradicted"}, "token": "k3"}'
        reading = parse_verdicts(reply, ["Tea is hot.", "Ice is hot."], scale="ternary", token="k3")
        assert reading.status is ParseStatus.OK
        assert [v.verdict for v in reading.verdicts] == [Verdict.SUPPORTED, Verdict.CONTRADICTED]
        assert reading.missing == ()
