// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ranks that are processes, under mpirun. The first argument says what they do, and mpi_test.py expects the result.
#include "calls.h"

#include <upsweep/distributed/mpi.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>

namespace upsweep::distributed::test {

namespace {

void act(mpi_communicator &ranks, const std::string &what, std::uint64_t number) {
  const std::vector<int> in(100, 1);
  std::vector<int> out(100);
  if (what == "calls") {
    for (std::uint64_t seed = 0; seed < number; ++seed) {
      random_call(ranks, seed);
    }
  } else if (what == "operator") {  // throws on one rank in the middle of a call, and on all ranks; then calls go on
    const bool is_thrower = ranks.rank() + 1 == ranks.size();
    bool has_thrown = false;
    try {
      inclusive_scan(ranks, in.data(), out.data(), in.size(), [&](int a, int b) {
        if (is_thrower) {
          throw std::runtime_error("no sum of these");
        }
        return a + b;
      });
    } catch (const std::runtime_error &error) {
      has_thrown = std::string(error.what()).find("no sum of these") != std::string::npos;
    }
    require(has_thrown, "the operator's exception");
    inclusive_sum(ranks, in.data(), out.data(), in.size());
    require(out.back() == static_cast<int>(100 * (ranks.rank() + 1)), "a call after an error");
  } else if (what == "outside" && ranks.rank() == 1) {
    throw std::runtime_error("an error outside of calls");
  } else if (what == "absent" && ranks.rank() == 1) {
    std::this_thread::sleep_for(std::chrono::seconds(4));  // longer than the others' time limit
  } else if (what == "killed" && ranks.rank() == 1) {
    std::raise(SIGKILL);
  } else {
    inclusive_sum(ranks, in.data(), out.data(), in.size());
    for (unsigned other = 0; other < ranks.size(); ++other) {  // messages in a circle
      const unsigned next = (ranks.rank() + 1) % ranks.size(), before = (ranks.rank() + ranks.size() - 1) % ranks.size();
      unsigned from = 99;
      if (ranks.rank() == 0 && ranks.size() > 1) {
        ranks.send(next, &other, sizeof(other));
        ranks.receive(before, &from, sizeof(from));
        require(from == other, "a message");
      } else if (ranks.size() > 1) {
        ranks.receive(before, &from, sizeof(from));
        ranks.send(next, &from, sizeof(from));
      }
    }
    ranks.barrier();
  }
}

}  // namespace

}  // namespace upsweep::distributed::test

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int status = 0;
  {
    const std::string what = argc > 1 ? argv[1] : "";
    const auto limit = std::chrono::milliseconds(what == "absent" ? 1000 : 60000);
    upsweep::distributed::mpi_communicator ranks(MPI_COMM_WORLD, limit);
    try {
      upsweep::distributed::run_rank(
          ranks, [&] { upsweep::distributed::test::act(ranks, what, argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 0); });
    } catch (const std::exception &error) {
      std::fprintf(stderr, "rank %u ends: %s\n", ranks.rank(), error.what());
      status = 1;
    }
  }
  MPI_Finalize();
  return status;
}
