"""Files of stored replies, whoever wrote them."""

import gzip
import io
import json
import zipfile

import pyarrow as pa
import pytest
from openpyxl import Workbook
from pyarrow import parquet

from magistrate.audit import LabelTask, ScoreTask, VerdictsTask, audit_files
from magistrate.errors import ConfigurationError, DatasetError

ASKED = ["The mill has a wheel.", "The wheel is iron."]
PATHS = {"reply": "raw", "statements": "claims", "score": "score", "id": "name"}
ROWS = [
    {"name": "a", "raw": "1. yes\n2. no", "claims": ASKED, "score": 0.5},
    {"name": "b", "raw": "1. yes\n2. no", "claims": ASKED, "score": 1.0},
    {"name": "c", "raw": "", "claims": ASKED, "score": 0.0},
]
STANDINGS = ["stands", "wrong", "undecided"]


def standings(*files, task=None, paths=None, **options):
    found = audit_files(
        [str(file) for file in files], task or VerdictsTask(), PATHS if paths is None else paths, **options
    )
    return [one.standing.value for one in found]


def write(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


class TestRows:
    def test_a_json_document_a_csv_and_a_compressed_file(self, tmp_path):
        document = tmp_path / "r.json"
        document.write_text(json.dumps(ROWS, indent=1))
        zipped = tmp_path / "r.jsonl.gz"
        zipped.write_bytes(gzip.compress(write(tmp_path / "r.jsonl", ROWS).read_bytes()))
        table = tmp_path / "r.csv"
        lines = [
            f'{row["name"]},"{row["raw"]}","{json.dumps(row["claims"]).replace(chr(34), chr(34) * 2)}",{row["score"]}'
            for row in ROWS
        ]
        table.write_text("name,raw,claims,score\n" + "\n".join(lines) + "\n")
        assert standings(document, zipped, table) == STANDINGS * 3

    def test_parquet(self, tmp_path):
        path = tmp_path / "r.parquet"
        parquet.write_table(pa.Table.from_pylist(ROWS), path)
        assert standings(path) == STANDINGS
        found = list(audit_files([str(path)], VerdictsTask(), PATHS))
        assert str(found[1].place) == f"{path}: row 2 b"

    def test_a_workbook_of_excel_and_which_of_its_sheets(self, tmp_path):
        path, book = tmp_path / "r.xlsx", Workbook()
        book.active.title = "Log"
        for cells in ([*ROWS[0]], *([row["name"], row["raw"], "\n".join(ASKED), row["score"]] for row in ROWS)):
            book.active.append(cells)
        book.save(path)
        assert standings(path) == STANDINGS
        book.create_sheet("Summary", 0).append(["Report"])
        book["Summary"].append(["of", "October"])
        book.save(path)
        assert standings(path, format="xlsx:Log") == STANDINGS
        (found,) = audit_files([str(path)], VerdictsTask(), PATHS)
        assert "'Log'" in found.notes[0]
        assert "--format" in found.notes[0]
        with pytest.raises(ConfigurationError, match="'Log'"):
            next(audit_files([str(path)], VerdictsTask(), {"score": "score"}))

    def test_a_row_that_cannot_be_read_is_unusable_and_the_others_count(self, tmp_path):
        path = tmp_path / "r.jsonl"
        path.write_text(json.dumps(ROWS[0]) + "\n{broken\n" + json.dumps(ROWS[1]) + "\n")
        assert standings(path) == ["stands", "unusable", "wrong"]

    def test_it_is_told_what_the_row_is_and_whether_others_follow(self, tmp_path):
        path = tmp_path / "r.json"
        path.write_text('[[1], "a", {"raw": "1. yes"')
        found = list(audit_files([str(path)], VerdictsTask(), PATHS))
        assert [one.why for one in found[:2]] == [
            "the row is a list, not an object",
            "the row is a text, not an object",
        ]
        assert [one.last for one in found] == [False, False, True]

    def test_what_follows_in_a_broken_file_is_known_to_be_unread(self, tmp_path):
        array = json.dumps(ROWS)
        files = {
            "twice.json": f"{array}\n{array}".encode(),
            "cut.jsonl.gz": gzip.compress(write(tmp_path / "r.jsonl", ROWS).read_bytes() + b" " * 70_000)[:-9],
            "tiny.jsonl.gz": gzip.compress(write(tmp_path / "t.jsonl", ROWS).read_bytes())[:-9],
            "bad.yaml": b"- {raw: a, score: 1}\n- {raw: b\n- [",
            "bytes.yaml": b"- {raw: a, score: 1}\n- {raw: \xff}\n",
        }
        for name, content in files.items():
            (tmp_path / name).write_bytes(content)
            found = list(audit_files([str(tmp_path / name)], VerdictsTask(), PATHS))
            assert [one.last for one in found] == [False] * (len(found) - 1) + [True], name

    def test_a_row_that_says_two_things_of_one_field_is_unusable(self, tmp_path):
        path = tmp_path / "r.jsonl"
        line = json.dumps(ROWS[0])
        path.write_text(f'{line[:-1]}, "score": 1.0}}\n{line[:-1]}, "score": 0.5}}\n{line}\n')
        found = list(audit_files([str(path)], VerdictsTask(), PATHS))
        assert [one.standing.value for one in found] == ["unusable", "stands", "stands"]
        assert found[0].why == "score: the key is given twice, with two different values"

    def test_standard_input(self, tmp_path, monkeypatch):
        class Stdin:
            buffer = io.BytesIO(write(tmp_path / "r.jsonl", ROWS).read_bytes())

        monkeypatch.setattr("sys.stdin", Stdin)
        assert standings("-") == STANDINGS


def test_mistakes_they_show_before_the_first_file_is_read(tmp_path):
    path = write(tmp_path / "r.jsonl", ROWS)
    with pytest.raises(ConfigurationError, match="--reply FIELD"):
        next(audit_files([str(path)], VerdictsTask(), {"score": "score"}))
    with pytest.raises(ConfigurationError, match="--score FIELD"):
        next(audit_files([str(path)], VerdictsTask(), {"reply": "raw"}))
    with pytest.raises(ConfigurationError, match="--label FIELD"):
        next(audit_files([str(path)], LabelTask(choices=("A", "B")), {"reply": "raw"}))
    with pytest.raises(ConfigurationError, match="'label' is not for an audit of a score"):
        next(audit_files([str(path)], ScoreTask(low=0, high=1), {"reply": "raw", "label": "x"}))
    with pytest.raises(DatasetError, match="no such file"):
        next(audit_files([str(path), str(tmp_path / "other.jsonl")], VerdictsTask(), PATHS))

    with pytest.raises(DatasetError, match="holds no run"):
        next(audit_files([str(tmp_path)], VerdictsTask(), PATHS))


def promptfoo_result(number, output, score):
    return {
        "gradingResult": {"pass": score > 0.5, "score": score},
        "id": f"r{number}",
        "promptIdx": 0,
        "response": {"output": output, "finishReason": "stop"},
        "score": score,
        "vars": {"statements": [ASKED], "n": number},
    }


class TestPromptfoo:
    RESULTS = tuple(promptfoo_result(at, row["raw"], row["score"]) for at, row in enumerate(ROWS))

    def test_its_document_and_its_lines(self, tmp_path):
        path = tmp_path / "out.json"
        document = {"evalId": "eval-x", "results": {"version": 3, "prompts": [{"raw": "x"}], "results": self.RESULTS}}
        path.write_text(json.dumps(document, indent=2))
        lines = write(tmp_path / "out.jsonl", self.RESULTS)
        assert standings(path, lines, paths={}) == STANDINGS * 2
        assert next(audit_files([str(path)], VerdictsTask())).place.id == "r0"

    def test_another_field_can_be_named(self, tmp_path):
        path = write(tmp_path / "out.jsonl", self.RESULTS)
        assert standings(path, paths={"score": "gradingResult.score"}) == STANDINGS


def inspect_sample(number, reply, value):
    grading = [{"role": "user", "content": "Grade it."}, {"role": "assistant", "content": reply}]
    scores = {
        "model_graded_qa": {"value": value, "explanation": reply, "metadata": {"grading": grading}},
        "exact": {"value": "C", "answer": "x"},
    }
    return {"id": f"q{number}", "epoch": 1, "scores": scores}


class TestInspect:
    SAMPLES = (
        inspect_sample(0, "It matches.\n\nGRADE: C", "C"),
        inspect_sample(1, "It does not match.\n\nGRADE: I", "C"),
        inspect_sample(2, "I am not sure at all.", "I"),
    )
    TASK = LabelTask(choices=("C", "P", "I"))

    def archive(self, path, method=zipfile.ZIP_DEFLATED):
        with zipfile.ZipFile(path, "w", method) as archive:
            archive.writestr("header.json", json.dumps({"version": 2, "status": "success"}))
            for number, sample in enumerate(self.SAMPLES):
                archive.writestr(f"samples/q{number}_epoch_1.json", json.dumps(sample))
        return path

    def test_a_json_log(self, tmp_path):
        path = tmp_path / "log.json"
        path.write_text(json.dumps({"version": 2, "status": "success", "eval": {"task": "t"}, "samples": self.SAMPLES}))
        assert standings(path, task=self.TASK, paths={}) == STANDINGS
        found = list(audit_files([str(path)], self.TASK))
        assert str(found[1].place).endswith("[model_graded_qa] q1")

    @pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED])
    def test_an_eval_archive(self, tmp_path, method):
        assert standings(self.archive(tmp_path / "log.eval", method), task=self.TASK, paths={}) == STANDINGS

    def test_an_eval_archive_with_zstandard(self, tmp_path):
        """The standard library cannot write it before 3.14, so the archive is patched: method, sizes, data."""
        data = json.dumps(self.SAMPLES[1]).encode()
        packed = pa.compress(data, codec="zstd", asbytes=True)
        path = tmp_path / "log.eval"
        with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
            member = zipfile.ZipInfo("samples/q1_epoch_1.json")
            archive.writestr(member, packed)
        patched = bytearray(path.read_bytes())
        for signature, method_at, size_at in ((b"PK\x03\x04", 8, 22), (b"PK\x01\x02", 10, 24)):
            at = patched.index(signature)
            patched[at + method_at : at + method_at + 2] = (93).to_bytes(2, "little")
            patched[at + size_at : at + size_at + 4] = len(data).to_bytes(4, "little")
            crc_at = at + (14 if signature == b"PK\x03\x04" else 16)
            patched[crc_at : crc_at + 4] = zipfile.crc32(data).to_bytes(4, "little")
        path.write_bytes(patched)
        assert standings(path, task=self.TASK, paths={}) == ["wrong"]

    def test_another_compression_is_an_error_that_says_what_to_do(self, tmp_path):
        path = self.archive(tmp_path / "log.eval")
        patched = bytearray(path.read_bytes())
        at = -1
        while (at := patched.find(b"PK\x01\x02", at + 1)) >= 0:
            patched[at + 10 : at + 12] = (97).to_bytes(2, "little")
        path.write_bytes(patched)
        with pytest.raises(DatasetError, match="inspect log convert"):
            standings(path, task=self.TASK, paths={})

    def test_a_broken_archive_and_a_broken_sample(self, tmp_path):
        cut = tmp_path / "cut.eval"
        cut.write_bytes(self.archive(tmp_path / "log.eval").read_bytes()[:200])
        with pytest.raises(DatasetError, match=r"cut\.eval: cannot be read"):
            standings(cut, task=self.TASK, paths={})
        path = tmp_path / "bad.eval"
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("samples/q.json", "{broken")
            archive.writestr("samples/r.json", json.dumps(self.SAMPLES[0])[:-1] + ', "id": "other"}')
            archive.writestr("samples/s.json", json.dumps(self.SAMPLES[0]).encode() + b'"\xff"')
        assert standings(path, task=self.TASK, paths={}) == ["unusable"] * 3

    def test_numbers_of_a_grader(self, tmp_path):
        path = tmp_path / "log.json"
        sample = inspect_sample(0, "Rating: [[4]]", "5")
        path.write_text(json.dumps({"version": 2, "status": "success", "eval": {}, "samples": [sample]}))
        assert standings(path, task=ScoreTask(low=1, high=5), paths={}) == ["wrong"]
