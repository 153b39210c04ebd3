// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls over NCCL, with a GPU for each rank: the checks of ranks of one process, and a process that is killed.
#include "ranks_of_process.h"
#include "ranks_scan_calls.h"
#include "ranks_sort_calls.h"

#include <upsweep/distributed/cuda/nccl.cuh>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace upsweep;
using namespace upsweep::test;

namespace {

int devices() {
  int number = 0;
  cudaGetDeviceCount(&number);
  return number;
}

// check(ranks, seed, the most elements) on threads of this process.
template <class Check>
void over_nccl(const Check &check) {
  const auto size = static_cast<unsigned>(std::min(devices(), 8));
  const auto run = [&](over::thread_communicator &host) {
    UPSWEEP_CUDA(cudaSetDevice(static_cast<int>(host.rank())));
    cudaStream_t stream = nullptr;
    UPSWEEP_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    {
      over::nccl_communicator ranks(host, stream, std::chrono::seconds(60));
      for (int i = 0; i < kRounds; ++i) {
        check(ranks, static_cast<std::uint32_t>(i) * 1000 + size, i < 2 ? 8 : i % 2 == 0 ? 2000 : kMostElements);
      }
    }
    UPSWEEP_CUDA(cudaStreamDestroy(stream));
  };
  try {
    over::run_ranks(size, run);
  } catch (const std::exception &error) {
    std::printf("%u ranks over NCCL: %s\n", size, error.what());
    UPSWEEP_CHECK(false);
  }
}

}  // namespace

UPSWEEP_TEST(GivenRanksOfNccl_WhenScanned_ThenAsTheWhole) {
  over_nccl([](auto &ranks, std::uint32_t seed, std::uint64_t most) {
    check_sums(ranks, seed, most);
    check_operators(ranks, seed, most);
    check_segments(ranks, seed, most);
    check_selections(ranks, seed, most);
  });
}

UPSWEEP_TEST(GivenRanksOfNccl_WhenSorted_ThenAsTheWhole) {
  over_nccl([](auto &ranks, std::uint32_t seed, std::uint64_t most) {
    check_sorts(ranks, seed, most);
    check_sorts_of_floats(ranks, seed, most);
  });
}

// The processes of the next case: rank 1 kills itself after some calls. Exit status: 0 if the other one has thrown.
UPSWEEP_TEST(RankThatMayBeKilled) {
  const char *const rank_text = std::getenv("UPSWEEP_TEST_RANK");
  if (rank_text == nullptr) {
    return;
  }
  const auto rank = static_cast<unsigned>(std::atoi(rank_text));
  ncclUniqueId id;
  std::ifstream(std::getenv("UPSWEEP_TEST_ID"), std::ios::binary).read(reinterpret_cast<char *>(&id), sizeof id);
  UPSWEEP_CUDA(cudaSetDevice(static_cast<int>(rank)));
  cudaStream_t stream = nullptr;
  UPSWEEP_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  over::nccl_communicator ranks(id, 2, rank, stream, std::chrono::seconds(8));
  DeviceArray<int> in(std::vector<int>(100000, 1)), out(100000);
  try {
    for (int i = 0; i < 1000; ++i) {
      over::inclusive_sum(ranks, in.data(), out.data(), 100000);
      ranks.wait();
      if (rank == 1 && i == 20) {
        std::raise(SIGKILL);
      }
    }
  } catch (const std::exception &error) {
    std::printf("rank %u: %s\n", rank, error.what());
    std::fflush(stdout);
    std::_Exit(0);
  }
  std::_Exit(3);
}

UPSWEEP_TEST(GivenAKilledProcess_WhenAnotherWaits_ThenItThrowsInTime) {
  if (devices() < 2 || std::getenv("UPSWEEP_TEST_RANK") != nullptr) {
    return;
  }
  ncclUniqueId id;
  UPSWEEP_CHECK(ncclGetUniqueId(&id) == ncclSuccess);
  char path[] = "/tmp/upsweep_nccl_XXXXXX";
  const int file = mkstemp(path);
  UPSWEEP_CHECK(file >= 0 && write(file, &id, sizeof id) == static_cast<ssize_t>(sizeof id));
  close(file);
  const auto begin = std::chrono::steady_clock::now();
  pid_t children[2];
  for (unsigned r = 0; r < 2; ++r) {
    const std::string rank = "UPSWEEP_TEST_RANK=" + std::to_string(r), place = std::string("UPSWEEP_TEST_ID=") + path;
    std::vector<char *> environment = {const_cast<char *>(rank.c_str()), const_cast<char *>(place.c_str())};
    for (char **variable = environ; *variable != nullptr; ++variable) {
      environment.push_back(*variable);
    }
    environment.push_back(nullptr);
    char program[] = "/proc/self/exe", name[] = "RankThatMayBeKilled";
    char *arguments[] = {program, name, nullptr};
    UPSWEEP_CHECK(posix_spawn(&children[r], program, nullptr, nullptr, arguments, environment.data()) == 0);
  }
  int states[2] = {-1, -1};
  for (unsigned r = 0; r < 2; ++r) {
    waitpid(children[r], &states[r], 0);
  }
  unlink(path);
  UPSWEEP_CHECK(WIFSIGNALED(states[1]));
  UPSWEEP_CHECK(WIFEXITED(states[0]) && WEXITSTATUS(states[0]) == 0);
  UPSWEEP_CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(60));
}
