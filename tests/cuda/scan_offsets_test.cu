// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device-wide scans of segments by offsets: every mix of lengths, empty segments included.
#include "scan_check.h"

#include <memory>

using namespace upsweep::test;

namespace {

// Sorted offsets of segments. Lengths are about equal, of every magnitude, the whole array, or one element in the first half
// and the rest. Or some places have thousands of empty segments, more than a warp reads together. Empty segments begin where
// the next segment begins.
template <class Offset>
std::vector<Offset> offsets_of(std::size_t n, int kind) {
  constexpr std::uint32_t kMeans[] = {1, 3, 50, 5000};
  std::vector<Offset> offsets;
  for (std::size_t at = 0; at < n;) {
    offsets.push_back(static_cast<Offset>(at));
    if (kind != 0 && generator()() % 8 == 0) {
      offsets.push_back(static_cast<Offset>(at));
    }
    switch (kind) {
    case 0: at += 1; break;
    case 4: at += std::size_t(1) << generator()() % 20; break;
    case 5: at = n; break;
    case 6: at += at < n / 2 ? 1 : n; break;
    case 7:
      offsets.insert(offsets.end(), generator()() % 2000, static_cast<Offset>(at));
      at += generator()() % 30000 + 1;
      break;
    default: at += generator()() % (2 * kMeans[kind]) + 1;
    }
  }
  return offsets;
}
constexpr int kKinds = 8;

template <bool kInclusive, class T, class Offset, class Op>
void check_offsets(const char *name, Op op) {
  int size = 0;
  for (const std::size_t n : edge_sizes<T, T, T, cuda::detail::ByHeads>()) {
    Space space(cuda::segmented_scan_workspace_bytes<T>(n));
    // Three of the kinds for each size.
    for (const int kind : {size % kKinds, (size + 3) % kKinds, (size + 6) % kKinds}) {
      auto starts = offsets_of<Offset>(n, kind);
      if (size % 4 == 0 && !starts.empty()) {
        starts.erase(starts.begin());  // the first segment needs no offset
      }
      std::vector<unsigned char> heads(n);
      for (const Offset start : starts) {
        heads[start] = 1;
      }
      const std::vector<T> values = scan_values<T>(n);
      const T initial = scan_values<T>(1).front();
      const auto expected =
          reference<kInclusive>(values, op, initial, !kInclusive, [&](std::size_t i) { return heads[i] != 0; }).results;
      Placed<Offset> offsets(starts, static_cast<std::size_t>(size % 2));
      check_places(std::string(name) + " segments of kind " + std::to_string(kind), values, expected,
                   [&](const T *in, T *out, auto... options) {
                     if constexpr (kInclusive) {
                       return cuda::inclusive_scan_of_segments(space, in, out, n, offsets.data(), starts.size(), op, nullptr,
                                                               options...);
                     } else {
                       return cuda::exclusive_scan_of_segments(space, in, out, n, offsets.data(), starts.size(), op, initial,
                                                               nullptr, options...);
                     }
                   });
    }
    ++size;
  }
}

}  // namespace

UPSWEEP_TEST(GivenOffsets_WhenSummed_ThenSegmentsAreOnTheirOwn) {
  check_offsets<true, std::uint32_t, std::uint32_t>("u32", cuda::plus{});
}
UPSWEEP_TEST(GivenOffsetsOf64Bits_WhenScannedExclusively_ThenOrderIsKept) {
  check_offsets<false, Affine<1>, std::uint64_t>("affine", Compose{});
}
UPSWEEP_TEST(GivenBytes_WhenSummedBetweenOffsets_ThenSegmentsAreOnTheirOwn) {
  check_offsets<true, std::uint8_t, std::int32_t>("u8", cuda::plus{});
}

// A scan may begin while the kernel that writes its heads ends. It must not begin while the previous scan reads its own heads
// from the same memory.
UPSWEEP_TEST(GivenCallsInARow_WhenTheirListsDiffer_ThenEachHasItsOwnHeads) {
  constexpr int kCalls = 2 * kKinds;
  for (const std::size_t n : {std::size_t(5000), std::size_t(66666), std::size_t(3000017)}) {
    if (n > most_elements()) {
      continue;
    }
    Space space(cuda::segmented_scan_workspace_bytes<std::uint32_t>(n));
    const std::vector<std::uint32_t> values = scan_values<std::uint32_t>(n);
    Placed<std::uint32_t> in(values, 0);
    std::vector<std::unique_ptr<Placed<std::uint32_t>>> lists, outs;
    std::vector<std::vector<std::uint32_t>> expected;
    std::vector<std::size_t> segments;
    for (int call = 0; call < kCalls; ++call) {
      const auto starts = offsets_of<std::uint32_t>(n, call % kKinds);
      std::vector<unsigned char> heads(n);
      for (const std::uint32_t start : starts) {
        heads[start] = 1;
      }
      expected.push_back(
          reference<true>(values, cuda::plus{}, 0u, false, [&](std::size_t i) { return heads[i] != 0; }).results);
      segments.push_back(starts.size());
      lists.push_back(std::make_unique<Placed<std::uint32_t>>(starts, 0));
      outs.push_back(std::make_unique<Placed<std::uint32_t>>(n, 0));
    }
    cudaStream_t stream;
    UPSWEEP_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    const auto scan_all = [&] {
      for (int call = 0; call < kCalls; ++call) {
        UPSWEEP_CUDA(cuda::inclusive_scan_of_segments(space, in.data(), outs[call]->data(), n, lists[call]->data(),
                                                      segments[call], cuda::plus{}, stream));
      }
    };
    const auto check_all = [&](const char *what) {
      UPSWEEP_CUDA(cudaStreamSynchronize(stream));
      for (int call = 0; call < kCalls; ++call) {
        expect_same(what, outs[call]->download(), expected[call]);
        outs[call]->poison();
      }
      UPSWEEP_CUDA(cudaDeviceSynchronize());
    };
    UPSWEEP_CUDA(cudaDeviceSynchronize());
    scan_all();
    check_all("calls in a row");
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    UPSWEEP_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    scan_all();
    UPSWEEP_CUDA(cudaStreamEndCapture(stream, &graph));
    UPSWEEP_CUDA(cudaGraphInstantiate(&executable, graph, 0));
    for (int replay = 0; replay < 3; ++replay) {
      UPSWEEP_CUDA(cudaGraphLaunch(executable, stream));
      check_all("calls of a graph");
    }
    UPSWEEP_CUDA(cudaGraphExecDestroy(executable));
    UPSWEEP_CUDA(cudaGraphDestroy(graph));
    UPSWEEP_CUDA(cudaStreamDestroy(stream));
  }
}
