// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Failed assertions of kernels. SYCL promises the message and the end of the program, as C does for the host's assert
// (sycl_ext_oneapi_assert); the form of the message is that of SYCL's other devices.
#include "targets/cpu/assertion.h"
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <mutex>

namespace upsweep {

void assert_failed(UpsweepGroup *, const char *expression, const char *file, int32_t line, const char *function, uint64_t g0,
                   uint64_t g1, uint64_t g2, uint64_t l0, uint64_t l1, uint64_t l2) {
  static std::mutex one_message;  // never unlocked: further failing threads wait for the end
  one_message.lock();
  std::fprintf(stderr,
               "%s:%" PRId32 ": %s: global id: [%" PRIu64 ",%" PRIu64 ",%" PRIu64 "], local id: [%" PRIu64 ",%" PRIu64
               ",%" PRIu64 "] Assertion `%s` failed.\n",
               file ? file : "?", line, function ? function : "?", g0, g1, g2, l0, l1, l2, expression ? expression : "?");
  std::fflush(stderr);
  std::abort();
}

}  // namespace upsweep
