// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// State between calls: a workspace that is reused, the wrap of call numbers, errors, several streams, and graphs.
#include "scan_check.h"

#include <deque>
#include <memory>
#include <numeric>

using namespace upsweep::test;

namespace {

std::vector<std::uint32_t> words(std::size_t n) { return scan_values<std::uint32_t>(n); }

// Sizes for one block, for several blocks with a tile each, and for the pipeline.
constexpr std::size_t kSizes[] = {700, 50000, 3000017};

// A scan of each kind with its own array, checked repeatedly against the same references.
class Rounds {
public:
  explicit Rounds(std::size_t n)
      : n_(n), words_(words(n)), maps_(scan_values<Affine<1>>(n)), in_words_(words_, 0), out_words_(n, 0), in_maps_(maps_, 0),
        out_maps_(n, 0), sums_(inclusive_reference(words_, cuda::plus{})),
        composed_(exclusive_reference(maps_, Compose{}, Affine<1>{{1}, {2}}).results) {}

  void check(const cuda::workspace &space, const std::string &what) {
    out_words_.poison();
    UPSWEEP_CUDA(cuda::inclusive_sum(space, in_words_.data(), out_words_.data(), n_));
    expect_same(what + " sums", out_words_.download(), sums_);
    out_maps_.poison();
    UPSWEEP_CUDA(cuda::exclusive_scan(space, in_maps_.data(), out_maps_.data(), n_, Compose{}, Affine<1>{{1}, {2}}));
    expect_same(what + " maps", out_maps_.download(), composed_);
  }

private:
  std::size_t n_;
  std::vector<std::uint32_t> words_;
  std::vector<Affine<1>> maps_;
  Placed<std::uint32_t> in_words_, out_words_;
  Placed<Affine<1>> in_maps_, out_maps_;
  std::vector<std::uint32_t> sums_;
  std::vector<Affine<1>> composed_;
};

}  // namespace

UPSWEEP_TEST(GivenOneWorkspace_WhenSizesAndTypesChange_ThenNothingOfOlderCallsIsSeen) {
  std::deque<Rounds> rounds;
  for (const std::size_t n : kSizes) {
    if (n <= most_elements()) {
      rounds.emplace_back(n);
    }
  }
  for (int i = 0; i < 30; ++i) {
    rounds[generator()() % rounds.size()].check(shared_space(), "reuse");
  }
}

// The words are cleared after the last call number, since their tags would match those of later calls.
UPSWEEP_TEST(GivenLastCallsOfAWorkspace_WhenNumbersWrap_ThenResultsStayRight) {
  for (const std::size_t n : {std::size_t(20000), std::size_t(3000017)}) {
    if (n > most_elements()) {
      continue;
    }
    Space space(cuda::scan_workspace_bytes<Affine<1>>(n));
    Rounds rounds(n), others(n);
    for (int i = 0; i < 4; ++i) {
      rounds.check(space, "first calls");
    }
    const std::uint32_t calls = space.next_call();
    UPSWEEP_CHECK(calls >= 8);
    space.set_next_call(cuda::detail::kLastCall - 6);
    for (int i = 0; i < 12; ++i) {
      others.check(space, "calls around the wrap");
    }
    UPSWEEP_CHECK(space.next_call() < 24);
  }
}

