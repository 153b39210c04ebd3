# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""upsweep.torch against PyTorch's own operators: values, gradients, torch.compile, vmap, autocast. Skipped without PyTorch 2.9."""

import doctest
import inspect
import os
import pathlib
import sys
import threading
import unittest

try:
    import torch
except ImportError:
    print("skipped: PyTorch is not installed")
    sys.exit(77)
if not hasattr(torch.library, "get_kernel"):
    print(f"skipped: PyTorch {torch.__version__} is older than 2.9")
    sys.exit(77)

import upsweep
import upsweep.torch as ours

DEVICE = os.environ.get("UPSWEEP_TEST_DEVICE", "cpu")
HERE = [name for code, name in enumerate(upsweep._library.TYPES) if upsweep._library.cpu.types >> code & 1]
INTEGERS = [getattr(torch, name) for name in HERE if name in ("int8", "uint8", "int16", "int32", "int64")]
FLOATS = [getattr(torch, name) for name in HERE if name.startswith("float")]
HALVES = [torch.float16, torch.bfloat16] if torch.float32 in FLOATS else []
SHAPES = [(), (0,), (1,), (7,), (3, 0, 2), (5, 33), (2, 3, 4), (4, 1000), (20_011,), (3, 5_000, 2)]
SEED = int(os.environ.get("UPSWEEP_TEST_SEED", "11"))


def tensor(shape, dtype, nans=False):
    if dtype.is_floating_point or dtype.is_complex:
        made = torch.randn(shape, dtype=torch.complex128 if dtype.is_complex else torch.float64) / 2
        if nans and made.numel():
            made = torch.where(torch.rand(shape) < 0.05, torch.nan, made)
            made = torch.where(torch.rand(shape) < 0.1, -0.0, made)
            made = torch.where(torch.rand(shape) < 0.1, 0.0, made)
            made = torch.where(torch.rand(shape) < 0.05, -made, made)
        return made.to(dtype).to(DEVICE)
    return torch.randint(-3 if dtype.is_signed else 0, 4, shape, dtype=dtype, device=DEVICE)


def layouts(x):
    """The same values by other strides."""
    yield x
    if x.dim():
        yield x.transpose(0, -1).contiguous().transpose(0, -1)
        wide = torch.empty((*x.shape[:-1], 2 * x.shape[-1]), dtype=x.dtype, device=x.device)
        wide[..., ::2] = x
        yield wide[..., ::2]


class Case(unittest.TestCase):
    few = 0  # elements: small tensors are not left to PyTorch

    def setUp(self):
        torch.manual_seed(SEED)
        self.place = ""
        few, ours._FEW = ours._FEW, self.few
        self.addCleanup(setattr, ours, "_FEW", few)

    def same(self, got, wanted, **limits):
        torch.testing.assert_close(got, wanted, equal_nan=True, msg=lambda text: f"{self.place}: {text}", **limits)

    def close(self, got, wanted):
        """Sums of PyTorch's narrow types are rounded at each step."""
        limits = {torch.float16: 0.02, torch.bfloat16: 0.1, torch.float32: 1e-4, torch.complex64: 1e-3}.get(wanted.dtype)
        self.same(got, wanted, **({"rtol": limits, "atol": limits} if limits else {}))


