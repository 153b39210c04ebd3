// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A random mix of all algorithms on several streams of several host threads, each stream with a workspace or with memory of
// its pool. The device compares the results with those of loops on the host.
#include "check.h"

#include <upsweep/cuda/adjacent.cuh>
#include <upsweep/cuda/axis.cuh>
#include <upsweep/cuda/find.cuh>
#include <upsweep/cuda/partition.cuh>
#include <upsweep/cuda/reduce.cuh>
#include <upsweep/cuda/reduce_by_key.cuh>
#include <upsweep/cuda/run_length.cuh>
#include <upsweep/cuda/scan.cuh>
#include <upsweep/cuda/segmented_reduce.cuh>
#include <upsweep/cuda/select_of_rows.cuh>
#include <upsweep/cuda/sort.cuh>

#include <cstdint>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <thread>

namespace up = upsweep::cuda;
using namespace upsweep::test;

namespace {

using Word = std::uint32_t;
using Words = std::vector<Word>;

constexpr int kThreads = 4;
constexpr int kStreams = 2;  // of a thread
constexpr int kCalls = 20000;
constexpr std::size_t kMost = std::size_t(1) << 20;
constexpr std::size_t kRow = 100;

struct IsOdd {
  __host__ __device__ bool operator()(Word x) const { return x % 2 != 0; }
};

// The arguments of a call: three arrays of kMost words, and a number.
struct Arguments {
  const up::workspace *space;
  const Word *in;
  Word *out, *second;
  std::uint64_t *number;
  std::size_t n;
  cudaStream_t stream;
};

__global__ void compare_kernel(const Word *got, const Word *expected, std::size_t count, unsigned *wrong) {
  for (std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x; i < count;
       i += std::size_t(gridDim.x) * blockDim.x) {
    if (got[i] != expected[i]) {
      atomicAdd(wrong, 1u);
    }
  }
}

// A call on the first n words of an input, and its expected output.
struct Job {
  const char *name;
  std::size_t n;
  std::function<cudaError_t(const Arguments &)> call;
  Words out = {}, second = {};
  bool has_number = false;
  std::uint64_t number = 0;
  std::unique_ptr<DeviceArray<Word>> expected_out = nullptr, expected_second = nullptr, expected_number = nullptr;
};

// Runs of every length up to some hundreds.
Words make_input() {
  Words values(kMost);
  Word left = 0, value = 0;
  for (Word &v : values) {
    if (left == 0) {
      left = 1 + static_cast<Word>(generator()() % (1u << generator()() % 10));
      value = static_cast<Word>(generator()());
    }
    --left;
    v = value;
  }
  return values;
}

struct Lists {
  Words in = make_input();
  Words offsets;  // where runs begin
  DeviceArray<Word> device_in{in}, device_offsets{kMost};
  Lists() {
    for (std::size_t i = 1; i < in.size(); ++i) {
      if (in[i] != in[i - 1]) {
        offsets.push_back(static_cast<Word>(i));
      }
    }
    device_offsets.upload(offsets);
  }
};

template <class IsHead>
Words sums(const Words &in, std::size_t n, const IsHead &is_head) {
  Words out(n);
  Word sum = 0;
  for (std::size_t i = 0; i < n; ++i) {
    sum = is_head(i) ? in[i] : sum + in[i];
    out[i] = sum;
  }
  return out;
}

void add_scans(std::vector<Job> &jobs, const Lists &lists, std::size_t n) {
  const Words &in = lists.in;
  const auto is_run = [&in](std::size_t i) { return i == 0 || in[i] != in[i - 1]; };
  jobs.push_back({"sum", n, [](const Arguments &a) { return up::inclusive_sum(*a.space, a.in, a.out, a.n, a.stream); },
                  sums(in, n, [](std::size_t) { return false; })});
  Words backward(n);
  Word sum = 0;
  for (std::size_t i = n; i-- > 0;) {
    sum += in[i];
    backward[i] = sum;
  }
  jobs.push_back({"backward sum", n,
                  [](const Arguments &a) { return up::inclusive_sum(*a.space, a.in, a.out, a.n, a.stream, up::backward); },
                  backward});
  jobs.push_back(
      {"sum by key", n,
       [](const Arguments &a) { return up::inclusive_scan_by_key(*a.space, a.in, a.in, a.out, a.n, up::plus{}, a.stream); },
       sums(in, n, is_run)});
  jobs.push_back(
      {"sum of rows", n,
       [](const Arguments &a) { return up::inclusive_scan_of_rows(*a.space, a.in, a.out, a.n, kRow, up::plus{}, a.stream); },
       sums(in, n, [](std::size_t i) { return i % kRow == 0; })});
  const std::size_t segments = std::lower_bound(lists.offsets.begin(), lists.offsets.end(), n) - lists.offsets.begin();
  const Word *const offsets = const_cast<Lists &>(lists).device_offsets.data();
  jobs.push_back({"sum of segments", n,
                  [=](const Arguments &a) {
                    return up::inclusive_scan_of_segments(*a.space, a.in, a.out, a.n, offsets, segments, up::plus{}, a.stream);
                  },
                  sums(in, n, is_run)});
  up::axis axis;
  axis.inner = 1 + n % 97;
  axis.length = std::max<std::size_t>(1, n / axis.inner / (1 + n % 3));
  axis.batches = n / (axis.inner * axis.length);
  Words along(axis.batches * axis.length * axis.inner);
  for (std::size_t i = 0; i < along.size(); ++i) {
    along[i] = in[i] + (i / axis.inner % axis.length > 0 ? along[i - axis.inner] : 0);
  }
  jobs.push_back({"sum along axis", n,
                  [=](const Arguments &a) { return up::inclusive_sum_of_axis(*a.space, a.in, a.out, axis, a.stream); }, along});
}

void add_compactions(std::vector<Job> &jobs, const Words &in, std::size_t n) {
  Words odd, even, heads, lengths, totals;
  for (std::size_t i = 0; i < n; ++i) {
    (IsOdd()(in[i]) ? odd : even).push_back(in[i]);
    if (i == 0 || in[i] != in[i - 1]) {
      heads.push_back(in[i]);
      lengths.push_back(0);
      totals.push_back(0);
    }
    ++lengths.back();
    totals.back() += in[i];
  }
  const auto add = [&](const char *name, const Words &out, const Words &second, std::uint64_t number, auto call) {
    jobs.push_back({name, n, call, out, second, true, number});
  };
  add("select", odd, {}, odd.size(),
      [](const Arguments &a) { return up::select_if(*a.space, a.in, a.out, a.number, a.n, IsOdd{}, a.stream); });
  add("partition", odd, even, odd.size(), [](const Arguments &a) {
    return up::stable_partition_if(*a.space, a.in, a.out, a.second, a.number, a.n, IsOdd{}, a.stream);
  });
  add("unique", heads, {}, heads.size(),
      [](const Arguments &a) { return up::unique(*a.space, a.in, a.out, a.number, a.n, a.stream); });
  add("run lengths", heads, lengths, heads.size(),
      [](const Arguments &a) { return up::run_length_encode(*a.space, a.in, a.out, a.second, a.number, a.n, a.stream); });
  add("reduce by key", heads, totals, heads.size(), [](const Arguments &a) {
    return up::reduce_by_key(*a.space, a.in, a.in, a.out, a.second, a.number, a.n, up::plus{}, a.stream);
  });
  // The second call takes its number of elements from the first call's result.
  Words of_odd = sums(odd, odd.size(), [](std::size_t) { return false; });
  add("select, then sum", odd, of_odd, odd.size(), [](const Arguments &a) {
    const cudaError_t error = up::select_if(*a.space, a.in, a.out, a.number, a.n, IsOdd{}, a.stream);
    return error != cudaSuccess ? error : up::inclusive_sum(*a.space, a.out, a.second, up::count_at(a.number, a.n), a.stream);
  });
}

void add_others(std::vector<Job> &jobs, const Words &in, std::size_t n) {
  std::uint64_t total = 7;
  Words differences(in.begin(), in.begin() + n);
  for (std::size_t i = 0; i < n; ++i) {
    total += in[i];
    differences[i] -= i > 0 ? in[i - 1] : 0;
  }
  jobs.push_back(
      {"reduce",
       n,
       [](const Arguments &a) { return up::reduce(*a.space, a.in, a.number, a.n, up::plus{}, std::uint64_t(7), a.stream); },
       {},
       {},
       true,
       total});
  jobs.push_back({"adjacent difference", n,
                  [](const Arguments &a) { return up::adjacent_difference(a.in, a.out, a.n, a.stream); }, differences});
}

void add_rows(std::vector<Job> &jobs, const Words &in, std::size_t n) {
  const std::size_t rows = n / kRow;
  Words totals(rows), odd(rows * kRow, kPoison * 0x01010101u), counts(rows);
  for (std::size_t i = 0; i < rows * kRow; ++i) {
    totals[i / kRow] += in[i];
    if (IsOdd()(in[i])) {
      odd[i / kRow * kRow + counts[i / kRow]++] = in[i];
    }
  }
  jobs.push_back({"totals of rows", n,
                  [=](const Arguments &a) { return up::sum_of_rows(*a.space, a.in, a.out, rows, kRow, a.stream); }, totals});
  jobs.push_back({"select of rows", n,
                  [=](const Arguments &a) {
                    return up::select_if_of_rows(*a.space, a.in, a.out, a.second, rows, kRow, IsOdd{}, a.stream);
                  },
                  odd, counts});
}

void add_sort_and_find(std::vector<Job> &jobs, const Words &in, std::size_t n) {
  Words sorted(in.begin(), in.begin() + n);
  const auto odd = static_cast<std::uint64_t>(std::find_if(sorted.begin(), sorted.end(), IsOdd{}) - sorted.begin());
  std::sort(sorted.begin(), sorted.end());
  // Memory that a sort has used is no initialised workspace.
  jobs.push_back({"sort", n, [](const Arguments &a) { return up::sort_keys(a.in, a.out, a.n, a.stream); }, sorted});
  jobs.push_back({"find",
                  n,
                  [](const Arguments &a) { return up::find_if(*a.space, a.in, a.number, a.n, IsOdd{}, a.stream); },
                  {},
                  {},
                  true,
                  odd});
}

void upload(Job &job) {
  job.expected_out = std::make_unique<DeviceArray<Word>>(job.out);
  job.expected_second = std::make_unique<DeviceArray<Word>>(job.second);
  job.expected_number =
      std::make_unique<DeviceArray<Word>>(Words{static_cast<Word>(job.number), static_cast<Word>(job.number >> 32)});
}

// A stream, with its arrays.
class Lane {
public:
  explicit Lane(std::size_t jobs) : wrong_(std::vector<unsigned>(jobs)) {
    UPSWEEP_CUDA(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    space_.bytes = std::max({up::segmented_scan_workspace_bytes<Word>(kMost), up::select_workspace_bytes<Word>(kMost),
                             up::reduce_by_key_workspace_bytes<Word, Word>(kMost), up::reduce_workspace_bytes<std::uint64_t>(),
                             std::size_t(16) << 20});
    UPSWEEP_CUDA(cudaMalloc(&space_.data, space_.bytes));
    UPSWEEP_CUDA(up::initialise(space_, stream_));
  }
  ~Lane() {
    cudaFree(space_.data);
    cudaStreamDestroy(stream_);
  }

  void run(const Job &job, std::size_t index, const Word *in, bool from_pool) {
    const Arguments arguments{
        from_pool ? &up::stream_pool : &space_, in, out_.data(), second_.data(), number_.data(), job.n, stream_};
    cudaMemsetAsync(out_.data(), kPoison, job.n * sizeof(Word), stream_);
    is_called_ = is_called_ && job.call(arguments) == cudaSuccess;
    compare(out_.data(), *job.expected_out, job.out.size(), index);
    compare(second_.data(), *job.expected_second, job.second.size(), index);
    compare(reinterpret_cast<const Word *>(number_.data()), *job.expected_number, job.has_number ? 2 : 0, index);
  }
  void check(const std::vector<Job> &jobs) {
    UPSWEEP_CHECK(is_called_);
    const std::vector<unsigned> wrong = wrong_.download();
    for (std::size_t j = 0; j < jobs.size(); ++j) {
      if (wrong[j] != 0) {
        report(__FILE__, __LINE__, (std::string(jobs[j].name) + " of " + std::to_string(jobs[j].n)).c_str());
      }
    }
  }

private:
  void compare(const Word *got, DeviceArray<Word> &expected, std::size_t count, std::size_t index) {
    if (count > 0) {
      compare_kernel<<<static_cast<unsigned>(std::min<std::size_t>((count + 255) / 256, 264)), 256, 0, stream_>>>(
          got, expected.data(), count, wrong_.data() + index);
    }
  }

  cudaStream_t stream_ = nullptr;
  up::workspace space_;
  DeviceArray<Word> out_{kMost}, second_{kMost};
  DeviceArray<std::uint64_t> number_{1};
  DeviceArray<unsigned> wrong_;
  bool is_called_ = true;
};

}  // namespace

// UPSWEEP_STRESS_LAUNCHES in the environment changes the length of the run.
UPSWEEP_TEST(GivenAllAlgorithms_WhenStreamsAndThreadsRunAtOnce_ThenAllAreRight) {
  const char *const wanted = std::getenv("UPSWEEP_STRESS_LAUNCHES");
  const int calls = wanted != nullptr ? std::atoi(wanted) : kCalls;
  Lists lists;
  std::vector<Job> jobs;
  for (const std::size_t n :
       {std::size_t(1), std::size_t(1000), std::size_t(4097), std::size_t(70001), std::size_t(300007), kMost}) {
    add_scans(jobs, lists, n);
    add_compactions(jobs, lists.in, n);
    add_others(jobs, lists.in, n);
    add_rows(jobs, lists.in, n);
    add_sort_and_find(jobs, lists.in, n);
  }
  std::for_each(jobs.begin(), jobs.end(), upload);
  std::vector<std::unique_ptr<Lane>> lanes;
  for (int i = 0; i < kThreads * kStreams; ++i) {
    lanes.push_back(std::make_unique<Lane>(jobs.size()));
  }
  UPSWEEP_CUDA(cudaDeviceSynchronize());
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      std::mt19937 random(20 + t);
      for (int i = 0; i < calls / kThreads; ++i) {
        const std::size_t index = random() % jobs.size();
        lanes[t * kStreams + i % kStreams]->run(jobs[index], index, lists.device_in.data(), random() % 8 == 0);
      }
    });
  }
  for (std::thread &thread : threads) {
    thread.join();
  }
  UPSWEEP_CUDA(cudaDeviceSynchronize());
  for (const auto &lane : lanes) {
    lane->check(jobs);
  }
  std::printf("%d calls of %zu kinds\n", calls, jobs.size());
}
