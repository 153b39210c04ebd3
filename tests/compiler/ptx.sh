#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Compiles kernels for NVIDIA GPUs and assembles what comes out, where ptxas is installed: ptx.sh UPSWEEPC PTXAS CAPABILITY KERNELS...
set -uo pipefail
compiler=$1 assembler=$2 capability=$3
shift 3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
[[ -x $assembler ]] || echo "ptxas is not installed: the code is not assembled"
failed=0
for kernel in "$@"; do
  standard=CL3.0
  grep -q '(^' "$kernel" && standard=CL2.0 # blocks
  if ! "$compiler" -w -cl-std=$standard --target=cuda --cpu=sm_"$capability" "$kernel" -o "$folder/code.ptx"; then
    echo "$kernel: not compiled"
    failed=1
  elif ! grep -q '^\.visible \.entry' "$folder/code.ptx"; then
    echo "$kernel: no kernel in the code"
    failed=1
  elif [[ -x $assembler ]] && ! "$assembler" -arch=sm_"$capability" "$folder/code.ptx" -o "$folder/code"; then
    echo "$kernel: not assembled"
    failed=1
  fi
done
exit $failed
