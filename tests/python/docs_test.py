# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The examples of docs/python.md print what is written there, and the stubs name the functions and parameters that there are."""

import ast
import doctest
import inspect
import pathlib
import sys
import unittest

import numpy
import upsweep

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Documents(unittest.TestCase):
    def test_examples(self):
        page = (ROOT / "docs/python.md").read_text().replace("```", "\n")
        # The test build has few types; the examples are of NumPy's default ones.
        if upsweep._library.cpu.types != (1 << len(upsweep._library.TYPES)) - 1:
            page = page.replace("import numpy, upsweep", "import upsweep")
        test = doctest.DocTestParser().get_doctest(page, {"numpy": numpy, "upsweep": upsweep}, "docs/python.md", None, 0)
        self.assertGreater(len(test.examples), 10)
        self.assertEqual(doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test).failed, 0)

    def test_stubs(self):
        tree = ast.parse((ROOT / "python/upsweep/__init__.pyi").read_text())
        stubs = {}
        for each in tree.body:
            if isinstance(each, ast.FunctionDef):
                stubs.setdefault(each.name, []).append(
                    [argument.arg for argument in each.args.posonlyargs + each.args.args + each.args.kwonlyargs])
        functions = {name: list(inspect.signature(value).parameters) for name in upsweep.__all__
                     if inspect.isfunction(value := getattr(upsweep, name))}
        self.assertEqual(set(stubs), set(functions))
        for name, parameters in functions.items():
            for stub in stubs[name]:
                self.assertEqual(stub, parameters, name)


if __name__ == "__main__":
    sys.exit(unittest.main())
