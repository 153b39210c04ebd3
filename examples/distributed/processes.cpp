// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ranks that are processes: mpirun -n 4 processes
#include "sales.h"

#include <upsweep/distributed/mpi.h>

#include <cstdio>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int status = 0;
  try {
    up::mpi_communicator ranks;
    up::run_rank(ranks, [&] { count_sales(ranks); });
  } catch (const std::exception &error) {
    std::fprintf(stderr, "%s\n", error.what());
    status = 1;
  }
  MPI_Finalize();
  return status;
}