// The heads of segments occupy the memory where a scan of more elements has words. Heads of segments of one element would
// match the tag of its call, except for the highest bit.
UPSWEEP_TEST(GivenHeadsOfSegments_WhenTheirPlaceIsOfWordsLater_ThenTheyAreNotTakenForThem) {
  constexpr std::size_t kSegments = 1 << 18;
  const std::size_t n = std::min<std::size_t>(std::size_t(1) << 24, most_elements());
  using Problem =
      cuda::detail::ScanProblem<std::uint32_t, const std::uint32_t *, std::uint32_t *, cuda::plus, cuda::detail::Unchanged,
                                cuda::detail::Unchanged, cuda::detail::ByHeads, true, false, false, false>;
  constexpr int kItems = cuda::detail::ScanTuning<Problem>::kItems;
  Space space(cuda::segmented_scan_workspace_bytes<std::uint32_t>(n));
  std::vector<std::uint32_t> starts(kSegments);
  std::iota(starts.begin(), starts.end(), 0u);
  DeviceArray<std::uint32_t> offsets(starts);
  const std::vector<std::uint32_t> values = words(n);
  const std::vector<std::uint32_t> expected = inclusive_reference(values, cuda::plus{});
  Placed<std::uint32_t> in(values, 0), out(n, 0);
  const std::size_t segments = std::min(kSegments, n);
  UPSWEEP_CUDA(
      cuda::inclusive_scan_of_segments(space, in.data(), out.data(), segments, offsets.data(), segments, cuda::plus{}));
  UPSWEEP_CUDA(cudaDeviceSynchronize());
  space.set_next_call((1u << kItems) - 2);
  UPSWEEP_CUDA(cuda::inclusive_sum(space, in.data(), out.data(), n));
  expect_same("words where heads were", out.download(), expected);
}

UPSWEEP_TEST(GivenSeveralStreams_WhenTheyScanAtOnce_ThenEachIsRight) {
  constexpr int kStreams = 6;
  const std::size_t n = std::min<std::size_t>(3000017, most_elements());
  const std::vector<std::uint32_t> values = words(n);
  const auto expected = inclusive_reference(values, cuda::plus{});
  Placed<std::uint32_t> in(values, 0);
  std::vector<std::unique_ptr<Space>> spaces;
  std::vector<std::unique_ptr<Placed<std::uint32_t>>> outs;
  cudaStream_t streams[kStreams];
  for (cudaStream_t &stream : streams) {
    UPSWEEP_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    spaces.push_back(std::make_unique<Space>(cuda::scan_workspace_bytes<std::uint32_t>(n)));
    outs.push_back(std::make_unique<Placed<std::uint32_t>>(n, 0));
  }
  UPSWEEP_CUDA(cudaDeviceSynchronize());
  for (int round = 0; round < 20; ++round) {
    for (int i = 0; i < kStreams; ++i) {
      UPSWEEP_CUDA(cuda::inclusive_sum(*spaces[i], in.data(), outs[i]->data(), n, streams[i]));
    }
  }
  UPSWEEP_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < kStreams; ++i) {
    expect_same("stream", outs[i]->download(), expected);
    UPSWEEP_CUDA(cudaStreamDestroy(streams[i]));
  }
}

UPSWEEP_TEST(GivenCapturedCalls_WhenGraphIsReplayed_ThenNewInputIsScanned) {
  for (const std::size_t n : kSizes) {
    if (n > most_elements()) {
      continue;
    }
    Placed<std::uint32_t> in(n, 0), out(n, 0), twice(n, 0);
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    UPSWEEP_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    UPSWEEP_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    UPSWEEP_CUDA(cuda::inclusive_sum(shared_space(), in.data(), out.data(), n, stream));
    UPSWEEP_CUDA(cuda::inclusive_sum(shared_space(), out.data(), twice.data(), n, stream));
    UPSWEEP_CUDA(cudaStreamEndCapture(stream, &graph));
    UPSWEEP_CUDA(cudaGraphInstantiate(&executable, graph, 0));
    for (int replay = 0; replay < 5; ++replay) {
      const auto values = words(n);
      in.upload(values);
      twice.poison();
      UPSWEEP_CUDA(cudaDeviceSynchronize());
      UPSWEEP_CUDA(cudaGraphLaunch(executable, stream));
      UPSWEEP_CUDA(cudaStreamSynchronize(stream));
      const auto once = inclusive_reference(values, cuda::plus{});
      expect_same("replay", out.download(), once);
      expect_same("replay of the second", twice.download(), inclusive_reference(once, cuda::plus{}));
    }
    UPSWEEP_CUDA(cudaGraphExecDestroy(executable));
    UPSWEEP_CUDA(cudaGraphDestroy(graph));
    UPSWEEP_CUDA(cudaStreamDestroy(stream));
  }
}

