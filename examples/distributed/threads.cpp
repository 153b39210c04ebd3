// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ranks that are threads of one process.
#include "sales.h"

#include <upsweep/distributed/threads.h>

int main() {
  up::run_ranks(4, [](up::thread_communicator &ranks) { count_sales(ranks); });
}
