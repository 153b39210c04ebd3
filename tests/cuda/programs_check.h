// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scans of each kind with their own arrays, to run repeatedly under the conditions of real programs.
#pragma once

#include "scan_check.h"

#include <upsweep/cuda/axis.cuh>

#include <functional>
#include <memory>
#include <string>

namespace upsweep::test {

// A scan whose arrays and workspace are allocated before it is queued. The host computes its reference.
struct Program {
  std::string name;
  std::function<cudaError_t(cudaStream_t)> queue;
  std::function<void()> poison;
  std::function<void(const std::string &)> check;
};

using Words = std::vector<std::uint32_t>;

struct ProgramArrays {
  Placed<std::uint32_t> in, out;
  Space space;
  Words expected;

  ProgramArrays(const Words &values, std::size_t bytes, Words results)
      : in(values, 0), out(values.size(), 0), space(bytes), expected(std::move(results)) {}
};

template <class Queue>
Program program(const std::string &name, const Words &values, std::size_t workspace_bytes, Words expected, Queue queue) {
  const auto arrays = std::make_shared<ProgramArrays>(values, workspace_bytes, std::move(expected));
  return {name, [=](cudaStream_t stream) { return queue(arrays->space, arrays->in.data(), arrays->out.data(), stream); },
          [=] { arrays->out.poison(); },
          [=](const std::string &when) { expect_same(when + " " + name, arrays->out.download(), arrays->expected); }};
}

inline Program program_of_array(std::size_t n) {
  const Words values = scan_values<std::uint32_t>(n);
  return program("sum of " + std::to_string(n), values, cuda::scan_workspace_bytes<std::uint32_t>(n),
                 inclusive_reference(values, cuda::plus{}),
                 [=](cuda::workspace space, auto *in, auto *out, cudaStream_t stream) {
                   return cuda::inclusive_sum(space, in, out, n, stream);
                 });
}

inline Program program_of_rows(std::size_t n, std::size_t length) {
  const Words values = scan_values<std::uint32_t>(n);
  Words expected = values;
  for (std::size_t i = 0; i < n; ++i) {
    expected[i] += i % length > 0 ? expected[i - 1] : 0;
  }
  return program("rows of " + std::to_string(length), values, cuda::scan_workspace_bytes<std::uint32_t>(n), expected,
                 [=](cuda::workspace space, auto *in, auto *out, cudaStream_t stream) {
                   return cuda::inclusive_scan_of_rows(space, in, out, n, length, cuda::plus{}, stream);
                 });
}

inline Program program_of_segments(std::size_t n, std::size_t length) {
  const Words values = scan_values<std::uint32_t>(n);
  Words starts, expected = values;
  for (std::size_t i = 0; i < n; ++i) {
    if (i % length == 0) {
      starts.push_back(static_cast<std::uint32_t>(i));
    }
    expected[i] += i % length > 0 ? expected[i - 1] : 0;
  }
  const auto offsets = std::make_shared<DeviceArray<std::uint32_t>>(starts);
  return program("segments of " + std::to_string(length), values, cuda::segmented_scan_workspace_bytes<std::uint32_t>(n),
                 expected, [=](cuda::workspace space, auto *in, auto *out, cudaStream_t stream) {
                   return cuda::inclusive_scan_of_segments(space, in, out, n, offsets->data(), starts.size(), cuda::plus{},
                                                           stream);
                 });
}

inline Program program_of_axis(std::size_t batches, std::size_t length, std::size_t inner) {
  cuda::axis of;
  of.batches = batches;
  of.length = length;
  of.inner = inner;
  const Words values = scan_values<std::uint32_t>(batches * length * inner);
  Words expected = values;
  for (std::size_t row = 0; row < batches * length; ++row) {
    for (std::size_t i = 0; i < inner && row % length > 0; ++i) {
      expected[row * inner + i] += expected[(row - 1) * inner + i];
    }
  }
  return program("axis of " + std::to_string(length) + " x " + std::to_string(inner), values,
                 cuda::axis_scan_workspace_bytes<std::uint32_t>(of), expected,
                 [=](cuda::workspace space, auto *in, auto *out, cudaStream_t stream) {
                   return cuda::inclusive_sum_of_axis(space, in, out, of, stream);
                 });
}

inline std::vector<Program> programs_of_arrays() {
  std::vector<Program> all;
  for (const std::size_t n : {std::size_t(700), std::size_t(50000), std::size_t(700001), std::size_t(5000017)}) {
    all.push_back(program_of_array(n));
  }
  all.push_back(program_of_rows(3000000, 1000));
  all.push_back(program_of_segments(3000000, 77));
  return all;
}

// Strips that blocks share, narrow and wide; batches; and columns.
inline std::vector<Program> programs_of_strips() {
  return {program_of_axis(1, 300000, 16), program_of_axis(1, 20000, 256), program_of_axis(1, 1000, 5000),
          program_of_axis(5000, 8, 64),   program_of_axis(40, 1000, 100), program_of_axis(2, 3, 100000)};
}

// The same scans, and scans whose totals clusters of eight blocks exchange.
inline std::vector<Program> programs_of_axes() {
  std::vector<Program> all = programs_of_strips();
  all.push_back(program_of_axis(1, 20000, 130));
  return all;
}

}  // namespace upsweep::test