class Values(Case):
    def each(self, dtypes, nans=False):
        for dtype in dtypes:
            for shape in SHAPES:
                x = tensor(shape, dtype, nans)
                for dim in range(-max(x.dim(), 1), max(x.dim(), 1)):
                    for y in layouts(x):
                        self.place = f"{dtype} of shape {shape}, strides {y.stride()}, dim {dim}"
                        yield y, dim

    def test_sums_and_products(self):
        complexes = [torch.complex64, torch.complex128] if {torch.float32, torch.float64} <= set(FLOATS) else []
        for x, dim in self.each(INTEGERS + FLOATS + HALVES + complexes):
            self.close(ours.cumsum(x, dim), torch.cumsum(x, dim))
            x = x / x.abs().clamp_min(0.1) if x.is_floating_point() or x.is_complex() else x
            self.close(ours.cumprod(x, dim), torch.cumprod(x, dim))

    def test_dtypes(self):
        x = tensor((50,), torch.int32 if torch.int32 in INTEGERS else torch.int64)
        for dtype in [torch.float64, torch.int64]:
            self.same(ours.cumsum(x, 0, dtype=dtype), torch.cumsum(x, 0, dtype=dtype))
            self.same(ours.cumprod(x, 0, dtype=dtype), torch.cumprod(x, 0, dtype=dtype))
        flags = tensor((70,), torch.int64) > 0
        if "uint8" in HERE:
            self.same(ours.cumsum(flags, 0), torch.cumsum(flags, 0))

    def test_extremes(self):
        for x, dim in self.each(INTEGERS + FLOATS, nans=True):
            for mine, theirs in [(ours.cummax, torch.cummax), (ours.cummin, torch.cummin)]:
                got, wanted = mine(x, dim), theirs(x, dim)
                self.same(got.values, wanted.values)
                self.same(got.indices, wanted.indices)

    def test_logcumsumexp(self):
        for x, dim in self.each(FLOATS, nans=True):
            self.close(ours.logcumsumexp(x, dim), torch.logcumsumexp(x, dim))
        for values in [[-torch.inf, -torch.inf, 1.0, torch.inf, 2.0], [1e4, -1e4, 1e4], [-torch.inf] * 3]:
            x = torch.tensor(values, dtype=torch.float64)
            self.same(ours.logcumsumexp(x, 0), torch.logcumsumexp(x, 0))
            self.same(ours.logcumsumexp(x, 0, reverse=True), torch.logcumsumexp(x.flip(0), 0).flip(0))

    def test_directions(self):
        for x, dim in self.each([torch.float64]):
            y = x.reshape(1) if not x.dim() else x
            total = torch.cumsum(y, dim)
            self.same(ours.scan(x, dim=dim, exclusive=True), (total - y).reshape(x.shape), rtol=1e-9, atol=1e-9)
            self.same(ours.scan(x, dim=dim, reverse=True), y.flip(dim).cumsum(dim).flip(dim).reshape(x.shape))
            self.same(ours.scan(x, "maximum", dim), torch.cummax(y, dim).values.reshape(x.shape))

    def test_sorts(self):
        for x, dim in self.each(INTEGERS + FLOATS + HALVES, nans=True):
            for descending in (False, True):
                got, wanted = ours.sort(x, dim, descending), torch.sort(x, dim=dim, descending=descending, stable=True)
                self.same(got.values, wanted.values)
                self.same(got.indices, wanted.indices)
                self.same(ours.argsort(x, dim, descending), wanted.indices)

    def test_top_k(self):
        for x, dim in self.each(INTEGERS + FLOATS, nans=True):
            n = x.shape[dim] if x.dim() else 1
            for k in {0, min(1, n), min(5, n), n} if x.dim() else {1}:
                for largest in (False, True):
                    got, wanted = ours.topk(x, k, dim, largest), torch.topk(x, k, dim, largest)
                    self.same(got.values, wanted.values)
                    if x.dim() and x.numel():
                        self.same(x.gather(dim, got.indices), got.values)

    def test_selections(self):
        for x, _ in self.each(INTEGERS + FLOATS + HALVES, nans=True):
            mask = torch.rand(x.shape, device=DEVICE) < 0.4
            self.same(ours.masked_select(x, mask), torch.masked_select(x, mask))
        x = tensor((3, 4), torch.float64)
        mask = torch.tensor([True, False, True, True], device=DEVICE)
        self.same(ours.masked_select(x, mask), torch.masked_select(x, mask))
        self.assertRaises(TypeError, ours.masked_select, x, x)

    def test_runs(self):
        for x, _ in self.each(INTEGERS + FLOATS, nans=True):
            for how in [{}, {"return_inverse": True}, {"return_counts": True}, {"return_inverse": True, "return_counts": True}]:
                got, wanted = ours.unique_consecutive(x, **how), torch.unique_consecutive(x, **how)
                for mine, theirs in zip(got, wanted) if how else [(got, wanted)]:
                    self.same(mine, theirs)

    def test_counts(self):
        for dtype in INTEGERS:
            for n in (0, 1, 1000, 50_000):
                x = tensor((n,), dtype).abs()
                for least in (0, 100):
                    self.same(ours.bincount(x, least), torch.bincount(x, minlength=least))
        self.assertRaises(ValueError, ours.bincount, torch.tensor([1, -1]))
        self.assertRaises(ValueError, ours.bincount, torch.tensor([1 << 60]))
        self.assertRaises(TypeError, ours.bincount, torch.tensor([1.0]))

    def test_segments(self):
        for n, segments in [(0, 1), (1, 1), (1000, 30), (70_001, 400)]:
            offsets = torch.sort(torch.randint(0, n + 1, (segments,))).values
            offsets = torch.cat([torch.zeros(1, dtype=torch.int64), offsets, torch.tensor([n])]).to(DEVICE)
            x = tensor((n,), torch.float64)
            ends = list(zip(offsets[:-1].tolist(), offsets[1:].tolist()))
            wanted = torch.cat([x[begin:end].cumsum(0) for begin, end in ends])
            self.same(ours.segmented_scan(x, offsets), wanted)
            self.same(ours.segmented_scan(x, offsets, exclusive=True), wanted - x, rtol=1e-9, atol=1e-9)
            self.same(ours.segment_reduce(x, offsets), torch.stack([x[begin:end].sum() for begin, end in ends]))
            least = torch.stack([x[begin:end].min() if end > begin else torch.tensor(torch.inf, dtype=x.dtype) for begin, end in ends])
            self.same(ours.segment_reduce(x, offsets, "min"), least)
        self.assertRaises(ValueError, ours.segment_reduce, x, torch.tensor([5, 3]))
        self.assertRaises(ValueError, ours.segment_reduce, x, torch.tensor([0, 1 << 40]))
        self.assertRaises(TypeError, ours.segment_reduce, x, torch.tensor([0.0, 3.0]))

    def test_outputs(self):
        x = tensor((30, 20), torch.float64)
        for out in [torch.empty(0, dtype=x.dtype), torch.full_like(x, 77), torch.full((20, 30), 77.0, dtype=x.dtype).T]:
            self.assertIs(ours.cumsum(x, 1, out=out), out)
            self.same(out, torch.cumsum(x, 1))
        values, indices = torch.empty_like(x), torch.empty(x.shape, dtype=torch.int64)
        ours.sort(x, 0, out=(values, indices))
        self.same(values, torch.sort(x, 0).values)
        self.assertRaises(RuntimeError, ours.cumsum, x.requires_grad_(), 0, out=torch.empty_like(x))
        self.assertRaises(RuntimeError, ours.cumsum, x.detach(), 0, out=torch.empty(x.shape, dtype=torch.int64))

    def test_errors(self):
        x = tensor((4, 5), torch.float64)
        for call in [lambda: ours.cumsum(x, 2), lambda: ours.cummax(x, -3), lambda: ours.sort(x, 9), lambda: ours.linear_recurrence(x, x, 2),
                     lambda: ours.linear_recurrence(torch.tensor(1.0), torch.tensor(1.0))]:
            self.assertRaises(IndexError, call)
        self.assertRaises(ValueError, ours.scan, x, "minus")
        self.assertRaises(ValueError, ours.topk, x, 6)
        self.assertRaises(TypeError, ours.linear_recurrence, x.float(), x)
        self.assertRaises(TypeError, ours.linear_recurrence, x.long(), x.long())
        self.assertRaises(RuntimeError, ours.linear_recurrence, x, x[:, :3])
        self.assertRaises(TypeError, ours.cummax, x + 1j, 0)


