// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Thousands of scans of random kinds and sizes on several streams, checked on the device, with one workspace for each stream.
#include "scan_device_check.h"

#include <cstdlib>
#include <memory>

using namespace upsweep::test;

namespace {

constexpr int kStreams = 4;
constexpr int kLaunches = 50000;
constexpr std::size_t kMostBytes = std::size_t(1) << 26;
constexpr std::size_t kMost = kMostBytes / sizeof(Affine<1>);

struct SameWord {
  __host__ __device__ bool operator()(std::uint32_t a, std::uint32_t b) const { return a == b; }
};

// Runs of 1 to some thousand elements, by their keys and by their begins.
struct Runs {
  std::vector<std::uint32_t> starts;
  DeviceArray<std::uint32_t> keys{kMost}, offsets{kMost};

  Runs() {
    std::vector<std::uint32_t> numbers(kMost);
    std::uint32_t length = 1;
    for (std::size_t i = 1; i < kMost; ++i) {
      const bool is_start = generator()() % length == 0;
      numbers[i] = numbers[i - 1] + (is_start ? 1 : 0);
      length = is_start ? 1u << generator()() % 13 : length;
      if (is_start) {
        starts.push_back(static_cast<std::uint32_t>(i));
      }
    }
    keys.upload(numbers);
    offsets.upload(starts);
  }
  // The number of runs that begin among the first `n` elements.
  std::size_t count(std::size_t n) const { return std::lower_bound(starts.begin(), starts.end(), n) - starts.begin(); }
};

// Arrays of one stream.
struct Lane {
  Space space{
      std::max(cuda::scan_workspace_bytes<Affine<1>>(kMost), cuda::segmented_scan_workspace_bytes<std::uint32_t>(kMost))};
  DeviceArray<unsigned char> in{kMostBytes}, out{kMostBytes};
  Runs runs[2];
  DeviceArray<unsigned long long> wrong{std::vector<unsigned long long>{0}};
  cudaStream_t stream = nullptr;

  Lane() { UPSWEEP_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking)); }
  ~Lane() { cudaStreamDestroy(stream); }

  template <Kind kKind, class T, class Op, class Scan>
  void check(std::size_t n, Op op, T initial, const std::uint32_t *marks, const Scan &scan) {
    auto *const from = reinterpret_cast<T *>(in.data()) + generator()() % 2;
    auto *const to = reinterpret_cast<T *>(out.data()) + generator()() % 2;
    fill_kernel<<<check_blocks(n), kCheckThreads, 0, stream>>>(from, n, generator()());
    UPSWEEP_CUDA(cudaMemsetAsync(to, kPoison, n * sizeof(T), stream));
    UPSWEEP_CUDA(scan(from, to));
    check_kernel<kKind><<<check_blocks(n), kCheckThreads, 0, stream>>>(from, to, n, op, initial, marks, wrong.data());
  }

  void launch_any() {
    // Sizes of every magnitude are equally likely.
    const std::size_t most = std::min(kMost - 1, most_elements());
    const std::size_t magnitude = std::size_t(2) << generator()() % 22;
    const std::size_t n = 1 + generator()() % std::min(most, magnitude);
    switch (generator()() % 6) {
    case 0:
      check<Kind::kInclusive, std::uint32_t>(n, cuda::plus{}, 0, nullptr, [&](const std::uint32_t *from, std::uint32_t *to) {
        return cuda::inclusive_sum(space, from, to, n, stream);
      });
      break;
    case 1:
      check<Kind::kExclusive, std::uint8_t>(n, cuda::plus{}, 9, nullptr, [&](const std::uint8_t *from, std::uint8_t *to) {
        return cuda::exclusive_scan(space, from, to, n, cuda::plus{}, std::uint8_t(9), stream);
      });
      break;
    case 2:
      check<Kind::kBackward, std::uint64_t>(n, cuda::plus{}, 0, nullptr, [&](const std::uint64_t *from, std::uint64_t *to) {
        return cuda::inclusive_sum(space, from, to, n, stream, cuda::backward);
      });
      break;
    case 3:
      check<Kind::kInclusive, std::uint32_t>(
          n, cuda::plus{}, 0, runs[0].keys.data(), [&](const std::uint32_t *from, std::uint32_t *to) {
            return cuda::inclusive_scan_by_key(space, runs[0].keys.data(), from, to, n, cuda::plus{}, SameWord{}, stream);
          });
      break;
    case 4: {
      // One of two lists, so that heads from the previous call differ.
      Runs &list = runs[generator()() % 2];
      check<Kind::kInclusive, std::uint32_t>(n, cuda::plus{}, 0, list.keys.data(),
                                             [&](const std::uint32_t *from, std::uint32_t *to) {
                                               return cuda::inclusive_scan_of_segments(space, from, to, n, list.offsets.data(),
                                                                                       list.count(n), cuda::plus{}, stream);
                                             });
      break;
    }
    default:
      check<Kind::kInclusive, Affine<1>>(n, Compose{}, {}, nullptr, [&](const Affine<1> *from, Affine<1> *to) {
        return cuda::inclusive_scan(space, from, to, n, Compose{}, stream);
      });
    }
  }
};

}  // namespace

// UPSWEEP_STRESS_LAUNCHES in the environment changes the length of the run.
UPSWEEP_TEST(GivenManyLaunches_WhenStreamsRunAtOnce_ThenAllAreRight) {
  const char *const wanted = std::getenv("UPSWEEP_STRESS_LAUNCHES");
  const int launches = wanted != nullptr ? std::atoi(wanted) : kLaunches;
  std::vector<std::unique_ptr<Lane>> lanes;
  for (int i = 0; i < kStreams; ++i) {
    lanes.push_back(std::make_unique<Lane>());
  }
  UPSWEEP_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < launches; ++i) {
    lanes[i % kStreams]->launch_any();
  }
  UPSWEEP_CUDA(cudaDeviceSynchronize());
  for (const auto &lane : lanes) {
    UPSWEEP_CHECK(lane->wrong.download().front() == 0);
  }
  std::printf("%d scans\n", launches);
}
