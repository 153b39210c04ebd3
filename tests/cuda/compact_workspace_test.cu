// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of compactions and reductions: one workspace for all, the wrap of call numbers, streams, graphs, iterators, errors.
#include "compact_check.h"

#include <upsweep/cuda/partition.cuh>
#include <upsweep/cuda/reduce.cuh>
#include <upsweep/cuda/reduce_by_key.cuh>
#include <upsweep/cuda/run_length.cuh>

#include <cstddef>
#include <memory>
#include <numeric>

using namespace upsweep::test;

namespace {

using Word = std::uint32_t;

// Sizes for one block, for several blocks with a tile each, and for the pipeline.
std::vector<std::size_t> call_sizes() {
  return is_short_run() ? std::vector<std::size_t>{700, 30000} : std::vector<std::size_t>{700, 50000, 900001, 3000017};
}

// A call of each kind, checked against references that are computed once.
class AllCalls {
public:
  explicit AllCalls(std::size_t n)
      : n_(n), values_(runs<Word>(n, 4)), kinds_(values_, [&](std::size_t i) { return keep_(values_[i]); }), in_(values_, 0),
        out_(n, 0), more_(n, 0), total_(1, 0), count_(1, 0) {
    for (std::size_t i = 0; i < n; ++i) {
      if (i == 0 || values_[i] != values_[i - 1]) {
        unique_.push_back(values_[i]);
        lengths_.push_back(0);
      }
      ++lengths_.back();
    }
  }

  void check(const cuda::workspace &space, const std::string &what, cudaStream_t stream = nullptr) {
    launch_select(space, stream);
    expect_begin(what + " select", out_.download(), kinds_.kept);
    expect_success(what, cuda::partition_if(space, in_.data(), out_.data(), count_.data(), n_, keep_, stream));
    UPSWEEP_CUDA(cudaStreamSynchronize(stream));
    expect_same(what + " partition", out_.download(), kinds_.kept_then_reversed());
    expect_success(what, cuda::sum(space, in_.data(), total_.data(), n_, stream));
    UPSWEEP_CUDA(cudaStreamSynchronize(stream));
    expect_same(what + " sum", total_.download(), {std::accumulate(values_.begin(), values_.end(), Word(0))});
    out_.poison();
    more_.poison();
    UPSWEEP_CUDA(cudaDeviceSynchronize());
    expect_success(what, cuda::run_length_encode(space, in_.data(), out_.data(), more_.data(), count_.data(), n_,
                                                 cuda::equal_to{}, stream));
    UPSWEEP_CUDA(cudaStreamSynchronize(stream));
    expect_begin(what + " runs", out_.download(), unique_);
    expect_begin(what + " lengths", more_.download(), lengths_);
    out_.poison();
    UPSWEEP_CUDA(cudaDeviceSynchronize());
    expect_success(what, cuda::inclusive_sum(space, in_.data(), more_.data(), n_, stream));
    UPSWEEP_CUDA(cudaStreamSynchronize(stream));
    expect_same(what + " scan", more_.download(), inclusive_reference(values_, cuda::plus{}));
  }

  void launch_select(const cuda::workspace &space, cudaStream_t stream) {
    UPSWEEP_CUDA(cudaMemsetAsync(out_.data(), kPoison, n_ * sizeof(Word), stream));
    expect_success("select", cuda::select_if(space, in_.data(), out_.data(), count_.data(), n_, keep_, stream));
    UPSWEEP_CUDA(cudaStreamSynchronize(stream));
  }

private:
  std::size_t n_;
  KeepShare keep_{100};
  std::vector<Word> values_;
  Kinds<Word> kinds_;
  std::vector<Word> unique_, lengths_;
  Placed<Word> in_, out_, more_, total_;
  Placed<std::uint64_t> count_;
};

// x[i] = 3 i, computed without memory.
struct Threes {
  using iterator_category = std::random_access_iterator_tag;
  using value_type = Word;
  using difference_type = std::ptrdiff_t;
  using pointer = const Word *;
  using reference = Word;

  std::ptrdiff_t at = 0;
  __host__ __device__ Word operator[](std::ptrdiff_t i) const { return static_cast<Word>(3 * (at + i)); }
  __host__ __device__ Threes operator+(std::ptrdiff_t i) const { return {at + i}; }
};

// Assignment stores the value plus one in an array.
struct PlusOne {
  using iterator_category = std::random_access_iterator_tag;
  using value_type = void;
  using difference_type = std::ptrdiff_t;
  using pointer = void;
  using reference = void;

