// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs of group algorithms: scans, reductions, votes and sorts of work-groups.
#include "programs.h"

#include <algorithm>
#include <climits>

namespace programs {
namespace {

constexpr size_t kLocal[] = {1, 7, 32, 200, 1024};
constexpr size_t kGroups = 3;

SYCL_PROGRAM(group_scans) {
  Bundle bundle = build(queue, "group_scans");
  for (size_t local : kLocal) {
    const auto in = random_numbers<int64_t>(kGroups * local, -1e12, 1e12);
    std::vector<int64_t> inclusive(in.size()), exclusive(in.size()), maxima(in.size());
    for (size_t g = 0; g < kGroups; ++g) {
      int64_t sum = 0, maximum = INT64_MIN;
      for (size_t i = g * local; i < (g + 1) * local; ++i) {
        exclusive[i] = sum;
        inclusive[i] = sum += in[i];
        maxima[i] = maximum = std::max(maximum, in[i]);
      }
    }
    Array<int64_t> from(queue, in), a(queue, in.size()), b(queue, in.size()), c(queue, in.size());
    launch(queue, bundle.ext_oneapi_get_kernel("scans"), sycl::nd_range<1>(in.size(), local), from.get(), a.get(), b.get(),
           c.get());
    compare(a.values(), inclusive);
    compare(b.values(), exclusive);
    compare(c.values(), maxima);
  }
}

SYCL_PROGRAM(group_reductions) {
  Bundle bundle = build(queue, "group_reductions");
  for (size_t local : kLocal) {
    const auto in = random_numbers<int>(kGroups * local, -1e5, 1e5);
    std::vector<int> expected;
    for (size_t g = 0; g < kGroups; ++g) {
      int sum = 0, low = INT_MAX, high = INT_MIN, ones = -1, any = 0, parity = 0;
      for (size_t i = g * local; i < (g + 1) * local; ++i) {
        sum += in[i];
        low = std::min(low, in[i]);
        high = std::max(high, in[i]);
        ones &= in[i];
        any |= in[i];
        parity ^= in[i];
      }
      for (int each : {sum, low, high, ones, any, parity}) expected.push_back(each);
    }
    Array<int> from(queue, in), out(queue, expected.size());
    launch(queue, bundle.ext_oneapi_get_kernel("reductions"), sycl::nd_range<1>(in.size(), local), from.get(), out.get());
    compare(out.values(), expected);
  }
}

SYCL_PROGRAM(group_votes) {
  Bundle bundle = build(queue, "group_votes");
  for (size_t local : kLocal)
    for (int threshold : {-1001, -999, 0, 999, 1001}) {
      const auto in = random_numbers<int>(kGroups * local, -1000, 1000);
      std::vector<int> expected;
      for (size_t g = 0; g < kGroups; ++g) {
        const auto first = in.begin() + static_cast<std::ptrdiff_t>(g * local),
                   last = first + static_cast<std::ptrdiff_t>(local);
        const auto above = [&](int x) { return x > threshold; };
        for (int each : {int(std::any_of(first, last, above)), int(std::all_of(first, last, above)),
                         int(std::none_of(first, last, above)), first[0], *(last - 1)})
          expected.push_back(each);
      }
      Array<int> from(queue, in), out(queue, expected.size());
      launch(queue, bundle.ext_oneapi_get_kernel("votes"), sycl::nd_range<1>(in.size(), local), from.get(), out.get(),
             threshold);
      compare(out.values(), expected);
    }
}

SYCL_PROGRAM(joint_algorithms) {
  Bundle bundle = build(queue, "joint_algorithms");
  for (size_t count : {1UL, 63UL, 64UL, 65UL, 5000UL}) {
    const auto in = random_numbers<int>(count, -1000, 1000);
    std::vector<int> inclusive(count), exclusive(count), facts(4);
    int sum = 0;
    for (size_t i = 0; i < count; ++i) {
      exclusive[i] = 5 + sum;
      inclusive[i] = sum += in[i];
    }
    facts = {sum, *std::max_element(in.begin(), in.end()), std::any_of(in.begin(), in.end(), [](int x) { return x > 990; }),
             std::all_of(in.begin(), in.end(), [](int x) { return x > -995; })};
    Array<int> from(queue, in), a(queue, count), b(queue, count), c(queue, facts.size());
    launch(queue, bundle.ext_oneapi_get_kernel("joint"), sycl::nd_range<1>(64, 64), from.get(), a.get(), b.get(), c.get(),
           count);
    compare(a.values(), inclusive);
    compare(b.values(), exclusive);
    compare(c.values(), facts);
  }
}

SYCL_PROGRAM(group_sort) {
  Bundle bundle = build(queue, "group_sort");
  for (size_t count : {1UL, 64UL, 1000UL}) {
    auto in = random_numbers<int>(count, -100, 100);
    Array<int> keys(queue, in);
    Array<char> room(queue, 1 << 16);
    launch(queue, bundle.ext_oneapi_get_kernel("sort_keys"), sycl::nd_range<1>(64, 64), keys.get(), count, room.get(),
           size_t{1} << 16);
    std::sort(in.begin(), in.end());
    compare(keys.values(), in);
  }
}

SYCL_PROGRAM(work_group_memory) {
  const auto kernel = build(queue, "work_group_memory").ext_oneapi_get_kernel("reverse");
  for (size_t local : kLocal) {
    auto in = random_numbers<int>(2 * local, -1e6, 1e6);
    Array<int> values(queue, in);
    queue.submit([&](sycl::handler &handler) {
      experimental::work_group_memory<int[]> room(local, handler);
      handler.set_arg(0, values.get());
      handler.set_arg(1, room);  // set_args would pass a copy as bytes
      handler.parallel_for(sycl::nd_range<1>(2 * local, local), kernel);
    });
    queue.wait_and_throw();
    std::reverse(in.begin(), in.begin() + static_cast<std::ptrdiff_t>(local));
    std::reverse(in.begin() + static_cast<std::ptrdiff_t>(local), in.end());
    compare(values.values(), in);
  }
}

}  // namespace
}  // namespace programs
