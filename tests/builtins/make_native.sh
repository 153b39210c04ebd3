#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Compiles the library's scalar functions that work outside of a kernel for this machine, so that a C++ test can call them.
# usage: make_native.sh BIN_DIR BITCODE OUTPUT.o
set -e
bin=$1 bitcode=$2 output=$3
"$bin/llvm-nm" --defined-only --format=just-symbols "$bitcode" |
  grep '^_Z' | grep -vE 'Dv[0-9]|PU3AS|_group|atom|async|barrier|fence|get_|ocl_|reserve_id|event|enqueue|ndrange' > "$output.names"
"$bin/opt" -passes=internalize,globaldce --internalize-public-api-file="$output.names" "$bitcode" -S -o "$output.spir.ll" 2> "$output.log"
sed -E 's/spir_func //; s/addrspace\([0-9]\) ?//g; /^target datalayout/d; s/^target triple.*/target triple = "x86_64-pc-linux-gnu"/' \
  "$output.spir.ll" > "$output.ll"
"$bin/clang" -O1 -march=x86-64-v3 -fPIC -Wno-override-module -c "$output.ll" -o "$output"
