# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ranks of a distributed program, for distributed.py: how they send, and calls that raise on all of them or on none.

A communicator has

    size, rank
    all_gather(thing)                 the things of all ranks, in their order; any that pickle takes
    exchange(array, send, to, receive)  two arrays in one dimension without gaps: send[r] elements of the first one go to rank r, in order, and
                                      receive[r] elements of the second one come from rank r
    end(message)                      no rank waits for this one any more, where the engine can say so

and raises RankError if a rank has ended or does not come.
"""

import sys

import numpy

time_limit = 600.0  # seconds that a rank of MPI waits for the others; None: without a limit


class RankError(RuntimeError):
    """The error of another rank, or the end of one. `rank` is its number, or None."""

    def __init__(self, message, rank=None):
        super().__init__(message)
        self.rank = rank

    def __reduce__(self):
        return type(self), (str(self), self.rank)


def communicator_of(comm):
    """The communicator for an mpi4py communicator, a process group of torch.distributed, or a rank of run_ranks()."""
    if hasattr(comm, "all_gather") and hasattr(comm, "exchange"):
        return comm
    kind = type(comm).__module__.partition(".")[0]
    if kind == "mpi4py":
        from ._ranks_mpi import communicator_of as of_mpi

        return of_mpi(comm)
    if kind == "torch" or comm is sys.modules.get("torch.distributed"):
        from ._ranks_torch import Torch

        return Torch(comm)
    raise TypeError(f"comm is {type(comm).__name__}, but must be a communicator of mpi4py, a process group of torch.distributed, torch.distributed "
                    "itself, or a rank of upsweep.distributed.run_ranks")


class Call:
    """One call of all ranks: a sequence of steps. After each step all ranks know whether it has failed on one of them, and then all raise: the
    rank with the error its own exception, and the others a RankError. The next call works."""

    def __init__(self, comm, name: str):
        self.ranks, self.name, self.step = communicator_of(comm), name, 0
        self.size, self.rank = self.ranks.size, self.ranks.rank

    def gather(self, step, options=None) -> list:
        """The results of step() of all ranks. `options()` must be the same on all of them."""
        own = failure = same = None
        try:
            own = step()
            same = repr(options()) if options is not None else None  # after the step, which finds them
        except Exception as error:  # whatever it is, the other ranks must hear of it
            failure = error
        text = None if failure is None else f"{type(failure).__name__}: {failure}"
        self.step += 1
        reports = self.ranks.all_gather((self.name, self.step, same, text, None if failure is not None else own))
        if failure is not None:
            raise failure
        for rank, report in enumerate(reports):
            if report[3] is not None:
                raise RankError(f"{report[0]}: rank {rank}: {report[3]}", rank)
        self._require_same(reports)
        return [report[4] for report in reports]

    def _require_same(self, reports) -> None:
        first = reports[0]
        for rank, other in enumerate(reports):
            if other[0] != first[0]:
                raise ValueError(f"rank 0 calls {first[0]}, but rank {rank} calls {other[0]}")
            if other[1:3] != first[1:3]:
                raise ValueError(f"{first[0]}: rank 0 and rank {rank} call it with other types or options: {first[2]} and {other[2]}")

    def exchange(self, array, send, receive):
        """Exchanges elements when every rank has the memory for them."""
        array, to = self.agree(lambda: (numpy.ascontiguousarray(array), numpy.empty(int(sum(receive)), array.dtype)))
        self.ranks.exchange(array, send, to, receive)
        return to

    def agree(self, step):
        """The result of step() on this rank, when no rank has failed."""
        own = []
        self.gather(lambda: own.append(step()))
        return own[0]
