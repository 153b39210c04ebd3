# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The threads of the CPU part."""

from ._arguments import whole_number
from ._library import cpu, fail

MOST_THREADS = 4096


def set_num_threads(threads) -> None:
    """Sets the number of threads on which calls with NumPy arrays run from now on, in this process.

    threads: an integer, 1 to 4096; None: the initial number, one for each processor that the process may use. Running calls
        keep theirs. Results have the same bits for every number.

    Raises ValueError for other numbers, TypeError for other types.

    >>> upsweep.set_num_threads(2)
    >>> upsweep.get_num_threads()
    2
    >>> upsweep.set_num_threads(None)
    """
    number = 0 if threads is None else whole_number(threads, "the number of threads")
    if threads is not None and not 1 <= number <= MOST_THREADS:
        raise ValueError(f"the number of threads is {number}, but must be 1 to {MOST_THREADS}")
    message = cpu.set_threads(number)
    if message:
        fail(message)


def get_num_threads() -> int:
    """The number of threads on which calls with NumPy arrays run."""
    return cpu.threads()