UPSWEEP_TEST(GivenBadArguments_WhenScanned_ThenAnErrorComesBackAndNothingIsWritten) {
  constexpr std::size_t kN = 5000;
  Placed<std::uint32_t> in(words(kN), 0), out(kN, 0);
  std::uint32_t *const none = nullptr;
  const auto sum = [&](const cuda::workspace &space, const std::uint32_t *from, std::uint32_t *to, std::size_t n,
                       auto... options) { return cuda::inclusive_sum(space, from, to, n, nullptr, options...); };
  cuda::workspace space = shared_space();
  const auto expect_invalid = [](cudaError_t error) { UPSWEEP_CHECK(error == cudaErrorInvalidValue); };
  expect_invalid(sum(space, none, out.data(), kN));
  expect_invalid(sum(space, in.data(), none, kN));
  expect_invalid(sum(cuda::workspace{}, in.data(), out.data(), kN));
  expect_invalid(cuda::initialise(cuda::workspace{}));
  expect_invalid(sum(space, in.data(), in.data() + 1, kN - 1));
  expect_invalid(sum(space, in.data() + 1, in.data(), kN - 1));
  expect_invalid(sum(space, in.data(), out.data(), (std::size_t(1) << 40) + 1));
  expect_invalid(sum(space, in.data(), out.data(), ~std::size_t(0)));
  expect_invalid(sum(space, in.data(), out.data(), kN, cuda::total_to(none)));
  expect_invalid(cuda::inclusive_sum(space, in.data(), out.data(), cuda::count_at(nullptr, kN)));
  cuda::workspace small = space;
  small.bytes = cuda::scan_workspace_bytes<std::uint32_t>(kN) - 1;
  expect_invalid(sum(small, in.data(), out.data(), kN));
  cuda::workspace shifted = space;
  shifted.data = static_cast<unsigned char *>(space.data) + 8;
  shifted.bytes -= 8;
  expect_invalid(sum(shifted, in.data(), out.data(), kN));
  UPSWEEP_CHECK(out.surroundings_are_intact());
  // Adjacent arrays do not overlap, and pointers of empty arrays may be null.
  UPSWEEP_CUDA(sum(space, in.data(), in.data() + kN / 2, kN / 2));
  UPSWEEP_CUDA(sum(space, none, none, 0));
}

UPSWEEP_TEST(GivenStreamPool_WhenScanned_ThenMemoryIsTakenAndGivenBack) {
  for (const std::size_t n : kSizes) {
    if (n <= most_elements()) {
      Rounds(n).check(cuda::stream_pool, "pool");
    }
  }
  const std::vector<std::uint32_t> values = words(30000);
  DeviceArray<std::uint32_t> in(values), out(values.size()), offsets(std::vector<std::uint32_t>{0, 100, 20000});
  const auto expected = reference<true>(values, cuda::plus{}, 0u, false, [](std::size_t i) { return i == 100 || i == 20000; });
  UPSWEEP_CUDA(cuda::inclusive_scan_of_segments(cuda::stream_pool, in.data(), out.data(), values.size(), offsets.data(), 3,
                                                cuda::plus{}));
  expect_same("pool segments", out.download(), expected.results);
  cudaMemPool_t pool;
  std::uint64_t used = 1;
  UPSWEEP_CUDA(cudaDeviceGetDefaultMemPool(&pool, 0));
  UPSWEEP_CUDA(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used));
  UPSWEEP_CHECK(used == 0);
}

UPSWEEP_TEST(GivenExactlyTheBytesAskedFor_WhenScanned_ThenWorkspaceSuffices) {
  for (const std::size_t n : kSizes) {
    if (n > most_elements()) {
      continue;
    }
    Space space(cuda::scan_workspace_bytes<Affine<1>>(n));
    Rounds(n).check(space, "smallest workspace");
  }
}
