// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions that bench_cuda_tune loads from a library, which tune.py compiles with other numbers in device/tuning_*.cuh.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

namespace upsweep::bench {

struct TuneArrays {
  void *in, *out;  // of kTuneBytes each
  void *space;     // an initialised workspace
  std::size_t space_bytes;
  cudaStream_t stream;
};
inline constexpr std::size_t kTuneBytes = std::size_t(1) << 30;
inline constexpr std::size_t kTuneSpaceBytes = std::size_t(1) << 28;

struct TuneCase {
  const char *name;
  std::size_t element_bytes;
  double moved_bytes;          // read and written, for each element
  int fewest_bits, most_bits;  // lengths are powers of two
  cudaError_t (*fill)(const TuneArrays &arrays);
  cudaError_t (*call)(const TuneArrays &arrays, std::size_t n);
};

// The only symbol of a library: its cases, ended by one without a name.
using TuneCases = const TuneCase *();

}  // namespace upsweep::bench
