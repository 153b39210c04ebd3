// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device-wide scans of words along an axis, with every shape and layout of the array; calls that are captured, transformed,
// refused, or the last of a workspace.
#include "axis_check.h"

using namespace upsweep::test;

namespace {

struct Wide {
  __host__ __device__ std::uint64_t operator()(std::uint8_t value) const { return value; }
};
struct Narrow {
  __host__ __device__ std::uint32_t operator()(std::uint64_t value) const { return static_cast<std::uint32_t>(value >> 4); }
};

}  // namespace

UPSWEEP_TEST(GivenAnAxis_WhenWordsAreSummed_ThenEachColumnIsOnItsOwn) {
  check_shapes<true, false, std::uint32_t>("u32", cuda::plus{});
}
UPSWEEP_TEST(GivenLongBatches_WhenWordsAreExchanged_ThenEachColumnIsOnItsOwn) {
  check_exchange<std::uint32_t, true, false>("u32", cuda::plus{});
}
UPSWEEP_TEST(GivenBatchesAnywhere_WhenWordsAreScanned_ThenNothingElseIsWritten) {
  check_batches_anywhere<std::uint32_t, false, true>("u32", cuda::plus{});
}
UPSWEEP_TEST(GivenLongBatchesAnywhere_WhenWordsAreExchanged_ThenNothingElseIsWritten) {
  check_exchange_anywhere<std::uint32_t, true, false>("u32", cuda::plus{});
}
UPSWEEP_TEST(GivenLongBatches_WhenWordsArePreferablyExchanged_ThenEachColumnIsOnItsOwn) {
  for (const std::size_t inner : {24, 100, 256, 300, 512, 700}) {
    check_preferred_exchange<std::uint32_t, false, true>("u32", inner, cuda::plus{});
  }
}

// Blocks of a cluster wait for each other, and two streams have such calls. Each call must leave enough multiprocessors free
// for a whole cluster of the other call.
UPSWEEP_TEST(GivenCapturedExchange_WhenReplayedOnTwoStreams_ThenBothEnd) {
  cuda::axis of;
  of.inner = 101;
  of.length = (std::size_t(9) << 20) / of.inner;
  const auto values = scan_values<std::uint32_t>(of.length * of.inner);
  Placed<std::uint32_t> in(values, 0);
  const auto expected = axis_reference<true, false>(of, values, values, cuda::plus{}, 0u);
  struct Replayed {
    Space space;
    Placed<std::uint32_t> out;
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t executable;
  };
  std::vector<std::unique_ptr<Replayed>> all;
  for (int i = 0; i < 2; ++i) {
    all.push_back(std::unique_ptr<Replayed>(new Replayed{
        Space(cuda::axis_scan_workspace_bytes<std::uint32_t>(of)), Placed<std::uint32_t>(values.size(), 0), {}, {}, {}}));
    Replayed &one = *all.back();
    UPSWEEP_CUDA(cudaStreamCreateWithFlags(&one.stream, cudaStreamNonBlocking));
    UPSWEEP_CUDA(cudaStreamBeginCapture(one.stream, cudaStreamCaptureModeGlobal));
    UPSWEEP_CUDA(cuda::inclusive_sum_of_axis(one.space, in.data(), one.out.data(), of, one.stream));
    UPSWEEP_CUDA(cudaStreamEndCapture(one.stream, &one.graph));
    UPSWEEP_CUDA(cudaGraphInstantiate(&one.executable, one.graph, 0));
  }
  for (int i = 0; i < 20; ++i) {
    for (auto &one : all) {
      UPSWEEP_CUDA(cudaGraphLaunch(one->executable, one->stream));
    }
  }
  UPSWEEP_CUDA(cudaDeviceSynchronize());
  for (auto &one : all) {
    expect_same("replayed", one->out.download(), expected);
    UPSWEEP_CUDA(cudaGraphExecDestroy(one->executable));
    UPSWEEP_CUDA(cudaGraphDestroy(one->graph));
    UPSWEEP_CUDA(cudaStreamDestroy(one->stream));
  }
}

UPSWEEP_TEST(GivenStrides_WhenScanned_ThenWhatLiesBetweenStays) {
  for (cuda::axis of : axis_shapes(false)) {
    const std::size_t along = of.inner + generator()() % 3 * 4;
    of.in = {of.length * along + generator()() % 2 * 12, along};
    check_axis<true, false, std::uint32_t>("gaps in", of, cuda::plus{});
    of.out = {of.length * along + 8, along + generator()() % 2 * 4};
    of.out.batch = of.length * of.out.along + 8;
    check_axis<false, true, std::uint32_t>("gaps", of, cuda::plus{});
    // Boxes of a matrix, where the rows are whole vectors.
    of.in = of.out = {0, (of.inner + 3) / 4 * 4 + 8};
    check_axis<true, false, std::uint32_t>("even gaps", of, cuda::plus{});
    check_axis<false, true, std::uint32_t>("even gaps", of, cuda::plus{});
    // Batches interlock by rows: the array has another order of axes.
    of.in = of.out = {of.inner, of.inner * of.batches};
    check_axis<false, true, std::uint32_t>("woven", of, cuda::plus{});
  }
}

