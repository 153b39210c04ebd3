// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls over ranks, beside the same calls of one process on as many threads. Rows of JSON. Ranks are threads, or processes:
//
//     distributed_bench [RANKS [THREADS [LOG2_N [ROUNDS]]]]   RANKS of THREADS each, 2^LOG2_N elements of all ranks
//     mpicxx -std=c++20 -O3 -DUPSWEEP_BENCH_MPI -I include -I . bench/distributed_bench.cpp -o mpi_bench
//     mpirun -n RANKS mpi_bench RANKS [THREADS [LOG2_N [ROUNDS]]]
#include "bench/cpu/turns.h"

#include <upsweep/cpu/histogram.h>
#include <upsweep/cpu/reduce.h>
#include <upsweep/cpu/scan.h>
#include <upsweep/cpu/select.h>
#include <upsweep/cpu/sort.h>
#include <upsweep/distributed/histogram.h>
#include <upsweep/distributed/reduce.h>
#include <upsweep/distributed/scan.h>
#include <upsweep/distributed/select.h>
#include <upsweep/distributed/sort.h>
#ifdef UPSWEEP_BENCH_MPI
#include <upsweep/distributed/mpi.h>
#else
#include <upsweep/distributed/threads.h>
#endif

#include <memory>
#include <thread>

namespace upsweep::bench {

namespace {

#ifdef UPSWEEP_BENCH_MPI
using Ranks = distributed::mpi_communicator;
#else
using Ranks = distributed::thread_communicator;
#endif

struct Setting {
  unsigned ranks, threads;
  std::size_t n;
  int rounds;
  cpu::thread_pool all;  // of one process
  std::vector<std::unique_ptr<cpu::thread_pool>> pools;

  Setting(unsigned r, unsigned t, std::size_t elements, int times)
      : ranks(r), threads(t), n(elements), rounds(times), all(r * t) {
    for (unsigned i = 0; i < ranks; ++i) {
      pools.push_back(std::make_unique<cpu::thread_pool>(threads));
    }
  }
};

// The seconds of a call over ranks, from the moment when all ranks are ready until the last one has returned; on rank 0.
template <class OfRank>
double seconds_over_ranks(Setting &setting, const OfRank &call) {
  double seconds = 0;
  const auto one = [&](Ranks &ranks) {
    ranks.barrier();
    const auto begin = std::chrono::steady_clock::now();
    call(ranks, *setting.pools[ranks.rank()]);
    ranks.barrier();
    if (ranks.rank() == 0) {
      seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    }
  };
#ifdef UPSWEEP_BENCH_MPI
  Ranks ranks;
  one(ranks);
#else
  distributed::run_ranks(setting.ranks, one);
#endif
  return seconds;
}

// Whether this process measures. The other processes sleep while `work` runs, since a wait for a message takes a processor.
template <class Work>
bool is_alone(const Work &work) {
#ifdef UPSWEEP_BENCH_MPI
  int rank = 0, size = 1, is_done = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank != 0) {
    MPI_Request request;
    MPI_Irecv(nullptr, 0, MPI_BYTE, 0, 0, MPI_COMM_WORLD, &request);
    for (MPI_Test(&request, &is_done, MPI_STATUS_IGNORE); is_done == 0; MPI_Test(&request, &is_done, MPI_STATUS_IGNORE)) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return false;
  }
  work();
  for (int other = 1; other < size; ++other) {
    MPI_Send(nullptr, 0, MPI_BYTE, other, 0, MPI_COMM_WORLD);
  }
#else
  work();
#endif
  return true;
}

// Both forms take turns, so that other work on the machine affects both.
template <class OfRank, class OfProcess>
void row(Setting &setting, const char *name, const char *type, const OfRank &of_rank, const OfProcess &of_process) {
  double over_ranks = std::numeric_limits<double>::infinity();
  std::vector<Call> calls = {{"process", of_process}};
  bool is_first = true;
  for (int round = 0; round < setting.rounds; ++round) {
    over_ranks = std::min(over_ranks, seconds_over_ranks(setting, of_rank));
    is_first = is_alone([&] { take_turns(calls, 1); });
  }
  if (!is_first) {
    return;
  }
  std::printf(R"(  {"call": "%s", "type": "%s", "n": %zu, "ranks": %u, "threads": %u, "ranks_us": %.4g, "process_us": %.4g},)"
              "\n",
              name, type, setting.n, setting.ranks, setting.threads, over_ranks * 1e6, calls[0].seconds * 1e6);
  std::fflush(stdout);
}

template <class T>
void rows_of(Setting &setting, const char *type) {
  Array<T> in(setting.n, setting.all), out(setting.n, setting.all);
  in.fill(setting.all, [](std::size_t i) { return static_cast<T>((i * 0x9e3779b97f4a7c15U) >> 33); });
  const auto begin = [&](unsigned rank) { return setting.n * rank / setting.ranks; };
  const auto length = [&](unsigned rank) { return begin(rank + 1) - begin(rank); };
  const T *from = in.data();
  T *to = out.data();
  row(
      setting, "inclusive sum", type,
      [&](Ranks &ranks, cpu::thread_pool &pool) {
        const std::size_t at = begin(ranks.rank());
        distributed::inclusive_sum(ranks, from + at, to + at, length(ranks.rank()), pool);
      },
      [&] { cpu::inclusive_sum(from, to, setting.n, setting.all); });
  row(
      setting, "sum", type,
      [&](Ranks &ranks, cpu::thread_pool &pool) {
        T total{};
        distributed::sum(ranks, from + begin(ranks.rank()), &total, length(ranks.rank()), pool);
      },
      [&] {
        T total{};
        cpu::sum(from, &total, setting.n, setting.all);
      });
  const auto is_odd = [](const T &x) { return static_cast<std::uint64_t>(x) % 2 != 0; };
  row(
      setting, "select 50 %", type,
      [&](Ranks &ranks, cpu::thread_pool &pool) {
        const std::size_t at = begin(ranks.rank());
        std::uint64_t kept = 0;
        distributed::select_if(ranks, from + at, to + at, &kept, length(ranks.rank()), is_odd, pool);
      },
      [&] {
        std::uint64_t kept = 0;
        cpu::select_if(from, to, &kept, setting.n, is_odd, setting.all);
      });
  row(
      setting, "sort", type,
      [&](Ranks &ranks, cpu::thread_pool &pool) {
        const std::size_t at = begin(ranks.rank());
        distributed::sort_keys(ranks, from + at, to + at, length(ranks.rank()), pool);
      },
      [&] { cpu::sort_keys(from, to, setting.n, setting.all); });
}

}  // namespace

}  // namespace upsweep::bench

int main(int argc, char **argv) {
#ifdef UPSWEEP_BENCH_MPI
  MPI_Init(&argc, &argv);
#endif
  const auto argument = [&](int i, int otherwise) { return argc > i ? std::atoi(argv[i]) : otherwise; };
  upsweep::bench::Setting setting(static_cast<unsigned>(argument(1, 2)), static_cast<unsigned>(argument(2, 1)),
                                  std::size_t(1) << argument(3, 24), argument(4, 5));
  upsweep::bench::rows_of<float>(setting, "f32");
  upsweep::bench::rows_of<std::uint32_t>(setting, "u32");
  upsweep::bench::rows_of<std::uint64_t>(setting, "u64");
#ifdef UPSWEEP_BENCH_MPI
  MPI_Finalize();
#endif
}
