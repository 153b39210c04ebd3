# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The examples of docs/python.md print the documented results, and the stubs have the existing functions and parameters."""

import ast
import doctest
import inspect
import pathlib
import re
import sys
import unittest

import numpy
import upsweep

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Documents(unittest.TestCase):
    def test_examples(self):
        page = (ROOT / "docs/python.md").read_text().replace("```", "\n")
        # The test build has few types; the examples use NumPy's default types.
        if upsweep._library.cpu.types != (1 << len(upsweep._library.TYPES)) - 1:
            page = page.replace("import numpy, upsweep", "import upsweep")
        test = doctest.DocTestParser().get_doctest(page, {"numpy": numpy, "upsweep": upsweep}, "docs/python.md", None, 0)
        self.assertGreater(len(test.examples), 10)
        self.assertEqual(doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test).failed, 0)

    def test_docstrings(self):
        """The wheel has no page: each docstring states arguments and results, with correct examples."""
        finder, runner = doctest.DocTestFinder(), doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
        for name in upsweep.__all__:
            function = getattr(upsweep, name)
            if not inspect.isfunction(function):
                continue
            text = function.__doc__
            for parameter in inspect.signature(function).parameters:
                self.assertRegex(text, rf"(?m)^    (\w+, )*{parameter}[:,]", f"{name}: {parameter}")
            self.assertNotIn("docs/", text, name)
            if name != "get_num_threads":
                self.assertIn(">>> ", text, name)
                self.assertIn("Raises ", text, name)
            for test in finder.find(function, name, globs={"numpy": numpy, "upsweep": upsweep}):
                self.assertEqual(runner.run(test).failed, 0, name)

    def test_names(self):
        public = {name for name in vars(upsweep) if not name.startswith("_")}
        self.assertEqual(public, set(upsweep.__all__) - {"__version__"})
        project = re.search(r"project\(upsweep VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text())
        self.assertEqual(upsweep.__version__, project[1])

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