UPSWEEP_TEST(GivenIterators_WhenScannedAlongAnAxis_ThenTransformedOnBothSides) {
  cuda::axis of;
  of.batches = 3;
  of.length = 1000;
  of.inner = 40;
  const std::size_t n = of.batches * of.length * of.inner;
  const auto values = scan_values<std::uint8_t>(n);
  std::vector<std::uint32_t> expected(n);
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t row = i / of.inner % of.length;
    std::uint64_t total = 0;
    for (std::size_t l = 0; l <= row; ++l) {
      total += values[i - (row - l) * of.inner];
    }
    expected[i] = static_cast<std::uint32_t>(total >> 4);
  }
  DeviceArray<std::uint8_t> in(values);
  DeviceArray<std::uint32_t> out(n);
  UPSWEEP_CUDA(cuda::inclusive_sum_of_axis(shared_space(), in.data(), out.data(), of, nullptr, cuda::transform_input(Wide{}),
                                           cuda::transform_output(Narrow{})));
  expect_same("transformed", out.download(), expected);
}

UPSWEEP_TEST(GivenBadArguments_WhenScannedAlongAnAxis_ThenRefused) {
  DeviceArray<std::uint32_t> array(4096);
  cuda::axis of;
  of.batches = 2;
  of.length = 8;
  of.inner = 16;
  const auto scan = [&](const std::uint32_t *in, std::uint32_t *out, const cuda::axis &shape) {
    return cuda::inclusive_sum_of_axis(shared_space(), in, out, shape);
  };
  const std::uint32_t *null = nullptr;
  UPSWEEP_CHECK(scan(null, array.data(), of) == cudaErrorInvalidValue);
  UPSWEEP_CHECK(scan(array.data(), array.data() + 1, of) == cudaErrorInvalidValue);
  UPSWEEP_CHECK(cuda::inclusive_sum_of_axis(cuda::workspace{}, null + 1, array.data(), of) == cudaErrorInvalidValue);
  cuda::axis bad = of;
  bad.out.along = 15;
  UPSWEEP_CHECK(scan(array.data(), array.data() + 2048, bad) == cudaErrorInvalidValue);
  bad = of;
  bad.in.batch = 100;
  UPSWEEP_CHECK(scan(array.data(), array.data() + 2048, bad) == cudaErrorInvalidValue);
  bad = of;
  bad.batches = std::uint64_t(1) << 40;
  UPSWEEP_CHECK(scan(array.data(), array.data() + 2048, bad) == cudaErrorInvalidValue);
  bad.length = std::uint64_t(1) << 63;
  bad.inner = 4;
  UPSWEEP_CHECK(scan(array.data(), array.data() + 2048, bad) == cudaErrorInvalidValue);
  of.length = 0;
  UPSWEEP_CUDA(scan(null, nullptr, of));
}

// The words are cleared after the last call number, since their tags would match those of later calls. A call of a kernel that
// exchanges totals uses several numbers.
void check_wrap(const cuda::axis &of) {
  const auto values = scan_values<std::uint32_t>(of.length * of.inner);
  Placed<std::uint32_t> in(values, 0), out(values.size(), 0);
  const auto expected = axis_reference<true, false>(of, values, values, cuda::plus{}, 0u);
  Space space(cuda::axis_scan_workspace_bytes<std::uint32_t>(of));
  space.set_next_call(cuda::detail::kLastCall - 7);
  for (int i = 0; i < 12; ++i) {
    out.poison();
    UPSWEEP_CUDA(cuda::inclusive_sum_of_axis(space, in.data(), out.data(), of));
    expect_same("call", out.download(), expected);
  }
  UPSWEEP_CHECK(space.next_call() < 100);
}
UPSWEEP_TEST(GivenLastCallsOfAWorkspace_WhenNumbersWrapAlongAnAxis_ThenResultsStayRight) {
  cuda::axis of;
  of.length = 40000;
  of.inner = 12;
  check_wrap(of);
}
UPSWEEP_TEST(GivenLastCallsOfAWorkspace_WhenNumbersWrapOfWholeRows_ThenResultsStayRight) {
  cuda::axis of;
  of.length = 90000;
  of.inner = 101;
  check_wrap(of);
}
