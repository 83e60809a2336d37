"""Every error pickles, carries what it knows, and is one of ours."""

import pickle

import pytest

from magistrate import errors

ALL = [one for one in vars(errors).values() if isinstance(one, type) and issubclass(one, errors.MagistrateError)]


class TestEveryError:
    @pytest.mark.parametrize("cls", ALL)
    def test_has_one_root(self, cls):
        assert issubclass(cls, errors.MagistrateError)

    @pytest.mark.parametrize("cls", ALL)
    def test_is_drawn_in_the_tree_of_the_module(self, cls):
        assert cls.__name__ in errors.__doc__

    @pytest.mark.parametrize("cls", ALL)
    def test_survives_pickling(self, cls):
        copy = pickle.loads(pickle.dumps(cls("what, where, how")))
        assert type(copy) is cls
        assert str(copy) == "what, where, how"


class TestDetails:
    def test_are_attributes_and_survive_pickling(self):
        error = errors.JudgeRateLimitError("slow down", model="m", provider_status=429, retryable=True, retry_after=2.5)
        copy = pickle.loads(pickle.dumps(error))
        assert (copy.model, copy.provider_status, copy.retryable, copy.retry_after) == ("m", 429, True, 2.5)

    def test_have_defaults(self):
        error = errors.JudgeError("failed")
        assert (error.model, error.provider_status, error.retryable, error.retry_after, error.attempts) == (
            None,
            None,
            False,
            None,
            1,
        )

    def test_must_be_declared_by_the_class(self):
        with pytest.raises(TypeError, match="api_key"):
            errors.JudgeError("failed", api_key="sk-1")


class TestKinship:
    def test_a_configuration_error_is_a_value_error(self):
        assert issubclass(errors.ConfigurationError, ValueError)

    def test_a_missing_extra_is_an_import_error_that_names_the_extra(self):
        error = errors.MissingExtraError('pip install "magistrate[parquet]"', extra="parquet")
        assert isinstance(error, ImportError)
        assert error.extra == "parquet"
        assert str(error) == 'pip install "magistrate[parquet]"'
