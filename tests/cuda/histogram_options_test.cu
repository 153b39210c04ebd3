// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Histograms of channels, of regions, of iterators, with the number on the device; and wrong calls.
#include "histogram_check.h"

namespace upsweep::test {

namespace {

struct Thirds {
  __host__ __device__ int operator()(int x) const { return x % 97 - 3; }  // also of negative ones
};
struct Counting {
  using value_type = std::uint64_t;
  std::uint64_t first = 0;
  __host__ __device__ std::uint64_t operator[](std::uint64_t i) const { return first + i * i; }
  __host__ __device__ Counting operator+(std::uint64_t i) const { return {first + i}; }
};
struct Modulo {
  std::uint64_t of;
  __host__ __device__ std::uint64_t operator()(std::uint64_t x) const { return x % of; }
};

// The samples of one channel in rows of pixels.
template <class T>
std::vector<T> channel_of(const std::vector<T> &all, std::size_t first, std::size_t width, std::size_t rows, std::size_t pitch,
                          int channels, int channel) {
  std::vector<T> samples;
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t x = 0; x < width; ++x) {
      samples.push_back(all[first + row * pitch + x * channels + channel]);
    }
  }
  return samples;
}

// `pitch` and `first` in samples.
template <class T, int kChannels, int kCounted>
void check_region(std::size_t width, std::size_t rows, std::size_t pitch, std::size_t first, std::uint32_t bins) {
  const std::vector<T> samples = samples_of<T>(first + rows * pitch + width * kChannels, Samples::kRandom);
  const __int128 lower = std::numeric_limits<T>::min(), upper = __int128(std::numeric_limits<T>::max()) - 9;
  DeviceArray<T> in(samples);
  DeviceArray<std::uint32_t> counts(bins * kCounted);
  UPSWEEP_CUDA(cuda::histogram_even(in.data() + first, counts.data(), cuda::region(width, rows, pitch * sizeof(T)), bins, lower,
                                    upper, cuda::channels<kChannels, kCounted>));
  std::vector<std::uint32_t> expected;
  for (int c = 0; c < kCounted; ++c) {
    const auto one = counts_of<std::uint32_t>(channel_of(samples, first, width, rows, pitch, kChannels, c), bins,
                                              ExactEven<T>{lower, upper, bins});
    expected.insert(expected.end(), one.begin(), one.end());
  }
  check_counts(counts, expected,
               std::to_string(kCounted) + " of " + std::to_string(kChannels) + " channels, " + std::to_string(rows) +
                   " rows of " + std::to_string(width) + ", pitch " + std::to_string(pitch) + " from " + std::to_string(first));
}

template <class T, int kChannels, int kCounted>
void check_regions() {
  for (const std::size_t width : {1u, 5u, 300u, 1001u, 4096u}) {
    for (const std::size_t rows : {1u, 2u, 37u}) {
      for (const std::size_t gap : {0u, 1u, 13u}) {
        check_region<T, kChannels, kCounted>(width, rows, width * kChannels + gap, (width + gap) % 7, 300);
      }
    }
  }
  check_region<T, kChannels, kCounted>(30, 5000, 30 * kChannels + 2, 1, 7000);
}

}  // namespace

UPSWEEP_TEST(GivenChannels_WhenCounted_ThenAsOnTheHost) {
  check_regions<std::uint8_t, 1, 1>();
  check_regions<std::uint8_t, 3, 3>();
  check_regions<std::uint8_t, 4, 3>();
  check_regions<std::uint16_t, 2, 2>();
  check_regions<std::uint16_t, 3, 1>();
  check_regions<std::int32_t, 4, 4>();
}

UPSWEEP_TEST(GivenIteratorAndFunction_WhenCounted_ThenAsOnTheHost) {
  for (const std::size_t n : {1u, 1000u, 200003u}) {
    std::vector<std::int64_t> expected(1000);
    for (std::uint64_t i = 0; i < n; ++i) {
      expected[i * i % 1000] += 1;
    }
    DeviceArray<std::int64_t> counts(1000);
    UPSWEEP_CUDA(cuda::histogram_by(Counting{}, counts.data(), n, 1000, Modulo{1000}));
    check_counts(counts, expected, "squares");

    const std::vector<int> samples = samples_of<int>(n, Samples::kRandom);
    DeviceArray<int> in(samples), of_thirds(50);
    UPSWEEP_CUDA(cuda::histogram_by(in.data(), of_thirds.data(), n, 50, Thirds{}));
    check_counts(of_thirds,
                 counts_of<int>(samples, 50,
                                [](int x) {
                                  const int bin = Thirds{}(x);
                                  return bin < 50 ? std::int64_t(bin) : -1;
                                }),
                 "by a function");
  }
}

UPSWEEP_TEST(GivenNumberOnTheDevice_WhenCounted_ThenOnlySoMany) {
  const std::size_t most = 300000;
  const std::vector<std::uint16_t> samples = samples_of<std::uint16_t>(most, Samples::kRandom);
  DeviceArray<std::uint16_t> in(samples);
  DeviceArray<std::uint64_t> number(1);
  DeviceArray<std::uint32_t> counts(1000);
  for (const std::uint64_t n : {0u, 1u, 77777u, 300000u}) {
    number.upload({n});
    UPSWEEP_CUDA(cuda::histogram_even(in.data(), counts.data(), cuda::count_at(number.data(), most), 1000, 0, 65000));
    const std::vector<std::uint16_t> taken(samples.begin(), samples.begin() + static_cast<std::ptrdiff_t>(n));
    check_counts(counts, counts_of<std::uint32_t>(taken, 1000, ExactEven<std::uint16_t>{0, 65000, 1000}), "count_at");
  }
}

