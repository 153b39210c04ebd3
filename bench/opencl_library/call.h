// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The calls that bench_opencl_library measures. Each library's calls are a source file, with the same inputs, in C++17 for
// nvcc.
#ifndef UPSWEEP_BENCH_OPENCL_LIBRARY_CALL_H
#define UPSWEEP_BENCH_OPENCL_LIBRARY_CALL_H

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 300
#endif
#include <CL/cl.h>

namespace upsweep::bench {

struct Call {
  std::string call, type, by;
  double bytes;                // the least that it reads and writes: each input and each output once
  std::function<void()> run;   // throws std::exception if the call fails
  std::function<void()> wait;  // returns when all work of run() is done; throws as well
};

// The inputs of the calls.
struct Contents {
  std::size_t n;
  std::size_t height, width;           // of an image of n pixels
  std::vector<std::uint32_t> words;    // 2 n random numbers below 2^30
  std::vector<float> numbers;          // 2 n random numbers from -1 to 1
  std::vector<std::uint32_t> offsets;  // of segments of 1 to 63 elements, and n
  std::vector<std::uint32_t> keys;     // the number of each element's segment
  std::vector<std::uint8_t> heads;     // 1 where a segment begins
  std::vector<std::uint8_t> flags;     // 0 and 1 with the same probability
  std::vector<std::uint32_t> sorted;   // two sorted arrays of n / 2 elements
  std::size_t segments() const { return offsets.size() - 1; }
};

std::vector<Call> boost_calls(cl_command_queue queue, const Contents &contents);
std::vector<Call> cpu_calls(const Contents &contents);
// None if CUDA finds no GPU.
std::vector<Call> cuda_calls(const Contents &contents);
std::vector<Call> opencl_calls(cl_command_queue queue, const Contents &contents);
// Copies by the driver.
std::vector<Call> copies(cl_command_queue queue, const Contents &contents);
// A sum by work-groups of other shapes, and by other functions of OpenCL C.
std::vector<Call> opencl_shapes(cl_command_queue queue, const Contents &contents);

}  // namespace upsweep::bench

#endif
