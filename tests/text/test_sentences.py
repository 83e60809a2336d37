import pytest
from hypothesis import given
from hypothesis import strategies as st

from magistrate.text import sentence_spans


def sentences(text):
    return [text[start:end] for start, end in sentence_spans(text)]


def parts(*expected):
    """The sentences, and the text they make with a space between them."""
    return " ".join(expected), list(expected)


class TestFullStops:
    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            parts("The ferry left.", "The gulls stayed."),
            parts("Dr. Marsh met Mr. J. R. Olsen at 5 p.m. on Jan. 5.", "They talked about the lamp."),
            parts("See Fig. 3 and Sec. 2.1, e.g. the U.S. chart.", "It helps."),
            parts("It costs 3.14 euros.", "Version 1.2.3 is out."),
            parts("The St. Olaf was built by Marsh et al. in 1874.", "It sank."),
            parts("They sell ropes, nets, etc.", "The shop is closed."),
            parts("He works for Skerry Inc. in Oslo.", "She does not."),
            parts("It lies in the U.S.", "The ferry does not go there."),
            parts("Did he answer no.", "Then we left."),
            parts("No. 5 is the oldest buoy.", "No. 6 is the newest."),
            parts("Ask for vitamin C.", "It is on the list."),
            parts("And so do I.", "The others do not."),
            parts("It opened in 1874.", "1875 was a bad year."),
            parts("Read https://ferry.example/a.b?c=d.", "Write to a.b@ferry.example.", "Done."),
            parts("It stopped (see Ch. 4).", "It began again."),
            parts("He waited...", "Nobody came."),
            parts("Well... maybe it was the fog."),
            parts("I use an iPad.", "eBay sells it.", "iPhones are dearer."),
        ],
    )
    def test_in_english(self, text, expected):
        assert sentences(text) == expected

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            parts("Am 12. Mai kam Dr. Marsh, z. B. mit 1.250,5 Euro.", "Im 19. Jahrhundert war das anders."),
            parts("Er kam am 12.", "Dann ging er."),
            parts("Das kostet ca. 5 Mio. Euro usw. und mehr.", "Der 2. Weltkrieg begann."),
            parts("El Sr. Pérez vive en EE. UU. desde 1999.", "La Sra. Gómez, p. ej., no."),
            parts("M. Dupont, p. ex., habite ici.", "Mme Martin non."),
            parts("Он родился в 1990 г. в Москве.", "Он уехал и т. д. и т. п.", "Это А. С. Пушкин."),
            parts("Il sig. Rossi abita qui.", "La dott. Bianchi no."),
            parts("O Sr. Silva mora na av. Central, n. 5.", "A Sra. Costa não."),
        ],
    )
    def test_in_other_languages(self, text, expected):
        assert sentences(text) == expected

    def test_in_a_text_without_capitals(self):
        text, expected = parts("the ferry left .", "the gulls stayed at e.g. the pier .", "fine .")
        assert sentences(text) == expected


class TestOtherStops:
    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("灯塔很高。船来了！谁？", ["灯塔很高。", "船来了！", "谁？"]),
            ("他说：“我走了。”然后离开。", ["他说：“我走了。”", "然后离开。"]),
            ("「行く。」と言った。そして去った。", ["「行く。」と言った。", "そして去った。"]),
            ("価格は３．１４円です．次の文です｡", ["価格は３．１４円です．", "次の文です｡"]),
            ("这是第一句.这是第二句.", ["这是第一句.", "这是第二句."]),
            ("यह पहला है। यह दूसरा है॥", ["यह पहला है।", "यह दूसरा है॥"]),
            ("ما هذا؟ نعم! قال د. أحمد ذلك.", ["ما هذا؟", "نعم!", "قال د. أحمد ذلك."]),
            ("یہ پہلا ہے۔ یہ دوسرا ہے۔", ["یہ پہلا ہے۔", "یہ دوسرا ہے۔"]),
            ("¿Qué hora es? ¡Hola! Son las 5.", ["¿Qué hora es?", "¡Hola!", "Son las 5."]),
            ("Really?! Yes. “Why?” she asked.", ["Really?!", "Yes.", "“Why?” she asked."]),
            ("Yahoo! announced it. Done!", ["Yahoo! announced it.", "Done!"]),
            ("등대가 높다. 배가 왔다.", ["등대가 높다.", "배가 왔다."]),
        ],
    )
    def test_end_sentences(self, text, expected):
        assert sentences(text) == expected

    def test_thai_has_none_but_spaces(self):
        first, second = "ประภาคารนี้สร้างขึ้นเมื่อนานมาแล้วโดยวิศวกร", "โคมไฟมองเห็นได้จากระยะไกลมาก"
        assert sentences(f"{first} {second}") == [first, second]

    def test_a_space_around_a_number_or_before_a_connective_is_no_end_in_thai(self):
        text = "ประภาคารนี้สร้างขึ้นเมื่อปี 1874 โดยวิศวกรชื่อดังของเมืองท่า และ มีความสูงมาก"
        assert sentences(text) == [text]


class TestWhatStaysWithASentence:
    @pytest.mark.parametrize(
        "text",
        [
            "It rose.[1][2] It fell.",
            "It rose. [3] It fell.",
            "It rose.¹² It fell.",
            "It rose.【4†a】 It fell.",
            "It rose [5]. It fell.",
        ],
    )
    def test_its_marks_of_citation(self, text):
        assert sentences(text)[1] == "It fell."

    def test_its_closing_marks(self):
        assert sentences('(It rose.) **It fell.** "It lay."') == ["(It rose.)", "**It fell.**", '"It lay."']


PIECES = st.sampled_from(
    [
        *" \n\t.!?。！，؟।…\"')]»”*abcXYZДя中かก1290-",
        "Dr. ",
        "e.g. ",
        "[1]",
        "...",
        "U.S. ",
        "12. Mai ",
        "No. ",
        "http://a.b/c ",
    ]
)


@given(st.one_of(st.text(), st.lists(PIECES).map("".join)))
def test_sentences_hold_all_but_white_space_once(text):
    place = 0
    for start, end in sentence_spans(text):
        assert place <= start < end
        assert not text[place:start].strip()
        assert text[start:end] == text[start:end].strip()
        place = end
    assert not text[place:].strip()


@given(st.lists(PIECES).map("".join), st.integers(0, 20), st.integers(0, 20))
def test_a_part_of_a_text_is_split_without_looking_beyond_it(text, low, size):
    low, high = min(low, len(text)), min(low + size, len(text))
    assert all(low <= start < end <= high for start, end in sentence_spans(text, low, high))
