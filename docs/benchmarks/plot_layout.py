# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ticks of logarithmic axes and places of names beside curves, for plots.py."""
import math

UNITS = ("", "k", "M", "G", "T", "P")
SHORT_DECADES = 2.5  # powers of ten alone would be three ticks at most


def nice_values(low, high):
    """1, 2 and 5 times powers of ten, from the last one below `low` to the first one above `high`."""
    powers = range(math.floor(math.log10(low)) - 1, math.ceil(math.log10(high)) + 2)
    values = [digit * 10.0**power for power in powers for digit in (1, 2, 5)]
    first = max(i for i, value in enumerate(values) if value <= low * (1 + 1e-9))
    last = min(i for i, value in enumerate(values) if value >= high * (1 - 1e-9))
    return values[first:max(last, first + 1) + 1]


def decimal_ticks(low, high, most=8):
    """The ticks of an axis with the ends of nice_values()."""
    values = nice_values(low, high)
    if math.log10(values[-1] / values[0]) <= SHORT_DECADES:
        return values
    powers = [value for value in values if math.log10(value) % 1 < 1e-9 or math.log10(value) % 1 > 1 - 1e-9]
    return powers[::math.ceil(len(powers) / most)]


def binary_ticks(low, high, most=9):
    """Powers of two with equal steps, whose exponents are multiples of the step."""
    first, last = math.ceil(math.log2(low) - 1e-9), math.floor(math.log2(high) + 1e-9)
    step = next(step for step in range(1, last - first + 2) if (last - first) // step + 1 <= most)
    return [2.0**power for power in range(-(-first // step) * step, last + 1, step)]


def rate_text(value, unit):
    prefix = min(max(math.floor(math.log10(value) / 3 + 1e-9), 0), len(UNITS) - 1)
    return f"{value / 1000**prefix:.3g} {UNITS[prefix]}{unit}".rstrip()


def spread(wanted, height, low, high):
    """Middles of labels that are `height` high: from low to high, without an overlap, and as close to `wanted` as possible by least
    squares (an isotonic regression: neighbours in the wrong order share their mean)."""
    order = sorted(range(len(wanted)), key=lambda i: (wanted[i], i))
    runs = []
    for rank, i in enumerate(order):
        runs.append([wanted[i] - rank * height, 1])
        while len(runs) > 1 and runs[-2][0] / runs[-2][1] > runs[-1][0] / runs[-1][1]:
            total, count = runs.pop()
            runs[-1][0] += total
            runs[-1][1] += count
    means = [total / count for total, count in runs for _ in range(count)]
    first = low + height / 2
    last = max(first, high - height * (len(wanted) - 0.5))
    middles = [0.0] * len(wanted)
    for rank, i in enumerate(order):
        middles[i] = min(max(means[rank], first), last) + rank * height
    return middles
