# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""All functions with arguments of any kind at any place: a call returns a result, or raises what its help says. UPSWEEP_SEED and UPSWEEP_ROUNDS
make other and longer runs."""

import inspect
import os
import random
import unittest
import warnings

import numpy
import upsweep

SEED, ROUNDS = int(os.environ.get("UPSWEEP_SEED", "1")), int(os.environ.get("UPSWEEP_ROUNDS", "10000"))
EXPECTED = (TypeError, ValueError, IndexError, MemoryError)
DTYPES = ["bool", "int8", "uint8", "int16", "uint32", "int64", "uint64", "float16", "float32", "float64", ">i4", "complex64", "object", "S3"]
OTHERS = [0, 1, 2, -1, 10, 2**31, 2**63, 2**64, -(2**63), 10**30, 1.5, float("nan"), float("inf"), None, True, 1j, b"x", slice(3), (), [], {},
          [0, 2, 1], (0, 1), [[1], [2, 3]], "plus", "maximum", "a + b", "x", "", "float32", "int8", "O", "(" * 300, "a" * 3000,
          numpy.float32(2), numpy.int8(-3), numpy.array(2), numpy.array([], int)]


class Arguments:
    def __init__(self, seed):
        self.pick = random.Random(seed)
        self.numbers = numpy.random.default_rng(seed)

    def chance(self, share):
        return self.pick.random() < share

    def array(self):
        dtype = numpy.dtype(self.pick.choice(DTYPES))
        shape = tuple(self.pick.choice([0, 1, 2, 3, 7, 50]) for _ in range(self.pick.choice([0, 1, 1, 1, 2, 2, 3])))
        if dtype.kind in "iu":
            info = numpy.iinfo(dtype)
            made = self.numbers.integers(info.min, info.max, shape, dtype.newbyteorder("="), endpoint=True).astype(dtype)
        elif dtype.kind in "bfc":
            made = self.numbers.normal(size=shape).astype(dtype)
        else:
            made = numpy.zeros(shape, dtype)
        made = numpy.asarray(made)
        if made.ndim and self.chance(0.2):
            made = made[::-1]
        if made.ndim and self.chance(0.15):
            made = made[..., ::2]
        if self.chance(0.1):
            made = numpy.broadcast_to(made, (3,) + made.shape)
        return made.T if self.chance(0.2) else made

    def any(self, share_of_arrays):
        return self.array() if self.chance(share_of_arrays) else self.pick.choice(OTHERS)

    def of(self, function):
        required, named = [], {}
        for name, parameter in inspect.signature(function).parameters.items():
            if parameter.kind is parameter.POSITIONAL_ONLY or parameter.default is parameter.empty:
                required.append(self.any(0.8))
            elif self.chance(0.35):
                named[name] = required[0] if name == "out" and required and self.chance(0.2) else self.any(0.3)
                if name in ("repeat", "bins"):  # large numbers are right requests, which take minutes or gigabytes
                    value = self.pick.choice(OTHERS)
                    named[name] = 3 if isinstance(value, int) and value > 100 else value
        return required, named


class AnyArguments(unittest.TestCase):
    def test_GivenArgumentsOfAnyKind_WhenCalled_ThenAResultOrAnExceptionOfTheHelp(self):
        arguments = Arguments(SEED)
        functions = [getattr(upsweep, name) for name in upsweep.__all__ if inspect.isfunction(getattr(upsweep, name))]
        functions.remove(upsweep.set_num_threads)
        results = 0
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for number in range(ROUNDS):
                function = arguments.pick.choice(functions)
                required, named = arguments.of(function)
                with self.subTest(round=number, function=function.__name__, required=required, named=named):
                    try:
                        function(*required, **named)
                        results += 1
                    except EXPECTED:
                        pass
        self.assertGreater(results, ROUNDS // 100)


if __name__ == "__main__":
    unittest.main()
