// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The cases of the benchmark of compactions and reductions.
#pragma once

#include "turns.h"

#include <upsweep/cuda/workspace.cuh>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace upsweep::bench {

// The data of all cases: random bytes, results of the same size, and flags for half of the elements.
struct CompactArrays {
  void *in = nullptr, *out = nullptr, *more = nullptr;
  unsigned char *flags = nullptr;
  std::uint64_t *kept = nullptr;
  cuda::workspace space;
  void *cub_space = nullptr;
  std::size_t cub_bytes = 0;
};

using CompactCall = std::function<cudaError_t(const CompactArrays &, std::size_t n, cudaStream_t)>;

struct CompactCase {
  std::string operation, type;
  std::size_t element_bytes;
  double read_bytes;     // for each element
  double written_bytes;  // for each kept element, or each run
  double other_bytes;    // written for each other element
  CompactCall upsweep, cub;
  std::function<void(const CompactArrays &, std::size_t n)> prepare = nullptr;  // for cases with other data
};

std::string compact_cub_version();
std::vector<CompactCase> select_cases();
std::vector<CompactCase> reduce_cases();
std::vector<CompactCase> run_cases();

}  // namespace upsweep::bench
