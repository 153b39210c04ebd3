# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Elements at places of the sorted whole of an array in parts, without a sort, and quantiles.

A sample of all parts gives a range of values for each place. The parts count the elements below it and show the elements inside; if the
place is outside of the range, they show the elements on that side.
"""

from typing import NamedTuple, Optional

import numpy

from ._orders import nth_element, sort
from ._selections import select

METHODS = ("linear", "lower", "higher", "nearest", "midpoint")
_SAMPLE, _PIECE = 4096, 1 << 16  # elements of a part; elements that the caches hold


def checked(of, q, method: str):
    """The array of numbers q, and the type of quantiles of elements of a type."""
    wanted = numpy.asarray(q, numpy.float64)
    if method not in METHODS:
        raise ValueError(f"method is {method!r}; methods are {', '.join(METHODS)}")
    if not ((wanted >= 0) & (wanted <= 1)).all():
        raise ValueError("q must be from 0 to 1")
    if of == bool:
        raise TypeError("bools have no quantiles; convert them first")
    sort(numpy.empty(0, of))  # raises the error of a type
    # NumPy's type: an array q makes quantiles of float32 doubles, but a number does not.
    return wanted, numpy.quantile(numpy.ones(2, of), q, method=method).dtype


class Sample(NamedTuple):
    n: int
    keys: numpy.ndarray


def sample_of(part, number: int) -> Sample:
    part = numpy.asarray(part).reshape(-1)
    if part.size <= _SAMPLE:
        return Sample(part.size, part)
    return Sample(part.size, part[numpy.random.default_rng(number).integers(0, part.size, _SAMPLE)])


def places_of(q: float, n: int, method: str):
    """The places in the sorted whole that a quantile needs, and the weight of the second one."""
    at = q * (n - 1)
    low = int(numpy.floor(at))
    high = min(low + 1, n - 1)
    if method == "nearest":  # NumPy rounds halves to even numbers
        low = high = int(numpy.rint(at))
    elif method == "lower" or at == low:
        high = low
    elif method == "higher":
        low = high
    return low, high, 0.5 if method == "midpoint" else at - low


class Targets(NamedTuple):
    """Places in the sorted whole of n elements, and the ends of a range of values for each."""

    n: int
    places: list
    low: list
    high: list


def targets_of(samples, q, method: str) -> Targets:
    n = sum(each.n for each in samples)
    return targets_of_places(samples, sorted({place for each in q for place in places_of(each, n, method)[:2]}) if n else [])


def targets_of_places(samples, places) -> Targets:
    n = sum(each.n for each in samples)
    if n == 0:
        return Targets(0, [], [], [])
    # A sample of a part stands for all of its elements.
    keys = numpy.concatenate([each.keys for each in samples])
    weights = numpy.concatenate([numpy.full(len(each.keys), each.n / max(1, len(each.keys))) for each in samples])
    order = numpy.argsort(keys, kind="stable")
    keys, below = keys[order], weights[order].cumsum()
    away = 2 * len(keys) ** 0.5 + 2 if n > len(keys) else 1
    low, high = [], []
    for place in places:
        at = int(numpy.searchsorted(below, place, "right"))
        low.append(keys[max(0, int(at - away))])
        high.append(keys[min(len(keys) - 1, int(at + away))])
    return Targets(n, places, low, high)


class Counted(NamedTuple):
    """Of one part, for each target: the numbers of elements before, at and not behind the range's ends, and the elements inside."""

    numbers: numpy.ndarray  # of elements less than low, equal to low, inside, equal to high
    inside: list
    nans: int


def count(part, targets: Targets) -> Counted:
    part = numpy.ascontiguousarray(part).reshape(-1)
    numbers = numpy.zeros((len(targets.places), 4), numpy.int64)
    inside = [[] for _ in targets.places]
    nans = 0
    for begin in range(0, part.size if targets.places else 0, _PIECE):
        piece = part[begin:begin + _PIECE]
        if part.dtype.kind == "f":
            nans += int(numpy.count_nonzero(piece != piece))
        for t, (low, high) in enumerate(zip(targets.low, targets.high)):
            kept = select(piece, (piece > low) & (piece < high))
            at_high = 0 if low == high else numpy.count_nonzero(piece == high)
            numbers[t] += numpy.count_nonzero(piece < low), numpy.count_nonzero(piece == low), len(kept), at_high
            if len(kept):
                inside[t].append(kept)
    return Counted(numbers, [numpy.concatenate(each) if each else part[:0] for each in inside], nans)


class Values(NamedTuple):
    """The element at each target's place, None where it is outside of the range; then `side` is -1 below or 1 above it."""

    values: list
    sides: list
    before: list  # the number of elements below and in the range
    nans: int


def values_of(parts, targets: Targets) -> Values:
    values, sides, before = [], [], []
    numbers = sum(each.numbers for each in parts)
    for t, place in enumerate(targets.places):
        below, at_low, inside, at_high = (int(number) for number in numbers[t])
        rest = place - below
        side, value = 0, None
        if rest < 0:
            side = -1
        elif rest < at_low:
            value = targets.low[t]
        elif rest < at_low + inside:
            value = nth_element(numpy.concatenate([each.inside[t] for each in parts]), rest - at_low)
        elif rest < at_low + inside + at_high:
            value = targets.high[t]
        else:
            side = 1
        values.append(value)
        sides.append(side)
        before.append(below + at_low + inside + at_high)
    return Values(values, sides, before, sum(each.nans for each in parts))


def missed(part, targets: Targets, found: Values) -> Optional[list]:
    """The elements on the side of a range that has the place; None of ranges that have it."""
    if not any(found.sides) or found.nans:
        return None
    part = numpy.ascontiguousarray(part).reshape(-1)
    return [None if side == 0 else select(part, part < low if side < 0 else part > high)
            for side, low, high in zip(found.sides, targets.low, targets.high)]


def values_at(targets: Targets, found: Values, others) -> dict:
    """The elements at the places."""
    at = {}
    for t, place in enumerate(targets.places):
        value = found.values[t]
        if found.sides[t]:
            rest = place - (found.before[t] if found.sides[t] > 0 else 0)
            value = nth_element(numpy.concatenate([each[t] for each in others]), rest)
        at[place] = value
    return at


def quantiles(targets: Targets, found: Values, others, q, method: str, dtype):
    """The quantiles, an array for each number of q."""
    if targets.n == 0:
        raise ValueError("a quantile of no elements has no value")
    if found.nans:
        return numpy.full(len(q), numpy.nan, dtype)
    at = values_at(targets, found, others)
    made = numpy.empty(len(q), dtype)
    for i, each in enumerate(q):
        low, high, weight = places_of(each, targets.n, method)
        pair = numpy.array([at[low], at[high]], dtype)  # small integers would overflow
        made[i] = pair[0] if low == high else between(pair, weight)
    return made


def between(pair, weight: float):
    """The quantile between two neighbours, by NumPy's own rounding."""
    return numpy.quantile(pair, numpy.array([weight]), axis=0)[0]
