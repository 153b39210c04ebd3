// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls that must not compile. A line behind each call names its mistake; wrong_calls_test.cmake expects these errors and no
// others.
#include <upsweep/cuda/adjacent.cuh>
#include <upsweep/cuda/axis.cuh>
#include <upsweep/cuda/histogram.cuh>
#include <upsweep/cuda/reduce.cuh>
#include <upsweep/cuda/reduce_by_key.cuh>
#include <upsweep/cuda/scan.cuh>
#include <upsweep/cuda/select.cuh>

#include <string>

namespace up = upsweep::cuda;

struct Text {
  std::string text;
};
struct Unary {
  __host__ __device__ int operator()(int x) const { return x; }
};
struct AlsoUnary {
  __host__ __device__ int operator()(int x) const { return x; }
};
struct ToText {
  __host__ __device__ Text operator()(int, int) const { return {}; }
};

void call(const up::workspace &space, const int *in, int *out, const Text *texts, Text *text_out, unsigned *kept, size_t n,
          cudaStream_t stream, void *storage, size_t bytes) {
  up::inclusive_sum(space, n, in, out);                          // expected: the input is no pointer or random-access iterator
  up::inclusive_sum(space, in, n, out);                          // expected: the output is no pointer or random-access iterator
  up::inclusive_sum(space, in, out, out);                        // expected: n is neither an integer nor count_at
  up::inclusive_sum(space, out, in, n);                          // expected: the output is const
  up::exclusive_sum(storage, bytes, in, out, n);                 // expected: the input is no pointer or random-access iterator
  up::inclusive_scan(space, texts, text_out, n, up::plus{});     // expected: the elements are not trivially copyable
  up::inclusive_scan(space, in, out, n, Unary{});                // expected: the operator cannot be called with two
  up::exclusive_scan(space, in, out, n, Unary{}, 0);             // expected: the operator cannot be called with two
  up::exclusive_scan(space, in, out, n, ToText{}, 0);            // expected: the operator's result does not convert
  up::exclusive_scan(space, in, out, n, up::plus{}, stream);     // expected: has an initial value before the stream
  up::inclusive_sum(space, in, out, n, stream, 1.5f);            // expected: neither a stream nor an option
  up::inclusive_sum(in, out, n, stream, stream);                 // expected: there are two streams
  up::inclusive_scan_by_key(space, 5, in, out, n, up::plus{});   // expected: the keys are no pointer
  up::inclusive_sum(in, out, n, up::transform_input(ToText{}));  // expected: the transformation cannot be called
  up::select_if(space, in, out, kept, n, ToText{}, stream);      // expected: the predicate cannot be called with an element
  up::select_if(space, in, out, n, kept, Unary{}, stream);       // expected: n is neither an integer nor count_at
  up::unique(in, out, n, n);                                     // expected: the number of results goes to
  up::unique(in, out, kept, n, Unary{});                         // expected: neither a stream nor callable with two
  up::reduce(in, out, n, up::plus{}, stream);                    // expected: has an initial value before the stream
  up::reduce_by_key(in, in, out, out, kept, n, AlsoUnary{});     // expected: the operator cannot be called with two
  up::adjacent_difference(kept, in, n);                          // expected: the output is const
  up::inclusive_sum_of_axis(space, in, out, up::axis{1, 2, 3}, in, 2);  // expected: neither a stream nor an option
  up::histogram_even(in, out, n, 10, 0.5, 9.5);                         // expected: the bounds of integer samples are integers
  up::histogram_by(in, out, n, 10, Unary{}, 1.5f);                      // expected: the options of a histogram are
  up::histogram_by(in, text_out, n, 10, Unary{});                       // expected: counts are integers of 32 or 64 bits
  up::histogram_by(in, out, n, 10, in);  // expected: the function behind the number of bins cannot be called
  // Without its type, and with it.
  const auto larger = [] __device__(float a, float b) { return a < b ? b : a; };
  up::inclusive_scan(in, out, n, larger);  // expected: the result of a __device__ lambda is not known
  up::inclusive_scan(in, out, n, larger, up::accumulator<float>);
}
