// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Linear recurrences along an axis with elements behind it: few and many columns, strides, both directions, in exact numbers;
// graphs.
#include "recurrence_check.h"

using namespace upsweep::test;

namespace {

// The whole array, including gaps between and behind its elements.
template <bool kBackward, class T>
void check_axis(const cuda::axis &of, int shift, bool has_initials, bool is_over_b = false) {
  const std::size_t extent = extent_of(of, of.in), out_extent = extent_of(of, of.out);
  const std::vector<T> a = random_numbers<T>(extent, true), b = random_numbers<T>(extent, false);
  const std::vector<T> initials = has_initials ? random_numbers<T>(of.batches * of.inner, false) : std::vector<T>();
  std::vector<T> expected(out_extent), lasts;
  std::memset(static_cast<void *>(expected.data()), kPoison, out_extent * sizeof(T));
  Placed<T> in_a(a, shift & 1), in_b(b, shift >> 1 & 1), out(out_extent, shift >> 2), first(initials, 0);
  if (is_over_b) {
    expected = b;
  }
  Placed<T> &x = is_over_b ? in_b : out;
  run_recurrence(of, kBackward, a, b, initials, expected, lasts);
  Placed<T> last(lasts.size(), 0);
  cuda::workspace space = shared_space();
  UPSWEEP_CHECK(cuda::linear_recurrence_workspace_bytes<T>(of) <= space.bytes);
  const cuda::states<T> ends(has_initials ? first.data() : nullptr, last.data());
  cudaError_t error;
  if constexpr (kBackward) {
    error = cuda::linear_recurrence_of_axis(space, in_a.data(), in_b.data(), x.data(), of, nullptr, cuda::backward, ends);
  } else {
    error = cuda::linear_recurrence_of_axis(space, in_a.data(), in_b.data(), x.data(), of, nullptr, ends);
  }
  const std::string what = text_of(of) + (kBackward ? " backward" : "") + " of " + std::to_string(sizeof(T)) + " bytes at " +
                           std::to_string(shift) + (is_over_b ? " over b" : "");
  if (error != cudaSuccess) {
    report(__FILE__, __LINE__, (what + ": " + cudaGetErrorName(error)).c_str());
    return;
  }
  expect_same(what, x.download(), expected);
  expect_same(what + " last states", last.download(), lasts);
  UPSWEEP_CHECK(x.surroundings_are_intact());
}

// Axes of few and many rows; few columns, whose chunks are divided again, and many; columns that are not whole vectors.
template <class T, bool kForward, bool kBackward>
void check_shapes() {
  std::vector<cuda::axis> shapes = {{1, 1, 1 << 17}, {3, 4, 70000},  {2, 17, 65536}, {1, 9, 131072 + 4},
                                    {5, 33, 4099},   {1, 255, 3},    {1, 256, 3},    {2, 1000, 2},
                                    {1, 100003, 2},  {1, 16666, 36}, {64, 300, 128}, {3, 5000, 20},
                                    {7, 300, 1001},  {1, 65, 40000}, {2000, 5, 1},   {70000, 3, 1}};
  if (is_short_run()) {
    shapes = {{1, 3, 300}, {2, 1000, 2}, {3, 300, 20}, {2, 9, 65536}};
  }
  for (const cuda::axis &of : shapes) {
    if constexpr (kForward) {
      check_axis<false, T>(of, 0, true);
      check_axis<false, T>(of, 1 + generator()() % 7, false);
    }
    if constexpr (kBackward) {
      check_axis<true, T>(of, 0, false);
      check_axis<true, T>(of, 1 + generator()() % 7, true, true);
    }
  }
}

}  // namespace

UPSWEEP_TEST(GivenWords_WhenRunAlongAnAxis_ThenExact) { check_shapes<std::uint32_t, true, true>(); }
UPSWEEP_TEST(GivenShorts_WhenRunAlongAnAxis_ThenExact) { check_shapes<std::uint16_t, true, false>(); }
UPSWEEP_TEST(GivenLongs_WhenRunAlongAnAxis_ThenExact) { check_shapes<std::uint64_t, false, true>(); }
UPSWEEP_TEST(GivenThreeBytes_WhenRunAlongAnAxis_ThenExact) { check_axis<false, Bytes3>({2, 700, 30}, 1, true); }
UPSWEEP_TEST(GivenMatrices_WhenRunAlongAnAxis_ThenFactorsAreInOrder) {
  check_axis<false, Matrix<std::uint32_t>>({2, 5000, 3}, 0, true);
  check_axis<true, Matrix<std::uint64_t>>({1, 300, 50}, 0, true);
}

UPSWEEP_TEST(GivenStrides_WhenRun_ThenTheRestStays) {
  check_axis<false, std::uint32_t>({3, 20, 100, {2200, 104}, {5000, 200}}, 0, true);
  check_axis<true, std::uint32_t>({3, 20, 100, {101, 333}, {101, 333}}, 1, true);  // batches interlock by rows
  check_axis<false, std::uint32_t>({5, 700, 1, {1400, 2}, {700, 1}}, 0, false);
  check_axis<true, std::uint32_t>({1, 700, 8, {0, 16}, {0, 8}}, 0, true);
}

UPSWEEP_TEST(GivenAGraph_WhenLaunchedAgain_ThenNewInputsAreRun) {
  const cuda::axis of{2, 3000, 6};
  const std::size_t n = of.batches * of.length * of.inner;
  const std::vector<std::uint32_t> a = random_numbers<std::uint32_t>(n, true);
  DeviceArray<std::uint32_t> in_a(a), in_b(n), x(n), rows(n);
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t ready;
  UPSWEEP_CUDA(cudaStreamCreate(&stream));
  UPSWEEP_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  UPSWEEP_CUDA(cuda::linear_recurrence_of_axis(shared_space(), in_a.data(), in_b.data(), x.data(), of, stream));
  UPSWEEP_CUDA(cuda::linear_recurrence_of_axis(shared_space(), in_a.data(), in_b.data(), rows.data(), {n / 36, 36, 1}, stream));
  UPSWEEP_CUDA(cudaStreamEndCapture(stream, &graph));
  UPSWEEP_CUDA(cudaGraphInstantiate(&ready, graph, 0));
  for (int run = 0; run < 3; ++run) {
    const std::vector<std::uint32_t> b = random_numbers<std::uint32_t>(n, false);
    in_b.upload(b);
    UPSWEEP_CUDA(cudaDeviceSynchronize());
    UPSWEEP_CUDA(cudaGraphLaunch(ready, stream));
    UPSWEEP_CUDA(cudaStreamSynchronize(stream));
    std::vector<std::uint32_t> expected(n), lasts;
    run_recurrence(of, false, a, b, {}, expected, lasts);
    expect_same("graph", x.download(), expected);
    run_recurrence({n / 36, 36, 1}, false, a, b, {}, expected, lasts);
    expect_same("graph rows", rows.download(), expected);
  }
  UPSWEEP_CUDA(cudaGraphExecDestroy(ready));
  UPSWEEP_CUDA(cudaGraphDestroy(graph));
  UPSWEEP_CUDA(cudaStreamDestroy(stream));
}
