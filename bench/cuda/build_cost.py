#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compile time and binary size of a call and of the same call of CUB, as JSON.

    bench/cuda/build_cost.py [--nvcc nvcc] [--arch sm_90] [--repeat 3] [--only sum] > docs/benchmarks/data/cuda_build_cost.json

Each case is a translation unit with one call. Times are processor time (user and system), the least of the runs. Bytes are
those of the device code (section .nv_fatbin, not compressed) and of the whole object.
"""
import argparse
import datetime
import json
import os
import pathlib
import platform
import resource
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]

HEAD = {
    "upsweep": "namespace up = upsweep::cuda;\n",
    "cub": "",
}
# name: (our header, our call, CUB's header, CUB's call). `s` is a workspace or CUB's temporary storage and its bytes.
CASES = {
    "nothing": ("scan.cuh", "", "device_scan.cuh", ""),
    "sum f32": ("scan.cuh", "up::inclusive_sum(s, f, g, n, t)", "device_scan.cuh", "cub::DeviceScan::InclusiveSum(s, b, f, g, n, t)"),
    "sum u8": ("scan.cuh", "up::exclusive_sum(s, c, d, n, t)", "device_scan.cuh", "cub::DeviceScan::ExclusiveSum(s, b, c, d, n, t)"),
    "max i32": ("scan.cuh", "up::inclusive_scan(s, i, j, n, up::maximum{}, t)", "device_scan.cuh",
                "cub::DeviceScan::InclusiveScan(s, b, i, j, cuda::maximum<>{}, n, t)"),
    "sum by key u32": ("scan.cuh", "up::inclusive_scan_by_key(s, u, v, w, n, up::plus{}, Equal{}, t)", "device_scan.cuh",
                       "cub::DeviceScan::InclusiveSumByKey(s, b, u, v, w, n, Equal{}, t)"),
    "select_if u32": ("select.cuh", "up::select_if(s, u, w, k, n, Odd{}, t)", "device_select.cuh",
                      "cub::DeviceSelect::If(s, b, u, w, k, n, Odd{}, t)"),
    "unique u32": ("select.cuh", "up::unique(s, u, w, k, n, up::equal_to{}, t)", "device_select.cuh",
                   "cub::DeviceSelect::Unique(s, b, u, w, k, n, t)"),
    "partition u32": ("partition.cuh", "up::partition_if(s, u, w, k, n, Odd{}, t)", "device_partition.cuh",
                      "cub::DevicePartition::If(s, b, u, w, k, n, Odd{}, t)"),
    "run lengths u32": ("run_length.cuh", "up::run_length_encode(s, u, w, x, k, n, up::equal_to{}, t)", "device_run_length_encode.cuh",
                        "cub::DeviceRunLengthEncode::Encode(s, b, u, w, x, k, n, t)"),
    "reduce by key u32": ("reduce_by_key.cuh", "up::reduce_by_key(s, u, v, w, x, k, n, up::plus{}, up::equal_to{}, t)",
                          "device_reduce.cuh", "cub::DeviceReduce::ReduceByKey(s, b, u, w, v, x, k, cuda::std::plus<>{}, n, t)"),
    "total f32": ("reduce.cuh", "up::sum(s, f, g, n, t)", "device_reduce.cuh", "cub::DeviceReduce::Sum(s, b, f, g, n, t)"),
}
BODY = """
struct Odd {{ __host__ __device__ bool operator()(unsigned x) const {{ return x % 2 != 0; }} }};
struct Equal {{ __host__ __device__ bool operator()(unsigned a, unsigned b) const {{ return a == b; }} }};
cudaError_t call({space}, const float *f, float *g, const unsigned char *c, unsigned char *d, const int *i, int *j, const unsigned *u,
                 const unsigned *v, unsigned *w, unsigned *x, unsigned *k, size_t n, cudaStream_t t) {{
  return {call};
}}
"""
SPACE = {"upsweep": "const up::workspace &s", "cub": "void *s, size_t &b"}


def source(library, header, call):
    path = f"upsweep/cuda/{header}" if library == "upsweep" else f"cub/device/{header}"
    return f"#include <{path}>\n{HEAD[library]}" + BODY.format(space=SPACE[library], call=call or "cudaSuccess")


def device_bytes(path):
    lines = subprocess.run(["objdump", "-h", path], capture_output=True, text=True, check=True).stdout.splitlines()
    return sum(int(line.split()[2], 16) for line in lines if ".nv_fatbin" in line)


def compiled(options, text, folder):
    unit, result = folder / "unit.cu", folder / "unit.o"
    unit.write_text(text)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([options.nvcc, "-std=c++17", "-O3", f"-arch={options.arch}", "--no-compress", "-I", ROOT / "include", "-c", unit, "-o", result],
                   check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, device_bytes(result), os.path.getsize(result)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nvcc", default="nvcc")
    parser.add_argument("--arch", default="sm_90")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as scratch:
        for name, (ours, our_call, cubs, cub_call) in CASES.items():
            if options.only not in name:
                continue
            row = {"call": name}
            runs = {"upsweep": [], "cub": []}
            for _ in range(options.repeat):  # alternately, so that other work on the machine slows both
                runs["upsweep"].append(compiled(options, source("upsweep", ours, our_call), pathlib.Path(scratch)))
                runs["cub"].append(compiled(options, source("cub", cubs, cub_call), pathlib.Path(scratch)))
            for library, results in runs.items():
                row[f"{library}_seconds"] = round(min(result[0] for result in results), 2)
                row[f"{library}_device_bytes"], row[f"{library}_object_bytes"] = results[0][1:]
            rows.append(row)
            print(row, file=sys.stderr)
    version = subprocess.run([options.nvcc, "--version"], capture_output=True, text=True, check=True).stdout.splitlines()[-2]
    print(json.dumps({"command": "bench/cuda/build_cost.py " + " ".join(sys.argv[1:]), "date": datetime.date.today().isoformat(),
                      "machine": platform.processor() or platform.machine(), "nvcc": version, "rows": rows}, indent=1))


if __name__ == "__main__":
    main()
