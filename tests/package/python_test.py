# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The Python module's wheel: reproducible, installed with only NumPy, used by the module's tests, and removed without a
trace."""

import os
import pathlib
import shutil
import sys
import zipfile

from support import ROOT, main, require_glibc_of_pages, run, skip, tree

import common

TESTS = ROOT / "tests/python"


def make(build, out) -> pathlib.Path:
    return pathlib.Path(run(sys.executable, "-B", ROOT / "packaging/python.py", "--module", build / "python/upsweep", "--out", out,
                            "--level", 1).strip())


def wheel(build) -> pathlib.Path:
    return next((build / "test-packages/python").glob("*.whl"))


def contents(build, scratch):
    if not list((build / "python/upsweep").glob("*.so")):
        skip("the Python module is not built here")
    shutil.rmtree(build / "test-packages/python", ignore_errors=True)
    path = make(build, build / "test-packages/python")
    assert make(build, scratch).read_bytes() == path.read_bytes(), "two wheels of the same build differ"
    names = set(zipfile.ZipFile(path).namelist())
    assert {"upsweep/__init__.py", "upsweep/__init__.pyi", "upsweep/py.typed", "upsweep/_version.py", "upsweep/libupsweep-python-cpu.so"} <= names, names
    assert path.name.startswith(f"upsweep-{common.version()}-py3-none-manylinux_2_"), path
    require_glibc_of_pages(tuple(map(int, path.name.split("manylinux_")[1].split("_")[:2])))
    info = f"upsweep-{common.version()}.dist-info"
    assert {f"{info}/{name}" for name in ["METADATA", "RECORD", "WHEEL", "licenses/LICENSE", "licenses/LINKED.txt"]} <= names
    metadata = zipfile.ZipFile(path).read(f"{info}/METADATA").decode()
    assert f"Version: {common.version()}\n" in metadata and "Requires-Dist: numpy" in metadata
    assert "Provides-Extra: dask\n" in metadata and {"upsweep/dask.py", "upsweep/distributed.py", "upsweep/_parts_sort.py"} <= names


def use(build, scratch, python, *tests) -> str:
    """Tests the wheel in a bare environment of this Python. Returns an empty text, or the reason why it cannot be tested."""
    folder = scratch / f"environment-{pathlib.Path(python).parent.parent.name}"
    if "No module named" in run(python, "-m", "venv", folder, check=False) or not (folder / "bin/pip").exists():
        return "it has no venv"
    pip = [folder / "bin/pip", "--disable-pip-version-check"]
    said = run(*pip, "install", "-q", "--only-binary", ":all:", "--retries", 0, "--timeout", 20, "numpy", check=False, variables=dict(os.environ))
    if not list(folder.glob("lib/*/site-packages/numpy")):
        return f"pip cannot install numpy: {said.strip().splitlines()[-1] if said.strip() else 'it says nothing'}"
    before = tree(folder)
    run(*pip, "install", "-q", "--no-index", "--no-deps", wheel(build))
    for test, *names in [["docs_test.py"], ["differential_test.py"], ["numpy_test.py", *tests], ["orders_test.py", "Filters", "Merges"], ["expression_test.py", "Values"], ["distributed_test.py", "Threads"]]:
        run(folder / "bin/python", "-B", TESTS / test, *names, cwd="/")
    run(*pip, "uninstall", "-q", "-y", "upsweep")
    assert tree(folder) == before, tree(folder) ^ before
    return ""


def install(build, scratch):
    if why := use(build, scratch, sys.executable, "Calls"):  # the test python/numpy runs all tests in the build folder
        skip(why)


def versions(build, scratch):
    """Every Python from 3.9 on of this machine, including pyenv's."""
    if not os.environ.get("UPSWEEP_LONG_TESTS"):
        skip("one Python is tested by package/python_install; UPSWEEP_LONG_TESTS=1 tests all that are here")
    tested = []
    for minor in range(9, 15):
        # pyenv's commands in PATH do not run if their version is not selected.
        found = next(pathlib.Path.home().glob(f".pyenv/versions/3.{minor}.*/bin/python3"), None) or shutil.which(f"python3.{minor}")
        why = use(build, scratch, str(found)) if found else "it is not here"
        print(f"Python 3.{minor}: {'tested' if not why else 'not tested, ' + why}")
        tested += [] if why else [minor]
    assert tested, "no Python was tested"


main({each.__name__: each for each in [contents, install, versions]})
