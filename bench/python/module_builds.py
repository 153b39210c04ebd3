#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times builds of the SPIR-V modules in wheels, on OpenCL drivers beside each other:

    module_builds.py --driver NAME=FOLDER --driver NAME=FOLDER [--count 300] [--seed 1] [--rounds 2] [--out FILE.json] WHEEL…

FOLDER has the .icd file of the driver (OCL_ICD_VENDORS). A process builds some of the drawn modules on one driver, after a first build that
is not measured, and the drivers take turns. A build is clCreateProgramWithIL, clBuildProgram and clCreateKernelsInProgram. Its result is
the least time of all rounds, in two forms: the time that the program waits, and the processor time of the program and of the compilers that
it starts, in steps of the kernel's clock tick. Upsweep's cache on disk is off; Intel's runtime has none."""
import argparse
import ctypes
import datetime
import json
import os
import platform
import random
import re
import struct
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

MAGIC = struct.pack("<I", 0x07230203)
FUNCTION, FUNCTION_END = 54, 56
CHUNK = 25  # modules that a process builds
PR_SET_CHILD_SUBREAPER = 36
DEVICE_TYPE_CPU, DEVICE_NAME, DRIVER_VERSION = 2, 0x102B, 0x102D


def end_of_module(data, start):
    """The end of the module that begins at `start`, or None: behind the last OpFunctionEnd that no OpFunction follows."""
    at = start + 20
    while at + 4 <= len(data):
        word, = struct.unpack_from("<I", data, at)
        if word >> 16 == 0:
            return None
        at += 4 * (word >> 16)
        if word & 0xFFFF == FUNCTION_END and (at + 4 > len(data) or struct.unpack_from("<I", data, at)[0] & 0xFFFF != FUNCTION):
            return at
    return None


def modules_of(wheel):
    found = []
    with zipfile.ZipFile(wheel) as files:
        for name in sorted(files.namelist()):
            data = files.read(name) if re.search(r"\.so(\.|$)", name) else b""
            start = data.find(MAGIC)
            while start >= 0:
                end = end_of_module(data, start)
                if end:
                    found.append(data[start:end])
                start = data.find(MAGIC, end or start + 4)
    return found


def device_of(cl):
    platform_id, device = ctypes.c_void_p(), ctypes.c_void_p()
    if cl.clGetPlatformIDs(1, ctypes.byref(platform_id), None) or cl.clGetDeviceIDs(platform_id, ctypes.c_ulong(DEVICE_TYPE_CPU), 1, ctypes.byref(device), None):
        sys.exit("no CPU device")
    return device


def text_of(cl, device, query):
    text = ctypes.create_string_buffer(1000)
    cl.clGetDeviceInfo(device, query, 1000, text, None)
    return text.value.decode()


def tree_seconds():
    """The processor time of this process and of its descendants, whose parent waited for them or not."""
    parents, ticks = {}, {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            parents[int(entry.name)], ticks[int(entry.name)] = int(fields[1]), sum(map(int, fields[11:15]))
    mine = [os.getpid()]
    for process in mine:
        mine += [child for child, parent in parents.items() if parent == process]
    return sum(ticks[process] for process in mine) / os.sysconf("SC_CLK_TCK")


def build(cl, context, device, module):
    """Seconds of a build, or the error of the call that failed. Releases the program."""
    error, count = ctypes.c_int(), ctypes.c_uint()
    processor, start = tree_seconds(), time.perf_counter()
    program = ctypes.c_void_p(cl.clCreateProgramWithIL(context, module, ctypes.c_size_t(len(module)), ctypes.byref(error)))
    status = error.value or cl.clBuildProgram(program, 1, ctypes.byref(device), b"", None, None)
    status = status or cl.clCreateKernelsInProgram(program, 0, None, ctypes.byref(count))
    kernels = (ctypes.c_void_p * max(1, count.value))()
    status = status or cl.clCreateKernelsInProgram(program, count, kernels, None)
    wall = time.perf_counter() - start
    processor = tree_seconds() - processor
    if not error.value:
        cl.clReleaseProgram(program)
    return {"error": status} if status else {"wall": wall, "processor": processor}


def measure(names):
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)  # a compiler that lost its parent is found, too
    cl = ctypes.CDLL("libOpenCL.so.1")
    cl.clCreateContext.restype = cl.clCreateProgramWithIL.restype = ctypes.c_void_p
    device = device_of(cl)
    context = ctypes.c_void_p(cl.clCreateContext(None, 1, ctypes.byref(device), None, None, None))
    modules = [Path(name).read_bytes() for name in names]
    build(cl, context, device, modules[0])
    answer = [build(cl, context, device, module) for module in modules[1:]]
    print(json.dumps({"driver": text_of(cl, device, DRIVER_VERSION), "device": text_of(cl, device, DEVICE_NAME), "builds": answer}), flush=True)
    os._exit(0)


