// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs of sub-groups of a required size.
#include "programs.h"

namespace programs {
namespace {

/// Scans, shuffles and votes of sub-groups of `size`, in work-groups that they divide or not.
void check_size(sycl::queue &queue, uint32_t size) {
  Bundle bundle = build(queue, "sub_groups", {"-DSIZE=" + std::to_string(size)});
  const auto kernel = bundle.ext_oneapi_get_kernel("sub_groups");
  const auto compiled = kernel.get_info<sycl::info::kernel_device_specific::compile_sub_group_size>(queue.get_device());
  require(compiled == size, "the kernel's sub-group size is the required one");
  constexpr size_t kFacts = 7;
  for (size_t local : {size_t{size}, size_t{4 * size}, size_t{2 * size + 3}}) {
    const auto in = random_numbers<int>(3 * local, -1000, 1000);
    std::vector<int> expected;
    for (size_t i = 0; i < in.size(); ++i) {
      const size_t group = i / local * local, first = group + (i - group) / size * size,
                   last = std::min(first + size, group + local);
      int before = 0, product = 0, odd = 0;
      for (size_t j = first; j < i; ++j) before += in[j];
      for (size_t j = first; j < last; ++j) {
        product = std::max(product, std::abs(in[j]));
        odd |= (in[j] & 1) << (j - first);
      }
      const size_t partner = first + ((i - first) ^ 1), next = i + 1;
      for (int fact :
           {before, product, odd, int(last - first), in[first], partner < last ? in[partner] : 0, next < last ? in[next] : 0})
        expected.push_back(fact);
    }
    Array<int> from(queue, in), out(queue, in.size() * kFacts);
    launch(queue, kernel, sycl::nd_range<1>(in.size(), local), from.get(), out.get());
    compare(out.values(), expected);
  }
}

SYCL_PROGRAM(sub_groups_of_8) { check_size(queue, 8); }
SYCL_PROGRAM(sub_groups_of_16) { check_size(queue, 16); }
SYCL_PROGRAM(sub_groups_of_32) { check_size(queue, 32); }

/// Matrix product whose rows are broadcast within sub-groups.
SYCL_PROGRAM(matrix_by_broadcasts) {
  const auto kernel = build(queue, "matrix").ext_oneapi_get_kernel("product");
  constexpr size_t kSize = 64;
  const auto a = random_numbers<float>(kSize * kSize, -1, 1), b = random_numbers<float>(kSize * kSize, -1, 1);
  std::vector<float> expected(a.size());
  for (size_t r = 0; r < kSize; ++r)
    for (size_t c = 0; c < kSize; ++c) {
      double sum = 0;
      for (size_t k = 0; k < kSize; ++k) sum += double(a[r * kSize + k]) * double(b[k * kSize + c]);
      expected[r * kSize + c] = static_cast<float>(sum);
    }
  Array<float> from_a(queue, a), from_b(queue, b), out(queue, a.size());
  launch(queue, kernel, sycl::nd_range<2>({kSize, kSize}, {1, 16}), from_a.get(), from_b.get(), out.get(), kSize);
  compare(out.values(), expected, 1e-5, 1e-5);
}

}  // namespace
}  // namespace programs
