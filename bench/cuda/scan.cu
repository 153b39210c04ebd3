// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of device-wide scans, as JSON: every type and kind, with a copy of as many bytes and CUB in the same run.
//
//     bench_cuda_scan quick > scan.json   # some kinds at 2^16, 2^20, 2^24 and 2^28 elements; takes seconds.
//     bench_cuda_scan full > scan.json    # all kinds from 2^8 elements to arrays of 4 GiB; takes a minute and 12 GiB.
//     bench_cuda_scan full axis           # only the cases with "axis" in their names.
//
// -D UPSWEEP_OTHER_CUB=FOLDER names the headers of a newer CUB, which then takes turns too.
//
// Times are medians of the GPU's time; copy, CUB and Upsweep take turns. `share_of_copy` is the copy's time divided by the
// scan's. `share_of_4_gib` is the scan's bytes per second divided by the longest copy's.
#include "scan_cases.h"
#include "turns.h"

#include <algorithm>
#include <cstring>
#include <random>

namespace upsweep::bench {

namespace {

constexpr std::size_t kMostMarks = std::size_t(1) << 28;
constexpr std::size_t kCubBytes = std::size_t(256) << 20;

// Random words that are numbers as floats, too: users do not scan NaN and denormal numbers.
__global__ void fill_kernel(std::uint32_t *words, std::size_t n) {
  for (std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x; i < n; i += std::size_t(gridDim.x) * blockDim.x) {
    std::uint64_t x = (i + 1) * 0x9e3779b97f4a7c15u;
    x ^= x >> 32;
    words[i] = 0x3f000000u | static_cast<std::uint32_t>(x * 0xd6e8feb86659fd93u >> 41);
  }
}
struct Marks {
  std::uint32_t *ones, *short_ones;
};
__global__ void mark_kernel(std::uint32_t *keys, unsigned char *flags, Marks lists, std::size_t n) {
  for (std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x; i < n; i += std::size_t(gridDim.x) * blockDim.x) {
    // A run begins at a random place in each 32 elements.
    const std::size_t block = i / 32;
    const std::size_t place = block * 0x9e3779b97f4a7c15u >> 59;
    keys[i] = static_cast<std::uint32_t>(i % 32 >= place ? block + 1 : block);
    flags[i] = i % 32 == place;
    lists.ones[i] = static_cast<std::uint32_t>(i);
    if (i % 32 == place) {
      lists.short_ones[block] = static_cast<std::uint32_t>(i);
    }
  }
}
std::vector<std::uint32_t> mixed_offsets() {
  std::mt19937 engine(1);
  std::vector<std::uint32_t> offsets;
  for (std::size_t at = 0; at < kMostMarks; at += std::size_t(1) << engine() % 21) {
    offsets.push_back(static_cast<std::uint32_t>(at));
  }
  return offsets;
}

// A call as a graph of its own.
class Replay {
public:
  Replay(cudaStream_t stream, const std::function<cudaError_t()> &call) : stream_(stream) {
    cudaGraph_t graph;
    require(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    require(call());
    require(cudaStreamEndCapture(stream, &graph));
    require(cudaGraphInstantiate(&executable_, graph, 0));
    require(cudaGraphDestroy(graph));
  }
  Replay(const Replay &) = delete;
  Replay &operator=(const Replay &) = delete;
  ~Replay() { cudaGraphExecDestroy(executable_); }
  cudaError_t operator()() const { return cudaGraphLaunch(executable_, stream_); }

private:
  cudaStream_t stream_;
  cudaGraphExec_t executable_;
};

struct Bench {
  ScanArrays arrays;
  Timer timer;
  double copy_gb_per_s = 0;  // of the longest copy
  bool is_first_row = true;