def child(folder, names):
    environment = {**os.environ, "OCL_ICD_VENDORS": folder, "UPSWEEP_CACHE": "0"}
    done = subprocess.run([sys.executable, __file__, "--measure", *map(str, names)], env=environment, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{folder}: {done.stderr.strip()[-500:]}")
    return json.loads(done.stdout.splitlines()[-1])


def percentile(values, share):
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def summary(rows, drivers):
    for driver in drivers:
        for kind in ("wall", "processor"):
            values = [row[driver][kind] for row in rows if all(driver in row and "error" not in row[driver] for driver in drivers)]
            yield {"driver": driver, "time": kind, "modules": len(values), "mean_ms": round(sum(values) / len(values) * 1e3, 2),
                   "median_ms": round(percentile(values, 0.5) * 1e3, 2), "percentile_99_ms": round(percentile(values, 0.99) * 1e3, 2)}


def least(old, new):
    if not old or "error" in new:
        return new
    return {kind: min(old[kind], new[kind]) for kind in new} if "error" not in old else old


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--driver", action="append", default=[])
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--out")
    parser.add_argument("--measure", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("files", nargs="+")
    options = parser.parse_args()
    if options.measure:
        return measure(options.files)
    drivers = dict(driver.split("=", 1) for driver in options.driver)
    modules = sorted({module for wheel in options.files for module in modules_of(wheel)})
    draw = random.Random(options.seed).sample(modules, min(len(modules), options.count + 1))
    result = {"command": f"bench/python/module_builds.py --count {options.count} --seed {options.seed} --rounds {options.rounds} "
                         + " ".join(f"--driver {name}=FOLDER" for name in drivers) + " " + " ".join(Path(wheel).name for wheel in options.files),
              "date": f"{datetime.date.today():%-d %B %Y}", "machine": {"cpu": "", "processors": os.cpu_count(), "python": platform.python_version()},
              "modules": len(modules), "versions": {}}
    rows = [{"bytes": len(module)} for module in draw[1:]]
    with tempfile.TemporaryDirectory() as folder:
        names = [Path(folder) / f"{number}.spv" for number in range(len(draw))]
        for name, module in zip(names, draw):
            name.write_bytes(module)
        for _ in range(options.rounds):
            for first in range(1, len(names), CHUNK):
                for driver, place in drivers.items():
                    answer = child(place, [names[0], *names[first:first + CHUNK]])
                    result["versions"][driver], result["machine"]["cpu"] = answer["driver"], answer["device"]
                    for row, new in zip(rows[first - 1:], answer["builds"]):
                        row[driver] = least(row.get(driver), new)
    result["failures"] = {driver: sum("error" in row[driver] for row in rows) for driver in drivers}
    result["rows"] = list(summary(rows, drivers))
    if options.out:
        Path(options.out).write_text(json.dumps(result, indent=1) + "\n")
    print(json.dumps(result["rows"], indent=1), result["failures"])


if __name__ == "__main__":
    main()
