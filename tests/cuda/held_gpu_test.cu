// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All calls but scans (programs_test.cu) where not all of their blocks can run at once: they end, and write what they write on
// a GPU of their own, which the tests of each call compare with references of the host's.
#include "part_of_gpu.h"
#include "scan_check.h"

#include <upsweep/cuda/adjacent.cuh>
#include <upsweep/cuda/compensated.cuh>
#include <upsweep/cuda/find.cuh>
#include <upsweep/cuda/histogram.cuh>
#include <upsweep/cuda/merge.cuh>
#include <upsweep/cuda/partition.cuh>
#include <upsweep/cuda/recurrence.cuh>
#include <upsweep/cuda/reduce.cuh>
#include <upsweep/cuda/reduce_by_key.cuh>
#include <upsweep/cuda/run_length.cuh>
#include <upsweep/cuda/run_length_decode.cuh>
#include <upsweep/cuda/segmented_reduce.cuh>
#include <upsweep/cuda/segmented_sort.cuh>
#include <upsweep/cuda/select_of_rows.cuh>
#include <upsweep/cuda/sort.cuh>
#include <upsweep/cuda/summed_area.cuh>
#include <upsweep/cuda/three_way_partition.cuh>
#include <upsweep/cuda/top_k.cuh>

#include <functional>
#include <memory>
#include <string>

using namespace upsweep::test;

namespace {

using Word = std::uint32_t;
using Words = std::vector<Word>;
constexpr std::size_t kMost = 3000017, kRow = 100, kSpaceBytes = std::size_t(1) << 26;

struct IsOdd {
  __host__ __device__ bool operator()(Word x) const { return x % 2 != 0; }
};
struct IsSmall {
  __host__ __device__ bool operator()(Word x) const { return x < (1u << 30); }
};
struct IsNone {
  __host__ __device__ bool operator()(Word) const { return false; }
};

// Runs of equal words, floats that do not overflow in recurrences, and where every segment begins.
struct Inputs {
  DeviceArray<Word> words{values()}, offsets{begins()};
  DeviceArray<float> factors{floats(0.5f)}, terms{floats(100.0f)};

  static Words values() {
    Words all(kMost);
    for (std::size_t i = 0; i < kMost; ++i) {
      all[i] = i > 0 && generator()() % 4 != 0 ? all[i - 1] : static_cast<Word>(generator()());
    }
    return all;
  }
  static std::vector<float> floats(float most) {
    std::vector<float> all(kMost);
    for (float &x : all) {
      x = most * static_cast<float>(generator()() % 1024) / 1024;
    }
    return all;
  }
  static Words begins() {
    Words all;
    for (std::size_t at = 0; at < kMost; at += generator()() % 3000) {
      all.push_back(static_cast<Word>(at));
    }
    all.push_back(static_cast<Word>(kMost));
    return all;
  }
};

struct Call {
  std::string name;
  std::function<cudaError_t(cudaStream_t)> queue;
  std::shared_ptr<DeviceArray<Word>> results;  // of all arrays
  std::shared_ptr<Space> space;
  Words expected = {};
};

// Arrays of a call, one behind the other.
struct Outputs {
  Word *first, *second, *third;
  std::uint64_t *number;
};

class Calls {
public:
  explicit Calls(const Inputs &inputs) : in_(inputs) {
    for (const std::size_t n : {std::size_t(5000), std::size_t(60000), kMost}) {
      add_compactions(n);
      add_reductions(n);
      add_sorts(n);
      add_recurrences(n);
      add_others(n);
    }
  }
  std::vector<Call> &all() { return all_; }

private:
  template <class Queue>
  void add(const std::string &name, std::size_t n, Queue queue) {
    Call call{name + " of " + std::to_string(n),
              {},
              std::make_shared<DeviceArray<Word>>(3 * kMost + 8),
              std::make_shared<Space>(kSpaceBytes)};
    Word *const data = call.results->data();
    const Outputs out{data + 8, data + 8 + kMost, data + 8 + 2 * kMost, reinterpret_cast<std::uint64_t *>(data)};
    const auto space = call.space;
    call.queue = [=](cudaStream_t stream) { return queue(*space, out, n, stream); };
    all_.push_back(std::move(call));
  }

