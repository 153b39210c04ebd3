# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ranks that are processes: random calls over 1 to 8 of them, and errors, after which every process ends in time."""
import os
import subprocess
import sys
import time
import unittest

MPIRUN, PROGRAM = sys.argv[1], sys.argv[2]
# Open MPI starts nothing as root, and no more processes than processors, unless it is told to.
ENVIRONMENT = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1",
               "OMPI_MCA_hwloc_base_binding_policy": "none", "OMPI_MCA_btl_vader_single_copy_mechanism": "none"}
TIME = 30  # seconds in which all processes end after an error


def run(ranks, *arguments, seconds=120):
    return subprocess.run([MPIRUN, "-n", str(ranks), PROGRAM, *map(str, arguments)], env=ENVIRONMENT, text=True, capture_output=True, timeout=seconds)


class Ranks(unittest.TestCase):
    def test_GivenRandomCalls_WhenMadeByProcesses_ThenAsPlainLoops(self):
        for ranks, calls in [(1, 28), (2, 42), (3, 42), (8, 28)]:
            with self.subTest(ranks=ranks):
                done = run(ranks, "calls", calls)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_GivenMessages_WhenSentInACircle_ThenTheyArrive(self):
        for ranks in (1, 2, 5):
            done = run(ranks, "messages")
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_GivenOperatorThatThrowsOnOneRank_WhenScanned_ThenAllThrowAndGoOn(self):
        done = run(3, "operator")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_GivenExceptionOutsideOfCalls_WhenOthersWait_ThenTheyEndWithItsMessage(self):
        begin = time.monotonic()
        done = run(4, "outside")
        self.assertNotEqual(done.returncode, 0)
        self.assertLess(time.monotonic() - begin, TIME)
        for rank in (0, 2, 3):
            self.assertIn(f"rank {rank} ends: upsweep::distributed: rank 1: an error outside of calls", done.stderr)

    def test_GivenRankThatDoesNotCome_WhenTheTimeIsOver_ThenAllEnd(self):
        begin = time.monotonic()
        done = run(3, "absent")
        self.assertNotEqual(done.returncode, 0)
        self.assertLess(time.monotonic() - begin, TIME)
        self.assertIn("has waited for the other ranks for 1000 ms", done.stderr)

    def test_GivenProcessThatIsKilled_WhenOthersWait_ThenTheyEnd(self):
        begin = time.monotonic()
        done = run(3, "killed")
        self.assertNotEqual(done.returncode, 0)
        self.assertLess(time.monotonic() - begin, TIME)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
