# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""OpenCL kernels in notebooks. `%load_ext upsweep.opencl` defines these magics:

    %%cl         runs the cell's kernel on NumPy arrays and scalars of the notebook
    %clprofile   shows where the time of the last cell's run goes
    %clexplain   shows the last cell's source with the compiler's remarks, beside the machine code
    %clcheck     runs the last cell's kernel with checks, and shows the findings

They start the command `upsweep`, which must be on PATH or beside this Python.
"""

import html
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile
from typing import NamedTuple

import numpy

__all__ = ["load_ipython_extension", "run"]

_TYPES = {"i1": "char", "u1": "uchar", "i2": "short", "u2": "ushort", "i4": "int", "u4": "uint", "i8": "long", "u8": "ulong",
          "f2": "half", "f4": "float", "f8": "double"}


class _Cell(NamedTuple):
    source: str
    options: list  # of `upsweep run`
    arguments: list  # arrays, scalars, and texts of --arg


def _command():
    beside = pathlib.Path(sys.executable).parent / "upsweep"
    command = shutil.which("upsweep") or (str(beside) if beside.exists() else None)
    if not command:
        raise RuntimeError("the command upsweep is neither on PATH nor beside this Python")
    return command


def _call(words):
    """The result of the command. Its message is the error if its status is not 0."""
    result = subprocess.run(words, capture_output=True, text=True, errors="replace", stdin=subprocess.DEVNULL)
    if result.returncode != 0:
        raise RuntimeError(result.stderr.strip() or f"upsweep ended with status {result.returncode}")
    return result


def _text_of(index, value, folder):
    """The value as a text of --arg; arrays are stored."""
    if isinstance(value, str):
        return value
    if isinstance(value, numpy.ndarray) and value.ndim > 0:
        if value.dtype.str[1:] not in _TYPES:
            raise TypeError(f"argument {index}: arrays of {value.dtype} are no arrays of OpenCL C's numbers")
        if value.size == 0:
            raise ValueError(f"argument {index}: the array is empty")
        path = folder / f"{index}.npy"
        numpy.save(path, numpy.ascontiguousarray(value))
        return str(path)
    if isinstance(value, bool) or not isinstance(value, (int, float, numpy.number, numpy.ndarray)):
        raise TypeError(f"argument {index}: {type(value).__name__} is neither an array nor a number")
    scalar = numpy.asarray(value, None if isinstance(value, (numpy.number, numpy.ndarray)) else
                           numpy.int32 if isinstance(value, int) else numpy.float32)
    if scalar.dtype.str[1:] not in _TYPES:
        raise TypeError(f"argument {index}: {scalar.dtype} is no number of OpenCL C")
    return f"{_TYPES[scalar.dtype.str[1:]]}:{scalar.item()!r}"


def _words_of(cell, folder):
    """The command line that runs the cell."""
    source = folder / "cell.cl"
    source.write_text(cell.source)
    words = [_command(), "run", str(source), *cell.options]
    for index, value in enumerate(cell.arguments):
        words += ["--arg", _text_of(index, value, folder)]
    return words


def run(source, *arguments, options=()):
    """Runs a kernel of OpenCL C. Arguments are NumPy arrays, which get the kernel's results in place; NumPy scalars of the
    parameter's type, or Python numbers for int and float; and texts as for `upsweep run --arg`, such as "local:256". `options`
    are those of `upsweep run`, such as ["--global", "1024"]. Returns the command's report; raises RuntimeError with its message.
    """
    cell = _Cell(source, list(options), list(arguments))
    with tempfile.TemporaryDirectory(prefix="upsweep-") as name:
        folder = pathlib.Path(name)
        words = _words_of(cell, folder)
        arrays = [(index, value) for index, value in enumerate(arguments) if isinstance(value, numpy.ndarray) and value.ndim > 0]
        results = [(value, folder / f"{index}.out.npy", index) for index, value in arrays if value.flags.writeable]
        for _, path, index in results:
            words += ["--out", f"{index}={path}"]
        report = _call(words).stdout
        for value, path, _ in results:
            value[...] = numpy.load(path).reshape(value.shape)
    return report


def _page(text):
    from IPython.display import HTML
    return HTML(f"<pre>{html.escape(text)}</pre>")


def _frame(page):
    from IPython.display import HTML
    style = "width: 100%; height: 30em; border: 1px solid #8888"
    return HTML(f'<iframe sandbox="allow-scripts" style="{style}" srcdoc="{html.escape(page)}"></iframe>')


class _Magics:
    """The magics of one notebook. They know the last cell that ran."""

    def __init__(self, shell):
        self.shell = shell
        self.last = None

    def _last(self, line):
        if line.strip():
            raise ValueError(f"'{line.strip()}': this magic takes no arguments, and is about the last cell of %%cl")
        if not self.last:
            raise RuntimeError("no cell of %%cl ran yet")
        return self.last

    def _value(self, word):
        if ":" in word:
            return word
        if word in self.shell.user_ns:
            return self.shell.user_ns[word]
        raise NameError(f"'{word}' is no variable of the notebook, and no text such as local:256")

    def cl(self, line, cell):
        """%%cl --global 1024 [OPTION...] ARGUMENT... runs the cell's kernel. Options are those of `upsweep run`; an argument is
        the name of an array or a number of the notebook, or a text such as local:256."""
        words = shlex.split(line)
        options, names = [], []
        while words:
            word = words.pop(0)
            if not word.startswith("--"):
                names.append(word)
                continue
            options.append(word)
            if "=" not in word and word != "--check":
                if not words:
                    raise ValueError(f"%%cl: {word} needs a value")
                options.append(words.pop(0))
        self.last = _Cell(cell, options, [self._value(name) for name in names])
        print(run(cell, *self.last.arguments, options=options), end="")

    def profile(self, line):
        """%clprofile runs the last cell's kernel on copies of its arguments, and shows where the time goes."""
        cell = self._last(line)
        with tempfile.TemporaryDirectory(prefix="upsweep-") as name:
            folder = pathlib.Path(name)
            _call([_command(), "profile", "--summary", str(folder / "summary.txt"), *_words_of(cell, folder)])
            return _page((folder / "summary.txt").read_text())

    def explain(self, line):
        """%clexplain shows the last cell's source with the compiler's remarks, beside the machine code."""
        cell = self._last(line)
        with tempfile.TemporaryDirectory(prefix="upsweep-") as name:
            folder = pathlib.Path(name)
            (folder / "cell.cl").write_text(cell.source)
            words = [_command(), "explain", str(folder / "cell.cl"), "--html", str(folder / "page.html")]
            for option, value in zip(cell.options, cell.options[1:]):
                if option == "--build-options":
                    words += [option, value]
            _call(words)
            return _frame((folder / "page.html").read_text().replace(str(folder) + "/", ""))

    def check(self, line):
        """%clcheck runs the last cell's kernel with checks on copies of its arguments, and shows the findings."""
        cell = self._last(line)
        with tempfile.TemporaryDirectory(prefix="upsweep-") as name:
            folder = pathlib.Path(name)
            words = [*_words_of(cell, folder), *([] if "--check" in cell.options else ["--check"])]
            result = subprocess.run(words, capture_output=True, text=True, errors="replace", stdin=subprocess.DEVNULL)
            text = result.stderr.strip().replace(str(folder) + "/", "")
            return _page(text or ("no findings" if result.returncode == 0 else f"upsweep ended with status {result.returncode}"))


def load_ipython_extension(shell):
    """Called by `%load_ext upsweep.opencl`."""
    magics = _Magics(shell)
    shell.register_magic_function(magics.cl, "cell", "cl")
    for name in ("profile", "explain", "check"):
        shell.register_magic_function(getattr(magics, name), "line", "cl" + name)