class Recurrences(Case):
    def loop(self, a, b, dim, initial, reverse):
        a, b = (x.movedim(dim, 0) for x in torch.broadcast_tensors(a, b))
        state = torch.zeros_like(b[0]) if initial is None else initial
        made = []
        for t in reversed(range(len(b))) if reverse else range(len(b)):
            state = a[t] * state + b[t]
            made.append(state)
        return torch.stack(made[::-1] if reverse else made).movedim(0, dim), state

    def test_values_and_gradients(self):
        for dtype in [torch.float64, torch.complex128]:
            for shape in [(9,), (3, 8), (2, 7, 3)]:
                for dim in range(len(shape)):
                    for reverse in (False, True):
                        a, b = (tensor(shape, dtype).requires_grad_() for _ in range(2))
                        initial = tensor(shape[:dim] + shape[dim + 1:], dtype).requires_grad_()
                        got = ours.linear_recurrence(a, b, dim, initial=initial, reverse=reverse, return_last=True)
                        wanted = self.loop(a, b, dim, initial, reverse)
                        weights = [tensor(x.shape, dtype) for x in got]
                        with self.subTest(dtype=dtype, shape=shape, dim=dim, reverse=reverse):
                            self.same(got, wanted)
                            of_ours, of_loop = (torch.autograd.grad(sum((x * w).abs().sum() for x, w in zip(made, weights)), (a, b, initial))
                                                for made in (got, wanted))
                            self.same(of_ours, of_loop)

    def test_broadcasts_and_halves(self):
        a, b = tensor((6, 1), torch.float64).requires_grad_(), tensor((4, 1, 9), torch.float64).requires_grad_()
        got, wanted = ours.linear_recurrence(a, b), self.loop(a, b, 2, None, False)[0]
        self.same(got, wanted)
        self.same(torch.autograd.grad(got.sin().sum(), (a, b)), torch.autograd.grad(wanted.sin().sum(), (a, b)))
        for dtype in (torch.float16, torch.bfloat16):
            a, b = tensor((5, 40), dtype), tensor((5, 40), dtype)
            made = ours.linear_recurrence(a, b)
            self.same(made, self.loop(a.float(), b.float(), 1, None, False)[0].to(dtype))

    def test_layouts(self):
        a, b = tensor((40, 30), torch.float64), tensor((40, 30), torch.float64)
        for dim in (0, 1):
            wanted = self.loop(a, b, dim, None, False)[0]
            for left in layouts(a):
                for right in layouts(b):
                    self.same(ours.linear_recurrence(left, right, dim), wanted)

    def test_empty(self):
        for shape in [(0,), (3, 0), (0, 3)]:
            a = torch.zeros(shape, dtype=torch.float64, requires_grad=True)
            initial = torch.ones(shape[:-1], dtype=torch.float64, requires_grad=True)
            states, last = ours.linear_recurrence(a, a, initial=initial, return_last=True)
            self.assertEqual((states.shape, last.shape), (a.shape, initial.shape))
            self.same(torch.autograd.grad(last.sum(), initial)[0], torch.ones_like(initial) if shape[-1] == 0 else torch.zeros_like(initial))


