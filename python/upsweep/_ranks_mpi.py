# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ranks that are processes of MPI, by mpi4py. All messages are of a duplicate of the caller's communicator, and none of them blocks: a rank that
waits too long raises an error."""

import pickle
import time

import numpy
from mpi4py import MPI

from . import _ranks
from ._ranks import RankError

_MOST_BYTES = 1 << 30  # of a message; MPI counts in C's int
_key = None
_lost = []  # requests that MPI cannot cancel, and their arrays, which it may still write


def communicator_of(comm):
    """The communicator for a communicator of mpi4py, which keeps it: all ranks make the first call together."""
    global _key
    if comm == MPI.COMM_NULL:
        raise ValueError("comm is MPI's COMM_NULL: this process is no rank of it")
    if _key is None:
        _key = MPI.Comm.Create_keyval()
    known = comm.Get_attr(_key)
    if known is None:
        own, request = comm.Idup()
        _wait([request])
        known = Mpi(own)
        comm.Set_attr(_key, known)
    return known


def _wait(requests) -> None:
    begin, rounds, limit = time.monotonic(), 0, _ranks.time_limit
    while not MPI.Request.Testall(requests):
        rounds += 1
        waited = time.monotonic() - begin
        if limit is not None and waited > limit:
            _lost.append(requests)
            raise RankError(f"a rank has waited for the other ranks for {limit} s")
        if waited > 0.002:  # other ranks may need this processor
            time.sleep(50e-6)
        elif rounds > 200:
            time.sleep(0)


class Mpi:
    def __init__(self, comm):
        self._comm, self.size, self.rank = comm, comm.Get_size(), comm.Get_rank()
        self._over = None
        comm.Set_errhandler(MPI.ERRORS_RETURN)

    def _guarded(self, action):
        if self._over:
            raise RankError(self._over)
        try:
            return action()
        except MPI.Exception as error:
            self._over = f"MPI: {error}"
            raise RankError(self._over) from error
        except RankError as error:
            self._over = str(error)
            raise

    def all_gather(self, thing):
        return self._guarded(lambda: self._all_gather(thing))

    def _all_gather(self, thing):
        own = numpy.frombuffer(pickle.dumps(thing, protocol=pickle.HIGHEST_PROTOCOL), numpy.uint8)
        lengths = numpy.zeros(self.size, numpy.int64)
        _wait([self._comm.Iallgather([numpy.array([own.size]), MPI.INT64_T], [lengths, MPI.INT64_T])])
        begins = numpy.concatenate([[0], numpy.cumsum(lengths)])
        if begins[-1] > _MOST_BYTES:  # all ranks know the lengths
            raise RankError(f"the ranks gather {begins[-1]} bytes, more than {_MOST_BYTES}; use fewer ranks")
        every = numpy.empty(begins[-1], numpy.uint8)
        _wait([self._comm.Iallgatherv([own, MPI.BYTE], [every, lengths.tolist(), begins[:-1].tolist(), MPI.BYTE])])
        return [pickle.loads(every[a:b]) for a, b in zip(begins, begins[1:])]

    def exchange(self, array, send, to, receive):
        self._guarded(lambda: self._exchange(array, send, to, receive))

    def _exchange(self, array, send, to, receive):
        from_, to = (each.view(numpy.uint8) for each in (array, to))
        requests = []
        for buffer, counts, start in ((to, receive, self._comm.Irecv), (from_, send, self._comm.Isend)):
            begin = 0
            for rank, count in enumerate(counts):
                end = begin + int(count) * array.itemsize
                if rank == self.rank:
                    own = slice(begin, end)
                else:
                    requests += [start([buffer[at:min(end, at + _MOST_BYTES)], MPI.BYTE], rank) for at in range(begin, end, _MOST_BYTES)]
                begin = end
            if buffer is to:
                own_to = own
        to[own_to] = from_[own]
        _wait(requests)

    def end(self, message: str) -> None:
        pass  # MPI has no such message; mpirun ends the ranks if one of them ends with an error