  // Time and share of the copy's speed, of a scan in one launch each and of its replay as a graph.
  void measure(const ScanCase &scan, const ScanCall &other_cub, std::size_t n) {
    constexpr std::size_t kMostReplayed = std::size_t(1) << 20;
    const int repeats = n >= std::size_t(1) << 26 ? 11 : 31;
    const cudaStream_t stream = timer.stream;
    const auto copy = [&] {
      const auto bytes = static_cast<std::size_t>(scan.bytes / 2 * static_cast<double>(n));
      return cudaMemcpyAsync(arrays.out, arrays.in, bytes, cudaMemcpyDeviceToDevice, stream);
    };
    const auto upsweep = [&] { return scan.upsweep(arrays, n, stream); };
    const auto call_of = [&](const ScanCall &call) {
      return call ? [&] { return call(arrays, n, stream); } : std::function<cudaError_t()>();
    };
    const std::function<cudaError_t()> cub = call_of(scan.cub);
    const std::vector<double> us = medians_us(timer, {copy, upsweep, cub, call_of(other_cub)}, repeats);
    std::printf("%s  {\"operation\": \"%s\", \"type\": \"%s\", \"n\": %zu, \"copy_us\": %.2f, \"upsweep_us\": %.2f, "
                "\"share_of_copy\": %.3f, \"share_of_4_gib\": %.3f",
                is_first_row ? "" : ",\n", scan.operation.c_str(), scan.type.c_str(), n, us[0], us[1], us[0] / us[1],
                scan.bytes * static_cast<double>(n) / us[1] / 1000 / copy_gb_per_s);
    is_first_row = false;
    if (cub) {
      std::printf(", \"cub_us\": %.2f, \"times_cub\": %.2f", us[2], us[2] / us[1]);
    }
    if (other_cub) {
      std::printf(", \"other_cub_us\": %.2f, \"times_other_cub\": %.2f", us[3], us[3] / us[1]);
    }
    if (scan.is_quick && n <= kMostReplayed) {
      const Replay ours(stream, upsweep);
      const Replay theirs(stream, cub ? cub : upsweep);
      const std::vector<double> replayed = medians_us(timer, {[&] { return ours(); }, [&] { return theirs(); }}, repeats);
      std::printf(", \"upsweep_graph_us\": %.2f", replayed[0]);
      if (cub) {
        std::printf(", \"cub_graph_us\": %.2f", replayed[1]);
      }
    }
    std::printf("}");
    std::fflush(stdout);
  }
};

void run(bool is_quick, const std::string &part, int argc, char **argv) {
  const std::size_t most_bytes = std::size_t(1) << (is_quick ? 31 : 32);
  const std::size_t slack = 256;
  DeviceBuffer in(most_bytes + slack), out(most_bytes + slack), keys(kMostMarks * 4 + slack), flags(kMostMarks + slack);
  DeviceBuffer space(std::max({cuda::scan_workspace_bytes<cuda::compensated<double>>(most_bytes / 8),
                               cuda::scan_workspace_bytes<std::uint8_t>(most_bytes),
                               cuda::segmented_scan_workspace_bytes<std::uint32_t>(kMostMarks), axis_space_bytes(most_bytes)}));
  DeviceBuffer cub_space(kCubBytes), ones(kMostMarks * 4), short_ones(kMostMarks / 8);
  SegmentLists lists = {static_cast<std::uint32_t *>(ones.data()), static_cast<std::uint32_t *>(short_ones.data()), nullptr,
                        mixed_offsets()};
  DeviceBuffer mixed(lists.mixed_on_host.size() * 4);
  lists.mixed = static_cast<std::uint32_t *>(mixed.data());
  require(cudaMemcpy(mixed.data(), lists.mixed_on_host.data(), mixed.bytes(), cudaMemcpyHostToDevice));
  Bench bench;
  bench.arrays.in = in.data();
  bench.arrays.out = out.data();
  bench.arrays.keys = static_cast<std::uint32_t *>(keys.data());
  bench.arrays.flags = static_cast<unsigned char *>(flags.data());
  bench.arrays.lists = &lists;
  bench.arrays.cub_space = cub_space.data();
  bench.arrays.cub_bytes = cub_space.bytes();
  bench.arrays.space.data = space.data();
  bench.arrays.space.bytes = space.bytes();
  fill_kernel<<<4096, 256>>>(static_cast<std::uint32_t *>(in.data()), in.bytes() / 4);
  mark_kernel<<<4096, 256>>>(bench.arrays.keys, bench.arrays.flags, Marks{lists.ones, lists.short_ones}, kMostMarks);
  require(cuda::initialise(bench.arrays.space));
  require(cudaDeviceSynchronize());

  const auto copy = [&] {
    return cudaMemcpyAsync(out.data(), in.data(), most_bytes, cudaMemcpyDeviceToDevice, bench.timer.stream);
  };
  const auto nothing = [&] {
    empty_kernel<<<1, 1, 0, bench.timer.stream>>>();
    return cudaPeekAtLastError();
  };
  const std::vector<double> us = medians_us(bench.timer, {copy, nothing}, 11);
#ifdef UPSWEEP_OTHER_CUB
  const OtherCub other = other_cub();
#else
  const OtherCub other;
#endif
  bench.copy_gb_per_s = 2.0 * static_cast<double>(most_bytes) / us[0] / 1000;
  print_origin("device-wide scans", argc, argv);
  std::printf(", \"copy_gb_per_s\": %.1f, \"empty_kernel_us\": %.2f, \"cub\": \"%s\", ", bench.copy_gb_per_s, us[1],
              cub_version().c_str());
  if (!other.version.empty()) {
    std::printf("\"other_cub\": \"%s\", ", other.version.c_str());
  }
  std::printf("\"rows\": [\n");
  const std::vector<ScanCase> cases = all_cases();
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const ScanCase &scan = cases[i];
    if ((is_quick && !scan.is_quick) || scan.operation.find(part) == std::string::npos) {
      continue;
    }
    for (int log2_n = is_quick ? 16 : 8; log2_n <= (is_quick ? 28 : 32); log2_n += is_quick ? 4 : 2) {
      const std::size_t n = std::size_t(1) << log2_n;
      if (n * scan.element_bytes <= most_bytes && !(scan.is_marked && n > kMostMarks)) {
        bench.measure(scan, i < other.calls.size() ? other.calls[i] : ScanCall(), n);
      }
    }
  }
  std::printf("\n]}\n");
}

}  // namespace

}  // namespace upsweep::bench

int main(int argc, char **argv) {
  const bool is_quick = argc >= 2 && std::strcmp(argv[1], "quick") == 0;
  if (argc < 2 || argc > 3 || (!is_quick && std::strcmp(argv[1], "full") != 0)) {
    std::fprintf(stderr, "usage: bench_cuda_scan quick|full [PART OF A NAME]\n");
    return 2;
  }
  upsweep::bench::run(is_quick, argc == 3 ? argv[2] : "", argc, argv);
  return 0;
}