def functions():
    """Differentiable calls of one tensor."""
    offsets = torch.tensor([0, 3, 3, 7, 12], device=DEVICE)
    return {
        "cumsum": lambda x: ours.cumsum(x, 1), "cumprod": lambda x: ours.cumprod(x, 1),
        "exclusive": lambda x: ours.scan(x, "multiplies", 0, exclusive=True), "reverse": lambda x: ours.scan(x, "multiplies", -1, reverse=True),
        "sum": lambda x: ours.scan(x, "plus", 1, exclusive=True, reverse=True), "cummax": lambda x: ours.cummax(x, 1)[0],
        "cummin": lambda x: ours.cummin(x, 0)[0], "maximum": lambda x: ours.scan(x, "maximum", 1),
        "logcumsumexp": lambda x: ours.logcumsumexp(x, 1), "logcumsumexp back": lambda x: ours.logcumsumexp(x, 0, reverse=True),
        "sort": lambda x: ours.sort(x, 1)[0], "topk": lambda x: ours.topk(x, 2, 1)[0], "select": lambda x: ours.masked_select(x, x > 0),
        "segments": lambda x: ours.segmented_scan(x.reshape(-1), offsets), "totals": lambda x: ours.segment_reduce(x.reshape(-1), offsets),
        "recurrence": lambda x: ours.linear_recurrence(x.cos(), x, 1, initial=x[:, 0].sin(), return_last=True),
        "backward": lambda x: ours.linear_recurrence(x.cos(), x, 0, reverse=True),
    }


