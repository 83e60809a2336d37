"""From a round to a provider and back: nothing is asked twice, whenever the process is killed."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

from magistrate.completion.batches._loopback import Loopback
from magistrate.completion.batches._providers import Progress, is_whole, provider_of
from magistrate.completion.batches._shapes import request_line, shape_of
from magistrate.completion.batches.client import Batching
from magistrate.completion.batches.rounds import Part, Round, now
from magistrate.errors import MagistrateError

Clock = Callable[[], float]


async def write_requests(one: Round, part: Part, path: Path, shape: str | None, loopback: Loopback) -> int:
    """Write the requests of a part as a file for a provider; return how many there are."""
    shape = shape or shape_of(part.provider)
    count = 0
    with path.open("wb") as file:
        for line in one.lines(part):
            request_line(shape, "", {})  # a shape that there is not is refused before LiteLLM is loaded
            body = await loopback.sent(shape.replace("mistral", "openai"), line["body"])
            file.write(request_line(shape, line["custom_id"], body))
            count += 1
    return count


async def submit(batching: Batching) -> list[Part]:
    """Give what was not given yet to its providers, and look for what may have been before a kill."""
    left = []
    known = frozenset(part.batch for one in batching.rounds.rounds for part in one.parts if part.batch)
    for one, part in batching.rounds.open_parts:
        model = batching.models.get(part.model)
        provider = None if model is None else provider_of(model)
        if part.state == "submitted":
            continue
        if provider is None:
            left.append(part)
            continue
        tag = _tag(one, part)
        if part.state == "submitting":
            part.batch = await provider.find(part, tag, known | frozenset(part.not_ours))
        if part.batch is None:
            path = one.folder / f"upload-{part.name}.jsonl"
            await write_requests(one, part, path, None, batching.loopback)
            part.state, part.noted = "submitting", part.noted or now()
            one.save()
            part.batch = await provider.submit(path, tag)
        part.state = "submitted"
        one.save()
        (one.folder / f"upload-{part.name}.jsonl").unlink(missing_ok=True)
    return left


def _tag(one: Round, part: Part) -> str:
    """What a batch is found again by: the file says where and when it was made, as its tokens are the run's own."""
    return hashlib.sha256(f"{one.number}/{part.name}/{part.sha256}".encode()).hexdigest()[:32]


async def collect(batching: Batching) -> list[Part]:
    """Fetch what has ended; return what is still under way."""
    waiting, failed = [], []
    for one, part in batching.rounds.open_parts:
        model = batching.models.get(part.model)
        provider = None if model is None else provider_of(model)
        if part.state != "submitted" or part.batch is None or provider is None:
            waiting.append(part)
            continue
        progress: Progress = await provider.progress(part.batch)
        part.status, part.message = progress.status, None
        if progress.failed is not None:
            part.state, part.message = "failed", progress.failed
            failed.append(part)
        elif progress.ended:
            paths = []
            for number, output in enumerate(progress.outputs):
                path = one.folder / f".fetched-{part.name}-{number}"
                await provider.fetch(output, path)
                paths.append(path)
            if not all(map(is_whole, paths)):
                part.message = "its results were cut off on their way, and will be fetched again"
                waiting.append(part)
            elif batching.rounds.concern(paths, part):
                batching.rounds.take(paths, part)
            else:  # it was taken for ours after a kill
                part.not_ours.append(part.batch)
                part.state, part.batch = "submitting", None
                waiting.append(part)
            for path in paths:
                path.unlink()
        else:
            waiting.append(part)
        one.save()
    if failed:
        raise MagistrateError(
            f"the provider carried out none of {failed[0].requests:,} requests: {failed[0].message}. "
            "Once that is mended, --batch --resume puts them into a new batch"
        )
    return waiting
