# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ranks that are threads of this process."""

import threading

import numpy

from ._ranks import RankError


class _Group:
    def __init__(self, size: int, time_limit):
        self.size, self.time_limit = size, time_limit
        self.barrier = threading.Barrier(size)
        self.slots = [None] * size
        self.lock, self.over = threading.Lock(), None
        self.returned = None  # a rank that does not come any more

    def end(self, rank: int, message: str) -> None:
        with self.lock:
            if self.over is None:
                self.over = RankError(f"rank {rank}: {message}", rank)
        self.barrier.abort()

    def wait(self, rank: int) -> None:
        try:
            self.barrier.wait(self.time_limit)
        except threading.BrokenBarrierError:
            if self.over is None:
                self.end(rank, f"it has waited for the other ranks for {self.time_limit} s, or one of them has ended")
            raise RankError(str(self.over), self.over.rank) from None


class Thread:
    """A rank of run_ranks()."""

    def __init__(self, group: _Group, rank: int):
        self._group, self.rank, self.size = group, rank, group.size

    def _swap(self, thing, read):
        group = self._group
        group.slots[self.rank] = thing
        group.wait(self.rank)
        made = [read(each) for each in group.slots]
        group.wait(self.rank)
        return made

    def all_gather(self, thing):
        return self._swap(thing, lambda each: each)

    def exchange(self, array, send, to, receive):
        places = [numpy.concatenate([[0], numpy.cumsum(counts)]) for counts in (send, receive)]
        pieces = [array[a:b] for a, b in zip(places[0], places[0][1:])]
        into = iter([to[a:b] for a, b in zip(places[1], places[1][1:])])

        def copy(each):
            next(into)[...] = each[self.rank]

        self._swap(pieces, copy)

    def end(self, message: str) -> None:
        self._group.end(self.rank, message)


def run_ranks(n: int, function, *, time_limit=600.0) -> list:
    """Calls function(rank) on n threads of this process, where `rank` is a communicator for the functions of upsweep.distributed.

    n: the number of ranks, 1 or more.
    function: what a rank does.
    time_limit: the seconds that a rank waits for the others; None: without a limit.

    Returns the results of all ranks, in order. Raises the exception of the first rank that raised one of its own; the other ranks then get
    RankError. Raises ValueError for less than one rank.

    >>> upsweep.distributed.run_ranks(2, lambda rank: upsweep.distributed.cumsum(numpy.ones(2, int), rank).tolist())
    [[1, 2], [3, 4]]
    """
    if n < 1:
        raise ValueError(f"n is {n}, but there must be one rank or more")
    group = _Group(n, time_limit)
    results, errors = [None] * n, [None] * n

    def run(rank: int):
        try:
            results[rank] = function(Thread(group, rank))
        except BaseException as error:
            errors[rank] = error
            group.end(rank, f"{type(error).__name__}: {error}")
        else:
            group.returned = rank

    threads = [threading.Thread(target=run, args=(rank,)) for rank in range(n)]
    for each in threads:
        each.start()
    for each in threads:
        while each.is_alive():
            each.join(0.1)
            if group.returned is not None and group.barrier.n_waiting > 0:
                group.end(group.returned, "it has returned, but other ranks wait for it")
    failed = [each for each in errors if each is not None]
    own = [each for each in failed if not isinstance(each, RankError)]
    if failed:
        raise (own or failed)[0]
    return results