class Gradients(Case):
    def test_first_and_second(self):
        for name, function in functions().items():
            for zeros in (False, True):
                x = tensor((3, 4), torch.float64)
                if zeros and name not in ("cummax", "cummin", "maximum", "sort", "topk", "select"):
                    x[0, 1] = x[2, 2] = x[2, 0] = 0
                with self.subTest(name, zeros=zeros):
                    self.assertTrue(torch.autograd.gradcheck(function, x.requires_grad_()))
                    self.assertTrue(torch.autograd.gradgradcheck(function, x))

    def test_complex(self):
        x = tensor((3, 4), torch.complex128).requires_grad_()
        for function in [lambda x: ours.cumsum(x, 1), lambda x: ours.cumprod(x, 0), lambda x: ours.linear_recurrence(x, x * x, 1),
                         lambda x: ours.linear_recurrence(x.real, x, 1, initial=x[:, 0])]:
            self.assertTrue(torch.autograd.gradcheck(function, x))
            self.assertTrue(torch.autograd.gradgradcheck(function, x))

    def test_infinities(self):
        x = torch.tensor([-torch.inf, -torch.inf, 1.0, -torch.inf, 2.0], dtype=torch.float64, requires_grad=True)
        got, = torch.autograd.grad(ours.logcumsumexp(x, 0)[2:].sum(), x)
        share = torch.sigmoid(torch.tensor(-1.0, dtype=torch.float64))  # of 1 in log(exp(1) + exp(2))
        self.same(got, torch.stack([0 * share, 0 * share, 2 + share, 0 * share, 1 - share]))

    def test_refused(self):
        x = tensor((5,), torch.float64).requires_grad_()
        self.assertRaises(NotImplementedError, ours.scan(x, "maximum", reverse=True).sum().backward)
        self.assertRaises(NotImplementedError, ours.segmented_scan(x, torch.tensor([0]), "maximum").sum().backward)


class Documents(unittest.TestCase):
    @unittest.skipIf(len(HERE) < len(upsweep._library.TYPES), "the examples use float32, which this build lacks")
    def test_examples(self):
        page = (pathlib.Path(__file__).resolve().parents[2] / "docs/torch.md").read_text()
        test = doctest.DocTestParser().get_doctest(page.replace("```", "\n"), {}, "docs/torch.md", None, 0)
        self.assertGreater(len(test.examples), 20)
        self.assertEqual(doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test).failed, 0)

    def test_docstrings(self):
        for name in ours.__all__:
            text = getattr(ours, name).__doc__
            for parameter in inspect.signature(getattr(ours, name)).parameters:
                if name not in ("cumprod", "cummin", "argsort") and parameter not in ("dim", "stable", "sorted", "descending", "largest"):
                    self.assertRegex(text, rf"\b{parameter}[:,]", f"{name}: {parameter}")
        self.assertEqual({name for name in vars(ours) if not name.startswith("_")}, set(ours.__all__))


class FewElements(Case):
    """PyTorch's own functions are called."""

    few = ours._FEW

    def test_each_function(self):
        x = tensor((5, 9), torch.float64).requires_grad_()
        for name, arguments, how in [("cumsum", (1,), {}), ("cumprod", (0,), {"dtype": torch.float32}), ("cummax", (1,), {}), ("cummin", (1,), {}),
                                     ("sort", (0, True), {}), ("logcumsumexp", (1,), {}), ("argsort", (), {}), ("topk", (2,), {}),
                                     ("masked_select", (x > 0,), {})]:
            self.same(getattr(ours, name)(x, *arguments, **how), getattr(torch, name)(x, *arguments, **how))