UPSWEEP_TEST(GivenGraph_WhenReplayed_ThenCountsAnew) {
  const std::vector<int> samples = samples_of<int>(500000, Samples::kRandom);
  DeviceArray<int> in(samples), counts(100);
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t program;
  UPSWEEP_CUDA(cudaStreamCreate(&stream));
  UPSWEEP_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  UPSWEEP_CUDA(cuda::histogram_even(in.data(), counts.data(), samples.size(), 100, -1000000000, 1000000000, stream));
  UPSWEEP_CUDA(cudaStreamEndCapture(stream, &graph));
  UPSWEEP_CUDA(cudaGraphInstantiate(&program, graph, 0));
  for (int run = 0; run < 3; ++run) {
    UPSWEEP_CUDA(cudaGraphLaunch(program, stream));
  }
  UPSWEEP_CUDA(cudaStreamSynchronize(stream));
  check_counts(counts, counts_of<int>(samples, 100, ExactEven<int>{-1000000000, 1000000000, 100}), "graph");
  cudaGraphExecDestroy(program);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(stream);
}

UPSWEEP_TEST(GivenNothing_WhenCounted_ThenZeros) {
  DeviceArray<std::uint32_t> counts(5000);
  UPSWEEP_CUDA(cuda::histogram_even(static_cast<const float *>(nullptr), counts.data(), 0, 5000, 0.0, 1.0));
  check_counts(counts, std::vector<std::uint32_t>(5000), "no samples");
  counts.poison();
  UPSWEEP_CUDA(cuda::histogram_even(static_cast<const int *>(nullptr), counts.data(), cuda::region(7, 0, 100), 5000, 0, 10));
  check_counts(counts, std::vector<std::uint32_t>(5000), "no rows");
}

UPSWEEP_TEST(GivenWrongArguments_WhenCalled_ThenErrors) {
  DeviceArray<int> in(1000), counts(300);
  const auto is_refused = [](cudaError_t error) { return error == cudaErrorInvalidValue; };
  int *const none = nullptr;
  UPSWEEP_CHECK(is_refused(cuda::histogram_even(none, counts.data(), 5, 10, 0, 10)));
  UPSWEEP_CHECK(is_refused(cuda::histogram_even(in.data(), none, 5, 10, 0, 10)));
  UPSWEEP_CHECK(is_refused(cuda::histogram_even(in.data(), counts.data(), 5, 0, 0, 10)));
  UPSWEEP_CHECK(is_refused(cuda::histogram_even(in.data(), counts.data(), 5, (1u << 24) + 1, 0, 10)));
  UPSWEEP_CHECK(is_refused(cuda::histogram_even(in.data(), counts.data(), 5, ~0ull, 0, 10)));
  UPSWEEP_CHECK(is_refused(cuda::histogram_even(in.data(), counts.data(), 5, 10, 10, 10)));
  UPSWEEP_CHECK(is_refused(cuda::histogram_even(in.data(), counts.data(), 5, 10, 11, 10)));
  UPSWEEP_CHECK(is_refused(cuda::histogram_even(in.data(), counts.data(), 5, 10, -(__int128(1) << 63), __int128(1) << 64)));
  UPSWEEP_CHECK(is_refused(cuda::histogram_even(in.data(), counts.data(), (1ull << 40) + 1, 10, 0, 10)));
  UPSWEEP_CHECK(is_refused(cuda::histogram_even(in.data(), counts.data(), cuda::count_at(nullptr, 5), 10, 0, 10)));
  UPSWEEP_CHECK(is_refused(cuda::histogram_even(in.data(), in.data() + 3, 5, 10, 0, 10)));
  UPSWEEP_CHECK(is_refused(cuda::histogram_even(in.data(), counts.data(), cuda::region(10, 5, 39), 10, 0, 10)));
  UPSWEEP_CHECK(is_refused(cuda::histogram_even(in.data(), counts.data(), cuda::region(10, 5, 42), 10, 0, 10)));
  UPSWEEP_CHECK(
      is_refused(cuda::histogram_even(in.data(), counts.data(), cuda::region(1ull << 30, 1 << 20, 1ull << 40), 10, 0, 10)));
  UPSWEEP_CHECK(is_refused(cuda::histogram_of_levels(in.data(), counts.data(), 5, 10, none)));
  UPSWEEP_CHECK(is_refused(cuda::histogram_of_levels(in.data(), counts.data(), 5, 10, counts.data() + 9)));
  UPSWEEP_CHECK(is_refused(cuda::histogram_of_levels(in.data(), counts.data() + 10, 5, 10, counts.data())));
  UPSWEEP_CHECK(is_refused(
      cuda::histogram_by(in.data(), counts.data(), 5, 10, Thirds{}, cuda::weights(static_cast<const int *>(nullptr)))));
  auto *const floats = reinterpret_cast<float *>(in.data());
  for (const double wrong : {0.0, -1.0, double(NAN), double(INFINITY)}) {
    UPSWEEP_CHECK(is_refused(cuda::histogram_even(floats, counts.data(), 5, 10, 0.0, wrong)));
  }
  UPSWEEP_CHECK(is_refused(cuda::histogram_even(floats, counts.data(), 5, 300, 1e15, 1e15 + 1)));
  auto *const odd = reinterpret_cast<int *>(reinterpret_cast<char *>(in.data()) + 1);
  UPSWEEP_CHECK(cuda::histogram_even(odd, counts.data(), 5, 10, 0, 10) == cudaErrorMisalignedAddress);
  UPSWEEP_CHECK(cuda::histogram_even(counts.data(), odd, 5, 10, 0, 10) == cudaErrorMisalignedAddress);
}

}  // namespace upsweep::test
