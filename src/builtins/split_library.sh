#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Splits the linked library into an archive of modules (src/passes/library.h): split_library.sh LLVM_SPLIT OPT LLVM_AR LIBRARY ARCHIVE
# 64 parts of 220 functions: one takes 0.3 ms to load, and with more of them what each has to declare outweighs what it defines.
set -euo pipefail
split=$1 opt=$2 ar=$3 library=$4 archive=$5
parts=$archive.parts
rm -rf "$parts" "$archive"
mkdir "$parts"
"$split" -j 64 -o "$parts/" "$library"
members=()
for ((i = 0; i < 64; ++i)); do
  # opt warns that it lacks the target, which it does not need.
  "$opt" -mtriple= -passes=strip-dead-prototypes -preserve-bc-uselistorder=false "$parts/$i" -o "$parts/$i.bc" \
    2> >(grep -v "failed to create target machine" >&2)
  members+=("$parts/$i.bc")
done
"$ar" rcSD "$archive" "${members[@]}"
rm -rf "$parts"