class Transforms(Case):
    def test_operators(self):
        x, a = tensor((3, 5), torch.float64).requires_grad_(), tensor((3, 5), torch.float64).requires_grad_()
        line, offsets = tensor((9,), torch.float64).requires_grad_(), torch.tensor([0, 4, 9])
        calls = {
            "scan": (x, "plus", 1, False, True), "extremes": (x, 1, True), "logcumsumexp": (x, 0, False),
            "linear_recurrence": (a, x, tensor((3,), torch.float64), 1, False), "recurrence_adjoint": (a, x, None, 1, False),
            "segmented_scan": (line, offsets, "plus", False), "segment_reduce": (line, offsets, "plus"), "sort": (x, 1, True),
            "top_k": (x, 2, 0, True), "select": (x, x > 0), "unique_consecutive": (x.detach(), True, True),
            "bincount": (torch.tensor([1, 2, 2]), 5),
        }
        for name, arguments in calls.items():
            with self.subTest(name):
                torch.library.opcheck(getattr(torch.ops.upsweep, name).default, arguments)

    def test_compile(self):
        """Without a graph break, forward and backward."""
        def model(x):
            states, last = ours.linear_recurrence(torch.sigmoid(x), ours.cumsum(x, 1), 1, return_last=True)
            return ours.sort(states.tanh(), 0)[0].sum() + ours.logcumsumexp(last, 0).sum() + ours.cummax(x, 1)[0].sum()

        x = tensor((4, 60), torch.float64).requires_grad_()
        wanted = torch.autograd.grad(model(x), x)
        made = torch.compile(model, fullgraph=True, backend="aot_eager")(x)
        self.same(torch.autograd.grad(made, x), wanted)

    def test_vmap(self):
        batched = {
            "cumsum": lambda x: ours.cumsum(x, 0), "last": lambda x: ours.cumprod(x, -1), "cummax": lambda x: ours.cummax(x, 0)[1],
            "logcumsumexp": lambda x: ours.logcumsumexp(x, 0), "sort": lambda x: ours.sort(x, 0)[1], "topk": lambda x: ours.topk(x, 2, 0)[0],
            "recurrence": lambda x: ours.linear_recurrence(x.cos(), x, 0, initial=x.sum(0)),
            "shared": lambda x: ours.linear_recurrence(torch.full_like(x, 0.5), x, 0),
        }
        x = tensor((5, 4, 3), torch.float64)
        for name, function in batched.items():
            for place in range(3):
                with self.subTest(name, place=place):
                    self.same(torch.func.vmap(function, place)(x), torch.stack([function(y) for y in x.unbind(place)]))
        line = x[0, :, 0].clone().requires_grad_()
        for function in [lambda x: ours.linear_recurrence(x.cos(), x), lambda x: ours.cumprod(x, 0), lambda x: ours.logcumsumexp(x, 0)]:
            made, rows = function(line), torch.eye(4, dtype=line.dtype, device=DEVICE)
            together = torch.autograd.grad(made, line, rows, is_grads_batched=True, retain_graph=True)[0]
            self.same(together, torch.stack([torch.autograd.grad(made, line, row, retain_graph=True)[0] for row in rows]))
        numbers = tensor((6,), torch.float64)
        self.same(torch.func.vmap(lambda x: ours.cumsum(x, 0))(numbers), numbers)

    def test_autocast(self):
        if torch.float32 in FLOATS:
            x = tensor((4, 9), torch.bfloat16)
            with torch.autocast(DEVICE, dtype=torch.bfloat16):
                self.assertEqual(ours.linear_recurrence(x, x).dtype, torch.float32)
                self.assertEqual(ours.scan(x, dim=0).dtype, torch.float32)

    def test_threads(self):
        x = tensor((1000, 7), torch.float64)
        wanted, failed = torch.cumsum(x, 0), []

        def work():
            for _ in range(50):
                if not torch.allclose(ours.cumsum(x, 0), wanted):
                    failed.append(1)

        threads = [threading.Thread(target=work) for _ in range(4)]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
        self.assertFalse(failed)

    def test_memory_does_not_grow(self):
        def resident():
            pages = pathlib.Path("/proc/self/statm").read_text().split()[1]
            return int(pages) * os.sysconf("SC_PAGE_SIZE")

        x = tensor((64,), torch.float64).requires_grad_()

        def calls(n):
            for _ in range(n):
                torch.autograd.grad(ours.linear_recurrence(x, x).sum(), x)

        calls(1000)
        before = resident()
        calls(5000)
        self.assertLess(resident() - before, 8 << 20)