  void add_compactions(std::size_t n) {
    const Word *const in = in_.words.data();
    add("select_if", n, [=](cuda::workspace space, Outputs out, std::size_t count, cudaStream_t stream) {
      return cuda::select_if(space, in, out.first, out.number, count, IsOdd{}, stream);
    });
    add("stable_partition_if", n, [=](cuda::workspace space, Outputs out, std::size_t count, cudaStream_t stream) {
      return cuda::stable_partition_if(space, in, out.first, out.second, out.number, count, IsOdd{}, stream);
    });
    add("stable_partition_in_three", n, [=](cuda::workspace space, Outputs out, std::size_t count, cudaStream_t stream) {
      return cuda::stable_partition_in_three(space, in, out.first, out.second, out.third, out.number, count, IsSmall{}, IsOdd{},
                                             stream);
    });
    add("unique", n, [=](cuda::workspace space, Outputs out, std::size_t count, cudaStream_t stream) {
      return cuda::unique(space, in, out.first, out.number, count, stream);
    });
    add("run_length_encode", n, [=](cuda::workspace space, Outputs out, std::size_t count, cudaStream_t stream) {
      return cuda::run_length_encode(space, in, out.first, out.second, out.number, count, stream);
    });
    add("reduce_by_key", n, [=](cuda::workspace space, Outputs out, std::size_t count, cudaStream_t stream) {
      return cuda::reduce_by_key(space, in, in, out.first, out.second, out.number, count, cuda::plus{}, stream);
    });
    add("select_if_of_rows", n, [=](cuda::workspace space, Outputs out, std::size_t count, cudaStream_t stream) {
      return cuda::select_if_of_rows(space, in, out.first, out.second, count / kRow, kRow, IsOdd{}, stream);
    });
  }

  void add_reductions(std::size_t n) {
    const Word *const in = in_.words.data(), *const offsets = in_.offsets.data();
    const float *const terms = in_.terms.data();
    const std::size_t segments = in_.offsets.size() - 1;
    add("sum", n, [=](cuda::workspace space, Outputs out, std::size_t count, cudaStream_t stream) {
      return cuda::sum(space, in, out.first, count, stream);
    });
    add("compensated_sum", n, [=](cuda::workspace space, Outputs out, std::size_t count, cudaStream_t stream) {
      return cuda::compensated_sum(space, terms, reinterpret_cast<float *>(out.first), count, stream);
    });
    add("find_if", n, [=](cuda::workspace space, Outputs out, std::size_t count, cudaStream_t stream) {
      return cuda::find_if(space, in, out.number, count, IsNone{}, stream);
    });
    add("sum_of_rows", n, [=](cuda::workspace space, Outputs out, std::size_t count, cudaStream_t stream) {
      return cuda::sum_of_rows(space, in, out.first, count / kRow, kRow, stream);
    });
    if (n == kMost) {
      add("sum_of_segments", n, [=](cuda::workspace space, Outputs out, std::size_t, cudaStream_t stream) {
        return cuda::sum_of_segments(space, in, out.first, offsets, segments, stream);
      });
    }
    for (const std::size_t inner : {std::size_t(10), std::size_t(130)}) {
      cuda::axis of;
      of.length = n / inner;
      of.inner = inner;
      add("sum_of_axis", n, [=](cuda::workspace space, Outputs out, std::size_t, cudaStream_t stream) {
        return cuda::sum_of_axis(space, in, out.first, of, stream);
      });
    }
  }

  void add_sorts(std::size_t n) {
    const Word *const in = in_.words.data(), *const offsets = in_.offsets.data();
    const std::size_t segments = in_.offsets.size() - 1;
    add("sort_pairs", n, [=](cuda::workspace space, Outputs out, std::size_t count, cudaStream_t stream) {
      return cuda::sort_pairs(space, in, out.first, in, out.second, count, stream);
    });
    add("merge_sort", n, [=](cuda::workspace space, Outputs out, std::size_t count, cudaStream_t stream) {
      return cuda::merge_sort(space, in, out.first, count, stream);
    });
    add("top_k_keys", n, [=](cuda::workspace space, Outputs out, std::size_t count, cudaStream_t stream) {
      return cuda::top_k_keys(space, in, out.first, count, std::size_t(1000), stream);
    });
    if (n == kMost) {
      add("sort_keys_of_segments", n, [=](cuda::workspace space, Outputs out, std::size_t count, cudaStream_t stream) {
        return cuda::sort_keys_of_segments(space, in, out.first, count, offsets, segments, stream);
      });
      add("sort_keys_of_rows", n, [=](cuda::workspace space, Outputs out, std::size_t, cudaStream_t stream) {
        return cuda::sort_keys_of_rows(space, in, out.first, std::size_t(60), std::size_t(50000), stream);
      });
    }
  }

