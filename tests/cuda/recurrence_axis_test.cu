// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Linear recurrences along an axis with elements behind it: few and many columns, strides, both directions, in exact numbers;
// then floats, halves and complex numbers beside double precision; graphs.
#include "recurrence_check.h"

#include <cmath>

using namespace upsweep::test;

namespace {

// All of an array, with what lies between and behind its elements.
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

// Axes of few rows and of many; few columns, whose chunks have chunks, and many; columns that are no whole vectors.
template <class T>
void check_shapes() {
  std::vector<cuda::axis> shapes = {{1, 1, 1 << 17}, {3, 4, 70000},  {2, 17, 65536}, {1, 9, 131072 + 4},
                                    {5, 33, 4099},   {1, 255, 3},    {1, 256, 3},    {2, 1000, 2},
                                    {1, 100003, 2},  {1, 16666, 36}, {64, 300, 128}, {3, 5000, 20},
                                    {7, 300, 1001},  {1, 65, 40000}, {2000, 5, 1},   {70000, 3, 1}};
  if (is_short_run()) {
    shapes = {{1, 3, 300}, {2, 1000, 2}, {3, 300, 20}, {2, 9, 65536}};
  }
  for (const cuda::axis &of : shapes) {
    check_axis<false, T>(of, 0, true);
    check_axis<true, T>(of, 0, false);
    check_axis<false, T>(of, 1 + generator()() % 7, false);
    check_axis<true, T>(of, 1 + generator()() % 7, true, true);
  }
}

// The same numbers as doubles, or as parts of complex ones.
double part(float x, int which) { return which == 0 ? x : 0; }
double part(double x, int which) { return which == 0 ? x : 0; }
double part(__half x, int which) { return which == 0 ? __half2float(x) : 0; }
double part(__nv_bfloat16 x, int which) { return which == 0 ? __bfloat162float(x) : 0; }
double part(float2 x, int which) { return which == 0 ? x.x : x.y; }
double part(double2 x, int which) { return which == 0 ? x.x : x.y; }
void set(float &x, double re, double) { x = static_cast<float>(re); }
void set(double &x, double re, double) { x = re; }
void set(__half &x, double re, double) { x = __float2half(static_cast<float>(re)); }
void set(__nv_bfloat16 &x, double re, double) { x = __float2bfloat16(static_cast<float>(re)); }
void set(float2 &x, double re, double im) { x = {static_cast<float>(re), static_cast<float>(im)}; }
void set(double2 &x, double re, double im) { x = {re, im}; }

double random_part() { return static_cast<double>(generator()() % 20001) / 10000 - 1; }

// |a| < 1, so that errors die out; `tolerance` is that of one result.
template <class A, class B, class Out>
void check_rounded(const char *name, const cuda::axis &of, double tolerance) {
  const std::size_t n = of.batches * of.length * of.inner;
  std::vector<A> a(n);
  std::vector<B> b(n);
  for (std::size_t i = 0; i < n; ++i) {
    set(a[i], 0.69 * random_part(), 0.69 * random_part());
    set(b[i], random_part(), random_part());
  }
  DeviceArray<A> in_a(a);
  DeviceArray<B> in_b(b);
  DeviceArray<Out> x(n);
  UPSWEEP_CUDA(cuda::linear_recurrence_of_axis(shared_space(), in_a.data(), in_b.data(), x.data(), of));
  const std::vector<Out> got = x.download();
  UPSWEEP_CHECK(x.end_is_intact());
  double worst = 0;
  for (std::size_t batch = 0; batch < of.batches; ++batch) {
    for (std::size_t i = 0; i < of.inner; ++i) {
      double re = 0, im = 0;
      for (std::size_t l = 0; l < of.length; ++l) {
        const std::size_t at = place_of(of, {}, batch, l, i);
        const double a_re = part(a[at], 0), a_im = part(a[at], 1), was = re;
        re = a_re * re - a_im * im + part(b[at], 0);
        im = a_re * im + a_im * was + part(b[at], 1);
        const double wrong = std::hypot(part(got[at], 0) - re, part(got[at], 1) - im);
        worst = std::max(worst, wrong == wrong ? wrong : 1e30);
      }
    }
  }
  if (!(worst <= tolerance)) {
    report(__FILE__, __LINE__, (std::string(name) + " " + text_of(of) + ": wrong by " + std::to_string(worst)).c_str());
  }
  // The same again, bit for bit.
  DeviceArray<Out> again(n);
  UPSWEEP_CUDA(cuda::linear_recurrence_of_axis(shared_space(), in_a.data(), in_b.data(), again.data(), of));
  expect_same(std::string(name) + " again", again.download(), got);
}

template <class A, class B, class Out>
void check_rounded(const char *name, double tolerance) {
  for (const cuda::axis &of : {cuda::axis{50, 1000, 1}, {1, 70001, 1}, {3, 900, 64}, {2, 20, 70000}}) {
    if (!is_short_run() || of.inner == 1) {
      check_rounded<A, B, Out>(name, of, tolerance);
    }
  }
}

}  // namespace

UPSWEEP_TEST(GivenWords_WhenRunAlongAnAxis_ThenExact) { check_shapes<std::uint32_t>(); }
UPSWEEP_TEST(GivenShorts_WhenRunAlongAnAxis_ThenExact) { check_shapes<std::uint16_t>(); }
UPSWEEP_TEST(GivenLongs_WhenRunAlongAnAxis_ThenExact) { check_shapes<std::uint64_t>(); }
UPSWEEP_TEST(GivenThreeBytes_WhenRunAlongAnAxis_ThenExact) { check_shapes<Bytes3>(); }
UPSWEEP_TEST(GivenMatrices_WhenRunAlongAnAxis_ThenFactorsAreInOrder) {
  check_axis<false, Matrix<std::uint32_t>>({2, 5000, 3}, 0, true);
  check_axis<true, Matrix<std::uint64_t>>({1, 300, 50}, 0, true);
}

UPSWEEP_TEST(GivenStrides_WhenRun_ThenTheRestStays) {
  check_axis<false, std::uint32_t>({3, 20, 100, {2200, 104}, {5000, 200}}, 0, true);
  check_axis<true, std::uint32_t>({3, 20, 100, {101, 333}, {101, 333}}, 1, true);  // batches between each other's rows
  check_axis<false, std::uint32_t>({5, 700, 1, {1400, 2}, {700, 1}}, 0, false);
  check_axis<true, std::uint32_t>({1, 700, 8, {0, 16}, {0, 8}}, 0, true);
}

UPSWEEP_TEST(GivenFloats_WhenRun_ThenNearDoubles) { check_rounded<float, float, float>("f32", 2e-6); }
UPSWEEP_TEST(GivenDoubles_WhenRun_ThenNearDoubles) { check_rounded<double, double, double>("f64", 1e-14); }
UPSWEEP_TEST(GivenHalves_WhenRun_ThenStatesAreFloats) {
  check_rounded<__half, __half, float>("f16 to f32", 2e-6);
  check_rounded<__half, __half, __half>("f16", 3e-3);
}
UPSWEEP_TEST(GivenBrainFloats_WhenRun_ThenStatesAreFloats) {
  check_rounded<__nv_bfloat16, __nv_bfloat16, __nv_bfloat16>("bf16", 2e-2);
}
UPSWEEP_TEST(GivenComplexNumbers_WhenRun_ThenNearDoubles) {
  check_rounded<float2, float2, float2>("complex", 3e-5);
  check_rounded<double2, double2, double2>("complex doubles", 1e-13);
  check_rounded<float, float2, float2>("real and complex", 1e-5);
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