class Replacements(Case):
    def setUp(self):
        super().setUp()
        module = upsweep._torch_replacements
        few, module.FEW = module.FEW, 1 << 14
        self.addCleanup(setattr, module, "FEW", few)

    def test_within_enabled(self):
        n = 40_000
        for dtype in INTEGERS + FLOATS:
            x = tensor((n // 8, 8), dtype, nans=True)
            calls = [lambda: torch.cumsum(x, 0), lambda: x.cumsum(1), lambda: torch.cummax(x, 0), lambda: torch.cummin(x, 1),
                     lambda: torch.sort(x, dim=0, stable=True), lambda: torch.argsort(x, dim=0, stable=True), lambda: torch.topk(x, 3, 0)[0],
                     lambda: x[x > 0], lambda: x.masked_select(x > 0), lambda: torch.unique_consecutive(x), lambda: torch.cumsum(x[:3], 0),
                     lambda: torch.cumsum(x, 0, out=torch.empty(0, dtype=torch.int64 if dtype in INTEGERS else dtype)),
                     lambda: torch.cumprod(x.sign(), 0)]
            if dtype in FLOATS:
                calls.append(lambda: torch.logcumsumexp(x, 0))
            for k, call in enumerate(calls):
                wanted = call()
                with self.subTest(dtype=dtype, call=k), ours.enabled(DEVICE):
                    got = call()
                    for mine, theirs in zip(got, wanted) if isinstance(wanted, tuple) else [(got, wanted)]:
                        self.close(mine, theirs) if dtype in FLOATS else self.same(mine, theirs)

    def test_is_called_and_taken_back(self):
        seen, scan = [], upsweep._torch_kernels.scan
        x = tensor((50_000,), torch.float64).requires_grad_()
        upsweep._torch_kernels.scan = lambda *of: (seen.append(1), scan(*of))[1]
        try:
            ours.enable(DEVICE)
            ours.enable(DEVICE)
            self.same(torch.autograd.grad(torch.cumsum(x, 0).sum(), x)[0], torch.arange(50_000, 0, -1, dtype=x.dtype, device=DEVICE))
            self.assertEqual(len(seen), 2)  # its gradient, too
            ours.disable()
            torch.cumsum(x, 0)
            self.assertEqual(len(seen), 2)
        finally:
            ours.disable()
            upsweep._torch_kernels.scan = scan
        self.assertRaises(ValueError, ours.enable, "tpu")

    def test_gradients(self):
        x = tensor((4, 20_000), torch.float64).requires_grad_()
        for call in [lambda: torch.cumsum(x, 1), lambda: torch.cumprod(x.sign() * 0.9999, 1), lambda: torch.cummax(x, 1)[0],
                     lambda: torch.logcumsumexp(x, 1), lambda: torch.sort(x, 1)[0], lambda: torch.topk(x, 9, 1)[0]]:
            wanted = torch.autograd.grad(call().sin().sum(), x)
            with ours.enabled(DEVICE):
                self.same(torch.autograd.grad(call().sin().sum(), x), wanted)


if __name__ == "__main__":
    print("seed", SEED)
    unittest.main()
