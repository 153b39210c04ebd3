// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorts of segments against std::stable_sort of each; counts on the device, graphs and wrong calls.
#include "segmented_sort_check.h"

namespace upsweep::test {

UPSWEEP_TEST(GivenSegmentsOfWords_WhenSorted_ThenEachIsAsOnTheHost) {
  check_all_segments<std::uint32_t, std::uint64_t, std::uint32_t>("u32", is_before<std::uint32_t>);
}

UPSWEEP_TEST(GivenACountOnTheDevice_WhenSegmentsAreSorted_ThenTheRestIsLeft) {
  constexpr std::size_t kMost = 4000;
  const auto offsets = segment_offsets<std::uint32_t>(kMost, Lengths::kMixed, 0);
  const std::size_t n = offsets.back();
  DeviceArray<std::uint32_t> begins(offsets), in(n), out(n);
  DeviceArray<std::uint64_t> number(1);
  const SortSpaceOf space(cuda::sort_segments_workspace_bytes<std::uint32_t>(n, kMost));
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t launchable;
  UPSWEEP_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  UPSWEEP_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  UPSWEEP_CUDA(cuda::sort_keys_of_segments(space.space, static_cast<const std::uint32_t *>(in.data()), out.data(), n,
                                           begins.data(), cuda::count_at(number.data(), kMost), stream));
  UPSWEEP_CUDA(cudaStreamEndCapture(stream, &graph));
  UPSWEEP_CUDA(cudaGraphInstantiate(&launchable, graph, 0));
  for (const std::uint64_t segments : {std::uint64_t(0), std::uint64_t(1), std::uint64_t(1777), std::uint64_t(kMost)}) {
    const auto keys = sort_keys_of<std::uint32_t>(n, Spread::kRandom);
    in.upload(keys);
    number.upload({segments});
    out.poison();
    UPSWEEP_CUDA(cudaDeviceSynchronize());
    UPSWEEP_CUDA(cudaGraphLaunch(launchable, stream));
    UPSWEEP_CUDA(cudaStreamSynchronize(stream));
    const std::vector<std::uint32_t> some(offsets.begin(), offsets.begin() + static_cast<std::ptrdiff_t>(segments) + 1);
    const auto places = places_in_segments(n, some, [&](std::uint32_t a, std::uint32_t b) { return keys[a] < keys[b]; });
    check_sorted(out, sorted_with_poison(keys, places, 0, some.back()), "some segments");
  }
  UPSWEEP_CUDA(cudaGraphExecDestroy(launchable));
  UPSWEEP_CUDA(cudaGraphDestroy(graph));
  UPSWEEP_CUDA(cudaStreamDestroy(stream));
}

UPSWEEP_TEST(GivenWrongArguments_WhenSegmentsAreSorted_ThenAnError) {
  constexpr std::size_t kCount = 9000;
  DeviceArray<std::uint32_t> in(kCount), out(kCount), begins(std::vector<std::uint32_t>{0, kCount});
  const SortSpaceOf space(cuda::sort_segments_workspace_bytes<std::uint32_t>(kCount, 1));
  const auto *const source = static_cast<const std::uint32_t *>(in.data());
  const std::uint32_t *const none = nullptr;
  std::uint32_t *const nowhere = nullptr;
  const auto sort = [&](const cuda::workspace &memory, const std::uint32_t *from, std::uint32_t *to, std::uint64_t n,
                        const std::uint32_t *offsets,
                        std::uint64_t segments) { return cuda::sort_keys_of_segments(memory, from, to, n, offsets, segments); };
  const auto is_refused = [](cudaError_t error) { return error == cudaErrorInvalidValue; };
  UPSWEEP_CHECK(is_refused(sort(space.space, none, out.data(), kCount, begins.data(), 1)));
  UPSWEEP_CHECK(is_refused(sort(space.space, source, nowhere, kCount, begins.data(), 1)));
  UPSWEEP_CHECK(is_refused(sort(space.space, source, out.data(), kCount, none, 1)));
  UPSWEEP_CHECK(is_refused(sort(space.space, source, in.data() + 1, kCount - 1, begins.data(), 1)));
  UPSWEEP_CHECK(is_refused(sort(space.space, source, out.data(), kCount, begins.data(), std::uint64_t(1) << 32)));
  UPSWEEP_CHECK(is_refused(sort(space.space, source, out.data(), std::uint64_t(1) << 41, begins.data(), 1)));
  UPSWEEP_CHECK(is_refused(sort(cuda::workspace{space.space.data, 64}, source, out.data(), kCount, begins.data(), 1)));
  UPSWEEP_CHECK(is_refused(sort(cuda::workspace{}, source, out.data(), kCount, begins.data(), 1)));
  UPSWEEP_CHECK(sort(space.space, none, nowhere, 0, none, 0) == cudaSuccess);
  UPSWEEP_CHECK(is_refused(cuda::arg_sort_of_rows(space.space, source, out.data(), out.data() + 99, 10, 10)));
  UPSWEEP_CHECK(is_refused(cuda::sort_keys_of_rows(space.space, none, out.data(), 10, 10)));
  UPSWEEP_CHECK(is_refused(cuda::sort_keys_of_rows(space.space, source, out.data(), std::uint64_t(1) << 31, 1 << 20)));
  UPSWEEP_CHECK(cuda::sort_keys_of_rows(space.space, none, nowhere, 10, 0) == cudaSuccess);
  UPSWEEP_CHECK(cuda::sort_keys_of_rows(space.space, none, nowhere, 0, 10) == cudaSuccess);
  UPSWEEP_CHECK(cudaGetLastError() == cudaSuccess);
}

}  // namespace upsweep::test
