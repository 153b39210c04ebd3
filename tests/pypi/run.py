#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Installs SYCL's packages from PyPI into a virtual environment and runs programs on the CPU device: a sample of a package's own
tests, or the SYCL programs of this folder (sycl_programs.py).

    run.py sycl|dpctl|dpnp|dask FOLDER

dask runs tests/python/dask_test.py with Dask and xarray, for the module in PYTHONPATH.

The environment stays in FOLDER. UPSWEEP_TEST_PYPI chooses: 1 for dask, and for sycl and dpctl, whose download has 250 MB, all for dpnp as well. Exit status 77, which skips the test, if the variable is not set or the packages cannot
be installed. UPSWEEP_TEST_SEED chooses another sample.
"""
import os
import pathlib
import subprocess
import sys

import sycl_programs

SKIPPED = 77
# The last release of the runtime for which PyPI has the adapter of OpenCL: docs/howto/sycl.md.
RUNTIME = "2026.1.2"
PACKAGES = {
    "dpctl": ["dpctl==0.22.1", "pytest==9.2.0"] + [f"intel-{name}=={RUNTIME}" for name in ("cmplr-lib-ur", "sycl-rt", "cmplr-lib-rt")],
    "dpnp": ["dpnp==0.20.0", f"dpcpp-cpp-rt=={RUNTIME}", f"intel-opencl-rt=={RUNTIME}", f"intel-openmp=={RUNTIME}", "mkl==2026.1.0"]
            + [f"onemkl-sycl-{name}==2026.1.0" for name in ("blas", "dft", "lapack", "rng", "vm")],
}
PACKAGES["dpnp"] += PACKAGES["dpctl"]
PACKAGES["dask"] = ["dask[array,distributed]==2026.8.0", "xarray==2026.9.0"]
PACKAGES["sycl"] = PACKAGES["dpctl"]  # one environment for both
SAMPLE = {"dpctl": 300, "dpnp": 3000}
# Tests that cannot pass, with their reason.
LEFT_OUT = ["test_cython_api"]  # compiles a module by Cython, which dpctl does not install


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(SKIPPED)


def environment_of(package, folder):
    """The interpreter of an environment that has the package."""
    name = "dpctl" if package == "sycl" else package
    home = pathlib.Path(folder) / f"{name}-{RUNTIME}-{sys.version_info.major}.{sys.version_info.minor}"
    python, mark = home / "bin" / "python", home / "complete"
    if mark.exists():
        return python
    commands = [[sys.executable, "-m", "venv", "--clear", str(home)],
                [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--timeout", "10", "--retries", "1",
                 *PACKAGES[package]]]
    for command in commands:
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            skip((done.stderr or done.stdout).strip().splitlines()[-1])
    mark.touch()
    return python


def main(package, folder):
    wanted = os.environ.get("UPSWEEP_TEST_PYPI", "")
    if wanted != "all" and not (wanted == "1" and package != "dpnp"):
        skip(f"UPSWEEP_TEST_PYPI={'all' if package == 'dpnp' else '1'} runs the tests of {package} with packages from PyPI")
    python = environment_of(package, folder)
    if package == "dask":
        return subprocess.run([python, pathlib.Path(__file__).resolve().parents[1] / "python/dask_test.py"]).returncode
    if package == "sycl":
        return sycl_programs.main(python.parent.parent, pathlib.Path(folder) / "sycl")
    here = str(pathlib.Path(__file__).resolve().parent)
    environment = {**os.environ, "PYTHONPATH": here, "UPSWEEP_SAMPLE": str(SAMPLE[package])}
    command = [python, "-m", "pytest", "-q", "-p", "sample", "-p", "no:cacheprovider", "-rfE", "-k", " and ".join(f"not {name}" for name in LEFT_OUT),
               "--pyargs", package]
    return subprocess.run(command, cwd=folder, env=environment).returncode


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
