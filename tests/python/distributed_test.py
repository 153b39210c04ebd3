# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""upsweep.distributed against the module's calls on the whole array: ranks as threads, as processes of MPI (with mpirun and mpi4py) and of
torch.distributed (with PyTorch). distributed_rank.py is a process."""

import doctest
import importlib.util
import inspect
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import time
import unittest

import numpy
import upsweep
import upsweep.distributed as ud
from distributed_rank import check_calls
from parts import generator, require_examples, require_stubs

RANK = pathlib.Path(__file__).with_name("distributed_rank.py")


class Threads(unittest.TestCase):
    def test_calls(self):
        for size in (1, 2, 3, 8):
            ud.run_ranks(size, lambda rank: check_calls(rank, rank.rank, size, 12), time_limit=60)

    def test_many_ranks(self):
        ud.run_ranks(32, lambda rank: check_calls(rank, rank.rank, 32, 1), time_limit=60)

    def require_errors(self, function, own, text, size=3):
        """The exception of the rank with the error, and RankErrors of others that have its text; the next call works."""

        def one(rank):
            try:
                function(rank)
            except Exception as error:
                found = error
            self.assertEqual(ud.reduce(numpy.array([1]), rank), size)
            return found

        errors = ud.run_ranks(size, one, time_limit=30)
        self.assertIsInstance(errors[1], own)
        for rank in (0, 2):
            self.assertIsInstance(errors[rank], (ud.RankError, own) if own is ValueError else ud.RankError)
            self.assertIn(text, str(errors[rank]))

    def test_errors(self):
        x = numpy.arange(5)
        text = numpy.array(["a"])
        for call in (ud.cumsum, ud.sort, ud.argsort, ud.unique, ud.histogram, ud.reduce):
            self.require_errors(lambda rank: call(text if rank.rank == 1 else x, rank), TypeError, "rank 1: TypeError")
        self.require_errors(lambda rank: ud.select(x, x if rank.rank == 1 else x > 0, rank), TypeError, "rank 1: TypeError")
        self.require_errors(lambda rank: ud.top_k(x, -1 if rank.rank == 1 else 2, rank), ValueError, "rank 1: ValueError")
        self.require_errors(lambda rank: ud.quantile(x, 2 if rank.rank == 1 else 1, rank), ValueError, "rank 1: ValueError")
        self.require_errors(lambda rank: ud.cumsum(x.astype(float) if rank.rank == 1 else x, rank), ValueError, "other types or options")
        self.require_errors(lambda rank: (ud.sort if rank.rank == 1 else ud.argsort)(x, rank), ValueError, "rank 1 calls sort")
        self.require_errors(lambda rank: ud.sort(x, rank, part=4), ValueError, "the ranks want 12 elements, but there are 15")
        self.require_errors(lambda rank: ud.nth_element(x, 15, rank), ValueError, "n is 15, but all parts together have 15 elements")
        self.require_errors(lambda rank: ud.merge(x, x.astype(float) if rank.rank == 1 else x, rank), TypeError, "a has dtype int64, but b float64")
        self.require_errors(lambda rank: ud.merge(x, x, rank, part=1), ValueError, "the ranks want 3 elements")
        self.require_errors(lambda rank: ud.rebalance(x, rank, part=1), ValueError, "the ranks want 3 elements")

    def test_ends(self):
        """A rank that raises outside of calls, one that returns, and one that does not come: the others raise."""

        def raises(rank):
            if rank.rank == 1:
                raise KeyError("own")
            ud.cumsum(numpy.ones(3), rank)

        with self.assertRaises(KeyError):
            ud.run_ranks(3, raises, time_limit=30)

        def returns(rank):
            if rank.rank != 1:
                ud.cumsum(numpy.ones(3), rank)

        begin = time.monotonic()
        with self.assertRaises(ud.RankError):
            ud.run_ranks(3, returns, time_limit=2)

        def sleeps(rank):
            if rank.rank == 1:
                time.sleep(1)
            ud.cumsum(numpy.ones(3), rank)

        with self.assertRaisesRegex(ud.RankError, "has waited"):
            ud.run_ranks(3, sleeps, time_limit=0.2)
        self.assertLess(time.monotonic() - begin, 20)

    def test_arguments(self):
        for call in (lambda: ud.run_ranks(0, print), lambda: ud.set_time_limit(0)):
            self.assertRaises(ValueError, call)
        self.assertRaises(TypeError, lambda: ud.cumsum(numpy.ones(3), 7))
        self.assertRaises(TypeError, lambda: ud.run_ranks(1, lambda rank: ud.cumsum(numpy.ones(3, int), rank, compensated=True)))

    def test_page(self):
        require_examples("docs/python-ranks.md", self)

    def test_docstrings(self):
        require_stubs(ud, self)
        for name in ud.__all__:
            function = getattr(ud, name)
            if not inspect.isfunction(function):
                continue
            for parameter in inspect.signature(function).parameters:
                self.assertRegex(function.__doc__, rf"(?m)^    (\w+, )*{parameter}[:,]", f"{name}: {parameter}")
            for test in doctest.DocTestFinder().find(function, name, globs={"numpy": numpy, "upsweep": upsweep}):
                self.assertEqual(doctest.DocTestRunner().run(test).failed, 0, name)


def environment(**more):
    path = os.pathsep.join([str(pathlib.Path(upsweep.__file__).parents[1]), str(RANK.parent)])
    return os.environ | {"PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"} | {name: str(value) for name, value in more.items()}


@unittest.skipUnless(shutil.which("mpirun") and importlib.util.find_spec("mpi4py"), "there is no mpirun with mpi4py")
class Mpi(unittest.TestCase):
    def mpirun(self, ranks: int, *arguments):
        command = ["mpirun", "--oversubscribe", "-np", str(ranks), sys.executable, str(RANK), "mpi", *arguments]
        return subprocess.run(command, capture_output=True, text=True, timeout=120,
                              env=environment(OMPI_ALLOW_RUN_AS_ROOT=1, OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1))

    def test_calls(self):
        for ranks in (1, 3):
            done = self.mpirun(ranks, "calls")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(done.stdout.count("all right"), ranks, done.stdout + done.stderr)

    def test_a_rank_that_dies(self):
        begin = time.monotonic()
        self.assertNotEqual(self.mpirun(3, "dies").returncode, 0)
        self.assertLess(time.monotonic() - begin, 30)

    def test_a_rank_that_does_not_come(self):
        done = self.mpirun(2, "sleeps")
        self.assertIn("has waited for the other ranks for 1", done.stdout + done.stderr)


@unittest.skipUnless(importlib.util.find_spec("torch"), "there is no PyTorch")
class Gloo(unittest.TestCase):
    def run_ranks(self, ranks: int, *arguments):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        started = [subprocess.Popen([sys.executable, str(RANK), "gloo", *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                    env=environment(MASTER_ADDR="127.0.0.1", MASTER_PORT=port, WORLD_SIZE=ranks, RANK=rank, GLOO_SOCKET_IFNAME="lo"))
                   for rank in range(ranks)]
        return [(each.communicate(timeout=120), each.returncode) for each in started]

    def test_calls(self):
        for (out, error), code in self.run_ranks(3, "calls"):
            self.assertEqual(code, 0, error)
            self.assertIn("all right", out)

    def test_a_rank_that_dies(self):
        begin = time.monotonic()
        done = self.run_ranks(3, "dies")
        for (_, error), _ in done[:2]:
            self.assertIn("RankError", error)
        self.assertEqual(done[2][1], -9)
        self.assertLess(time.monotonic() - begin, 30)


if __name__ == "__main__":
    generator("distributed")
    sys.exit(unittest.main())
