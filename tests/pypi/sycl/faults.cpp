// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs of wrong calls, output and assertions.
#include "programs.h"

namespace programs {
namespace {

template <typename Call>
sycl::exception thrown_by(const Call &call, const char *claim) {
  try {
    call();
  } catch (const sycl::exception &error) {
    return error;
  }
  throw std::runtime_error(std::string("no exception: ") + claim);
}

SYCL_PROGRAM(exceptions) {
  std::string log;
  const auto failed = thrown_by([&] { build_text(queue, "int broken( {", {}, &log); }, "a source with a mistake");
  require(failed.code() == sycl::errc::build, "a failed build has the code of builds");
  require((failed.what() + log).find("error: ") != std::string::npos, "the log has the compiler's error");

  Bundle bundle = build(queue, "vector_add");
  thrown_by([&] { bundle.ext_oneapi_get_kernel("no_such_kernel"); }, "a kernel that the source lacks");
  const auto kernel = bundle.ext_oneapi_get_kernel("vector_add");
  Array<float> values(queue, 100);
  const auto run = [&](sycl::nd_range<1> range) {
    launch(queue, kernel, range, values.get(), values.get(), values.get(), size_t{100});
  };
  const size_t most = queue.get_device().get_info<sycl::info::device::max_work_group_size>();
  require(thrown_by([&] { run({2 * most, 2 * most}); }, "a work-group above the limit").code() == sycl::errc::nd_range,
          "its code is nd_range");
  require(!sycl::malloc_device<char>(size_t{1} << 60, queue), "an allocation of an exabyte is null");
  run({128, 64});  // the queue works on
}

/// Prints its ids; run.py reads the output.
SYCL_PROGRAM_ALONE(printing) {
  launch(queue, build(queue, "printing").ext_oneapi_get_kernel("print_ids"), sycl::nd_range<1>(6, 3), 2.5F);
}

/// Ends the process by SIGABRT; run.py reads the message.
SYCL_PROGRAM_ALONE(failed_assertion) {
  Array<int> values(queue, std::vector<int>{1, 2, 3, -4, 5, 6, 7, 8});
  launch(queue, build(queue, "assertions").ext_oneapi_get_kernel("check_signs"), sycl::nd_range<1>(8, 4), values.get());
}

SYCL_PROGRAM(assertions_that_hold) {
  const auto in = random_numbers<int>(1000, 1, 100);
  Array<int> values(queue, in);
  launch(queue, build(queue, "assertions").ext_oneapi_get_kernel("check_signs"), sycl::nd_range<1>(1000, 8), values.get());
  std::vector<int> expected = in;
  for (int &x : expected) x *= 2;
  compare(values.values(), expected);
}

}  // namespace
}  // namespace programs
