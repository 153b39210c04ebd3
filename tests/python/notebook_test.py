# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Executes a notebook with the magics of upsweep.opencl."""

import os
import shutil
import sys

try:
    import nbclient
    import nbformat
    import ipykernel  # the notebook's kernel
    from nbclient.exceptions import CellExecutionError
except ImportError as error:
    print(f"skipped: {error} (pip install nbclient ipykernel)")
    sys.exit(77)
if not shutil.which("upsweep"):
    print("skipped: the command upsweep is not on PATH")
    sys.exit(77)

SETUP = """%load_ext upsweep.opencl
import numpy as np, random
seed = random.randrange(1 << 32)
x = np.random.default_rng(seed).random(1000, dtype=np.float32)
y = np.full(1000, np.nan, np.float32)
fixed = x.copy(); fixed.flags.writeable = False
pairs = np.random.default_rng(seed).integers(0, 100, (500, 2), dtype=np.int32)
factor = np.float32(1.5)
"""
SCALE = """%%cl --global 1000 --local 50 --device cpu fixed y factor more
kernel void scale(global const float *x, global float *y, float factor, int more) {
  size_t i = get_global_id(0);
  y[i] = x[i] * factor + more;
}
"""
SWAP = """%%cl --global 500 --device cpu pairs
kernel void swap(global int2 *pairs) { pairs[get_global_id(0)] = pairs[get_global_id(0)].yx; }
"""
TILE = """%%cl --global 1000 --local 10 --device cpu x local:40
kernel void reverse(global float *x, local float *tile) {
  tile[get_local_id(0)] = x[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  x[get_global_id(0)] = tile[9 - get_local_id(0)];
}
"""
OUTSIDE = """%%cl --global 1000 --device cpu y
kernel void outside(global float *y) { if (get_global_id(0) == 0) y[1000] = 1; }
"""


def execute(*cells):
    """The cells of the notebook after its run."""
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(each) for each in cells])
    notebook.metadata.kernelspec = {"name": "python3", "display_name": "Python 3", "language": "python"}
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    return notebook.cells


def page_of(cell):
    return "".join(output.data["text/html"] for output in cell.outputs if output.output_type in ("execute_result", "display_data"))


def said(cell):
    return "".join(output.text for output in cell.outputs if output.output_type == "stream")


def fails(text, *cells):
    try:
        execute(SETUP, *cells)
    except CellExecutionError as error:
        assert text in str(error), (text, str(error))
    else:
        raise AssertionError(f"{text}: the cells ran")


def results():
    """Arrays have the kernel's results; arrays that cannot be written and scalars stay."""
    cells = execute(SETUP, "more = 3", SCALE, "assert np.allclose(y, x * np.float32(1.5) + 3), seed\nassert (fixed == x).all(), seed",
                    "before = pairs.copy()", SWAP, "assert (pairs == before[:, ::-1]).all(), seed", "before = x.copy()", TILE,
                    "assert (x == before.reshape(100, 10)[:, ::-1].ravel()).all(), seed",
                    "y = np.full((1000, 2), np.nan, np.float32)[:, 0]", SCALE, "assert np.allclose(y, fixed * np.float32(1.5) + 3), seed")
    assert "time" in said(cells[2]), cells[2]


def reports():
    """The reports of the other magics, which leave the arrays alone."""
    cells = execute(SETUP, "more = 3", SCALE, "before = y.copy()", "%clprofile", "%clexplain", "%clcheck",
                    "assert (y == before).all(), seed", OUTSIDE, "%clcheck")
    assert "scale" in page_of(cells[4]) and "<pre>" in page_of(cells[4]), cells[4]
    page = page_of(cells[5])
    assert "srcdoc" in page and "row store" in page and "scale.entry:" in page and "cell.cl" in page, cells[5]
    assert "no findings" in page_of(cells[6]), cells[6]
    assert "outside" in page_of(cells[9]) and "cell.cl" in page_of(cells[9]), cells[9]


def errors():
    fails("no cell of %%cl ran yet", "%clprofile")
    fails("takes no arguments", "%clexplain x")
    fails("'absent' is no variable of the notebook", "%%cl --global 1 absent\nkernel void f(global int *a) {}")
    fails("--global needs a value", "%%cl --global\nkernel void f() {}")
    fails("cannot build the program", "%%cl --global 1 x\nkernel void f(global float *a) { missing; }")
    fails("double is given", "d = np.zeros(4)", "%%cl --global 1 d\nkernel void f(global float *a) {}")
    fails("is neither an array nor a number", "d = {}", "%%cl --global 1 d\nkernel void f(global float *a) {}")
    fails("complex64 are no arrays", "d = np.zeros(4, np.complex64)", "%%cl --global 1 d\nkernel void f(global float *a) {}")
    fails("the array is empty", "d = np.zeros(0, np.float32)", "%%cl --global 1 d\nkernel void f(global float *a) {}")


os.environ["PYDEVD_DISABLE_FILE_VALIDATION"] = "1"
results()
reports()
errors()
