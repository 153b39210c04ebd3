# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs of equal neighbours of an array in parts: a run belongs to the part in which it begins."""

from typing import NamedTuple, Optional

import numpy

from . import _host
from ._runs import compact, unique
from ._scans import scan


class Ends(NamedTuple):
    n: int
    first: object
    last: object


def ends_of(part) -> Ends:
    part = numpy.asarray(part).reshape(-1)
    return Ends(part.size, part[0], part[-1]) if part.size else Ends(0, None, None)


def continuing(ends) -> list:
    """For each part: whether its first element continues the run of the part before it."""
    made, last = [], None
    for each in ends:
        made.append(bool(each.n and last is not None and each.first == last))
        last = each.last if each.n else last
    return made


class Runs(NamedTuple):
    """The runs that begin in a part. `starts` are indices in the part."""

    values: numpy.ndarray
    starts: numpy.ndarray
    n: int
    inverse: Optional[numpy.ndarray]  # of each element the number of runs that begin at or before it in the part


def runs_of(part, continues: bool, wants_starts: bool, wants_inverse: bool) -> Runs:
    part = numpy.ascontiguousarray(part).reshape(-1)
    values = unique(part)[1 if continues else 0:]
    if not (wants_starts or wants_inverse):
        return Runs(values, numpy.empty(0, numpy.int64), part.size, None)
    heads = _host.heads_of_keys(part)
    heads[:1] = not continues
    starts = compact(_host, numpy.arange(part.size), _host.library.select, _host.pointer(heads))
    return Runs(values, starts, part.size, scan(heads, dtype=numpy.int64) if wants_inverse else None)


class Place(NamedTuple):
    """A part's first index, its first run's number, and the index at which the run after its last one begins."""

    begin: int
    run: int
    end: int


def summary_of(runs: Runs):
    return runs.n, len(runs.values), int(runs.starts[0]) if len(runs.starts) else 0


def places(summaries) -> list:
    begin, run, made = 0, 0, []
    for n, count, _ in summaries:
        made.append(Place(begin, run, 0))
        begin, run = begin + n, run + count
    end = begin
    for k in range(len(made) - 1, -1, -1):
        made[k] = made[k]._replace(end=end)
        _, count, first = summaries[k]
        end = made[k].begin + first if count else end
    return made


def index_of(runs: Runs, place: Place):
    return runs.starts + place.begin


def counts_of(runs: Runs, place: Place):
    return numpy.diff(runs.starts, append=place.end - place.begin) if len(runs.starts) else runs.starts


def inverse_of(runs: Runs, place: Place):
    return runs.inverse + (place.run - 1)