  struct Place {
    Word *to;
    __device__ void operator=(Word value) const { *to = value + 1; }
  };
  Word *to;
  __device__ Place operator[](std::ptrdiff_t i) const { return {to + i}; }
  __host__ __device__ PlusOne operator+(std::ptrdiff_t i) const { return {to + i}; }
};

std::size_t most_bytes(std::size_t n) {
  return std::max(cuda::select_workspace_bytes<Word>(n), cuda::scan_workspace_bytes<Word>(n)) +
         cuda::reduce_workspace_bytes<Word>();
}

}  // namespace

UPSWEEP_TEST(GivenOneWorkspace_WhenAlgorithmsAndSizesChange_ThenNothingOfOlderCallsIsSeen) {
  std::vector<std::unique_ptr<AllCalls>> calls;
  for (const std::size_t n : call_sizes()) {
    calls.push_back(std::make_unique<AllCalls>(n));
  }
  for (int i = 0; i < (is_short_run() ? 3 : 20); ++i) {
    calls[generator()() % calls.size()]->check(shared_space(), "reuse");
  }
}

UPSWEEP_TEST(GivenLastCallsOfAWorkspace_WhenNumbersWrap_ThenResultsStayRight) {
  for (const std::size_t n : call_sizes()) {
    Space space(most_bytes(n));
    AllCalls calls(n), others(n);
    calls.check(space, "first calls");
    space.set_next_call(cuda::detail::kLastCall - 6);
    for (int i = 0; i < 4; ++i) {
      others.check(space, "calls around the wrap");
    }
    // Calls with a single block have no number.
    UPSWEEP_CHECK(n < 2048 || space.next_call() < 16);
  }
}

UPSWEEP_TEST(GivenStreamPool_WhenCalled_ThenResultsAreRight) {
  for (const std::size_t n : call_sizes()) {
    AllCalls(n).check(cuda::stream_pool, "pool");
  }
}

UPSWEEP_TEST(GivenSeveralStreams_WhenTheySelectAtOnce_ThenEachIsRight) {
  constexpr int kStreams = 6;
  const std::size_t n = std::min<std::size_t>(3000017, most_elements());
  const KeepShare keep{90};
  const std::vector<Word> values = any_values<Word>(n);
  const Kinds<Word> kinds(values, [&](std::size_t i) { return keep(values[i]); });
  Placed<Word> in(values, 0);
  std::vector<std::unique_ptr<Space>> spaces;
  std::vector<std::unique_ptr<Placed<Word>>> outs;
  Placed<std::uint64_t> kept(kStreams, 0);
  cudaStream_t streams[kStreams];
  for (cudaStream_t &stream : streams) {
    UPSWEEP_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    spaces.push_back(std::make_unique<Space>(most_bytes(n)));
    outs.push_back(std::make_unique<Placed<Word>>(n, 0));
  }
  UPSWEEP_CUDA(cudaDeviceSynchronize());
  for (int round = 0; round < 20; ++round) {
    for (int i = 0; i < kStreams; ++i) {
      const std::size_t part = round < 19 ? 1 + n / (1 + generator()() % 40) : n;
      UPSWEEP_CUDA(cuda::select_if(*spaces[i], in.data(), outs[i]->data(), kept.data() + i, part, keep, streams[i]));
    }
  }
  UPSWEEP_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < kStreams; ++i) {
    expect_begin("stream", outs[i]->download(), kinds.kept);
    UPSWEEP_CUDA(cudaStreamDestroy(streams[i]));
  }
  expect_same("kept", kept.download(), std::vector<std::uint64_t>(kStreams, kinds.kept.size()));
}

// The second call counts the elements that the first one kept.
UPSWEEP_TEST(GivenCapturedCalls_WhenGraphIsReplayed_ThenNewInputAndCountsAreUsed) {
  for (const std::size_t n : call_sizes()) {
    const KeepShare keep{200}, keep_less{100};
    Placed<Word> in(n, 0), out(n, 0), twice(n, 0), total(1, 0);
    Placed<std::uint64_t> kept(1, 0), kept_twice(1, 0);
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    UPSWEEP_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    UPSWEEP_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    UPSWEEP_CUDA(cuda::select_if(shared_space(), in.data(), out.data(), kept.data(), n, keep, stream));
    UPSWEEP_CUDA(cuda::select_if(shared_space(), out.data(), twice.data(), kept_twice.data(), cuda::count_at(kept.data(), n),
                                 keep_less, stream));
    UPSWEEP_CUDA(cuda::reduce(shared_space(), twice.data(), total.data(), cuda::count_at(kept_twice.data(), n), cuda::plus{},
                              Word(5), stream));
    UPSWEEP_CUDA(cudaStreamEndCapture(stream, &graph));
    UPSWEEP_CUDA(cudaGraphInstantiate(&executable, graph, 0));
    for (int replay = 0; replay < 4; ++replay) {
      const std::vector<Word> values = any_values<Word>(n);
      in.upload(values);
      out.poison();
      twice.poison();
      UPSWEEP_CUDA(cudaDeviceSynchronize());
      UPSWEEP_CUDA(cudaGraphLaunch(executable, stream));
      UPSWEEP_CUDA(cudaStreamSynchronize(stream));
      const std::vector<Word> once = Kinds<Word>(values, [&](std::size_t i) { return keep(values[i]); }).kept;
      const std::vector<Word> expected = Kinds<Word>(once, [&](std::size_t i) { return keep_less(once[i]); }).kept;
      expect_begin("replay", out.download(), once);
      expect_begin("replay of the second", twice.download(), expected);
      expect_same("replay of the sum", total.download(), {std::accumulate(expected.begin(), expected.end(), Word(5))});
    }
    UPSWEEP_CUDA(cudaGraphExecDestroy(executable));
    UPSWEEP_CUDA(cudaGraphDestroy(graph));
    UPSWEEP_CUDA(cudaStreamDestroy(stream));
  }
}