  void add_recurrences(std::size_t n) {
    const float *const factors = in_.factors.data(), *const terms = in_.terms.data();
    add("linear_recurrence", n, [=](cuda::workspace space, Outputs out, std::size_t count, cudaStream_t stream) {
      return cuda::linear_recurrence(space, factors, terms, reinterpret_cast<float *>(out.first), count, stream);
    });
    for (const std::size_t inner : {std::size_t(1), std::size_t(10), std::size_t(130)}) {
      cuda::axis of;
      of.length = n / inner;
      of.inner = inner;
      add("linear_recurrence_of_axis", n, [=](cuda::workspace space, Outputs out, std::size_t, cudaStream_t stream) {
        return cuda::linear_recurrence_of_axis(space, factors, terms, reinterpret_cast<float *>(out.first), of, stream);
      });
    }
  }

  void add_others(std::size_t n) {
    const Word *const in = in_.words.data();
    for (const std::uint64_t bins : {std::uint64_t(256), std::uint64_t(200000)}) {
      add("histogram_even", n, [=](cuda::workspace, Outputs out, std::size_t count, cudaStream_t stream) {
        return cuda::histogram_even(in, out.first, count, bins, std::uint64_t(0), std::uint64_t(1) << 32, stream);
      });
    }
    cuda::image_shape of;
    of.width = 1000;
    of.height = n / of.width;
    add("summed_area_table", n, [=](cuda::workspace space, Outputs out, std::size_t, cudaStream_t stream) {
      return cuda::summed_area_table(space, in, out.first, of, stream);
    });
    add("adjacent_difference", n, [=](cuda::workspace, Outputs out, std::size_t count, cudaStream_t stream) {
      return cuda::adjacent_difference(in, out.first, count, cuda::plus{}, stream);
    });
  }

  const Inputs &in_;
  std::vector<Call> all_;
};

void queue(const Call &call, cudaStream_t stream) {
  const cudaError_t error = call.queue(stream);
  if (error != cudaSuccess) {
    report(__FILE__, __LINE__, (call.name + ": " + cudaGetErrorString(error)).c_str());
  }
}

// Sorts write over their workspaces.
void poison(Call &call) {
  UPSWEEP_CUDA(cudaMemset(call.results->data(), 0xcd, call.results->bytes()));
  UPSWEEP_CUDA(cuda::initialise(*call.space));
}

void check(const Call &call, const std::string &when) {
  expect_same(call.name + " " + when, call.results->download(), call.expected);
}

}  // namespace

UPSWEEP_TEST(GivenAPartOfTheGpu_WhenEachCallIsMade_ThenItEndsAndResultsAreThoseOfTheWholeGpu) {
  const Inputs inputs;
  Calls calls(inputs);
  cudaStream_t stream;
  UPSWEEP_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  for (Call &call : calls.all()) {
    poison(call);
    UPSWEEP_CUDA(cudaDeviceSynchronize());
    queue(call, stream);
    UPSWEEP_CUDA(cudaStreamSynchronize(stream));
    call.expected = call.results->download();
    poison(call);
  }
  UPSWEEP_CUDA(cudaDeviceSynchronize());
  for (const int free : {1, 5, 50}) {
    {
      const Holding holding(free);
      for (const Call &call : calls.all()) {
        queue(call, stream);
        if (!ends(stream)) {
          report(__FILE__, __LINE__, (call.name + " does not end beside a kernel").c_str());
          break;
        }
      }
    }
    for (Call &call : calls.all()) {
      check(call, "beside a kernel");
      poison(call);
    }
    UPSWEEP_CUDA(cudaDeviceSynchronize());
  }
  const PartOfGpu part(16);
  if (part.stream() == nullptr) {
    std::printf("green contexts not run: this driver makes none\n");
  } else {
    for (Call &call : calls.all()) {
      queue(call, part.stream());
      UPSWEEP_CUDA(cudaStreamSynchronize(part.stream()));
      check(call, "in a green context");
    }
  }
  UPSWEEP_CUDA(cudaStreamDestroy(stream));
}
