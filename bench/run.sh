#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs the benchmarks of a build on every installed OpenCL driver: bench/run.sh BUILD [NAME] [OPTIONS...]. NAME selects
# BUILD/bin/bench_NAME. The results are BUILD/bench/NAME.json and a table. With --pages before NAME they also become
# docs/benchmarks/data/NAME.json, and the tables and pictures of the pages are made again. With --device gpu both names are gpu_NAME.
set -euo pipefail
root=$(dirname "$(dirname "$(readlink -f "$0")")")
build=$(readlink -f "$1")
shift

# A folder with our driver and the installed ones, for the ICD loader.
vendors=$build/bench/vendors
rm -rf "$vendors"
mkdir -p "$vendors"
cp "$build/vendors/upsweep.icd" "$vendors"
for icd in /etc/OpenCL/vendors/*.icd; do
  [ -e "$icd" ] && cp "$icd" "$vendors"
done
export OCL_ICD_VENDORS=$vendors

pages=0
if [ "${1:-}" = --pages ]; then
  pages=1
  shift
fi
names=()
if [ $# -gt 0 ] && [ "${1#-}" = "$1" ]; then
  names=("$1")
  shift
else
  # Benchmarks of the CUDA library need a GPU and no driver of OpenCL, so they are not run here.
  for program in "$build"/bin/bench_*; do
    [[ $program == */bench_cuda_* ]] || names+=("${program##*/bench_}")
  done
fi

prefix=
[[ " $* " != *" --device gpu "* ]] || prefix=gpu_

for name in "${names[@]}"; do
  [ -x "$build/bin/bench_$name" ] || { echo "there is no benchmark '$name'" >&2; exit 1; }
  echo "==> $name" >&2
  "$build/bin/bench_$name" --json "$build/bench/$prefix$name.json" "$@"
  echo
  python3 "$root/bench/table.py" "$build/bench/$prefix$name.json"
  if [ $pages = 1 ]; then
    cp "$build/bench/$prefix$name.json" "$root/docs/benchmarks/data/"
  fi
done
if [ $pages = 1 ]; then
  "$root/docs/generator/tables.py"
  "$root/docs/benchmarks/plots.py" --pages
fi