UPSWEEP_TEST(GivenIterators_WhenCompacted_ThenTheyAreReadAndWritten) {
  const KeepShare keep{77};
  for (const std::size_t n : call_sizes()) {
    std::vector<Word> values(n);
    for (std::size_t i = 0; i < n; ++i) {
      values[i] = static_cast<Word>(3 * i);
    }
    Kinds<Word> kinds(values, [&](std::size_t i) { return keep(values[i]); });
    for (Word &value : kinds.kept) {
      ++value;
    }
    Placed<Word> out(n, 0), second(n, 0), total(1, 0);
    Placed<Word> kept(1, 0);
    expect_success("iterators", cuda::select_if(shared_space(), Threes{}, PlusOne{out.data()}, kept.data(), n, keep));
    expect_begin("iterators", out.download(), kinds.kept);
    expect_kept("iterators", kept, kinds.kept.size());
    expect_success("iterators", cuda::stable_partition_if(shared_space(), Threes{}, PlusOne{out.data()}, second.data(),
                                                          kept.data(), n, keep));
    expect_begin("iterators, rejected", second.download(), kinds.rejected);
    expect_success("iterators", cuda::sum(shared_space(), Threes{}, total.data(), n));
    expect_same("sum of iterators", total.download(), {std::accumulate(values.begin(), values.end(), Word(0))});
  }
}

UPSWEEP_TEST(GivenBadArguments_WhenCompacted_ThenAnErrorComesBackAndNothingIsWritten) {
  constexpr std::size_t kN = 5000;
  const KeepShare keep{128};
  Placed<Word> in(any_values<Word>(kN), 0), out(kN, 0), kept(1, 0);
  Word *const none = nullptr;
  const cuda::workspace space = shared_space();
  const auto expect_invalid = [](cudaError_t error) { UPSWEEP_CHECK(error == cudaErrorInvalidValue); };
  expect_invalid(cuda::select_if(space, none, out.data(), kept.data(), kN, keep));
  expect_invalid(cuda::select_if(space, in.data(), none, kept.data(), kN, keep));
  expect_invalid(cuda::select_if(space, in.data(), out.data(), none, kN, keep));
  expect_invalid(cuda::select_if(cuda::workspace{}, in.data(), out.data(), kept.data(), kN, keep));
  expect_invalid(cuda::select_if(space, in.data(), in.data() + 1, kept.data(), kN - 1, keep));
  expect_invalid(cuda::select_if(space, in.data(), out.data(), kept.data(), (std::size_t(1) << 40) + 1, keep));
  expect_invalid(cuda::select_if(space, in.data(), out.data(), kept.data(), cuda::count_at(nullptr, kN), keep));
  expect_invalid(cuda::select_by_flag(space, in.data(), none, out.data(), kept.data(), kN));
  expect_invalid(cuda::partition_if(space, in.data(), in.data(), kept.data(), kN, keep));
  expect_invalid(cuda::stable_partition_if(space, in.data(), out.data(), none, kept.data(), kN, keep));
  expect_invalid(cuda::run_length_encode(space, in.data(), out.data(), none, kept.data(), kN));
  expect_invalid(cuda::reduce_by_key(space, none, in.data(), out.data(), out.data(), kept.data(), kN, cuda::plus{}));
  cuda::workspace small = space;
  small.bytes = 256;
  expect_invalid(cuda::select_if(small, in.data(), out.data(), kept.data(), kN, keep));
  UPSWEEP_CHECK(out.surroundings_are_intact() && kept.surroundings_are_intact());
  expect_begin("nothing is written", out.download(), std::vector<Word>());
  // No elements: none are kept, and pointers may be null.
  UPSWEEP_CUDA(cuda::select_if(space, none, none, kept.data(), 0, keep));
  expect_kept("none", kept, 0);
}
