// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What bench_cuda_tune takes from a library that tune.py has compiled with other numbers in device/tuning.cuh.
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
  double moved_bytes;          // read and written, of an element
  int fewest_bits, most_bits;  // lengths are powers of two
  cudaError_t (*fill)(const TuneArrays &arrays);
  cudaError_t (*call)(const TuneArrays &arrays, std::size_t n);
};

// The one symbol of a library: its cases, until one without a name.
using TuneCases = const TuneCase *();

}  // namespace upsweep::bench
