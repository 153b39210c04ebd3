// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs of ranges, work-groups and local memory.
#include "programs.h"

#include <numeric>

namespace programs {
namespace {

SYCL_PROGRAM(vector_add) {
  const auto kernel = build(queue, "vector_add").ext_oneapi_get_kernel("vector_add");
  for (size_t count : {1UL, 31UL, 64UL, 1000UL, 4097UL}) {
    const auto a = random_numbers<float>(count, -9, 9), b = random_numbers<float>(count, -9, 9);
    std::vector<float> expected(count);
    for (size_t i = 0; i < count; ++i) expected[i] = a[i] + b[i];
    Array<float> in_a(queue, a), in_b(queue, b), out(queue, count);
    launch(queue, kernel, sycl::nd_range<1>((count + 63) / 64 * 64, 64), in_a.get(), in_b.get(), out.get(), count);
    compare(out.values(), expected);
  }
}

SYCL_PROGRAM(transpose) {
  const auto kernel = build(queue, "transpose").ext_oneapi_get_kernel("transpose");
  constexpr size_t kTile = 16;
  for (auto [rows, columns] : {std::pair<size_t, size_t>{1, 1}, {16, 16}, {17, 33}, {100, 250}}) {
    const auto in = random_numbers<int>(rows * columns, -1e6, 1e6);
    std::vector<int> expected(in.size());
    for (size_t r = 0; r < rows; ++r)
      for (size_t c = 0; c < columns; ++c) expected[c * rows + r] = in[r * columns + c];
    Array<int> from(queue, in), to(queue, in.size());
    const sycl::range<2> local(kTile, kTile), global((rows + kTile - 1) / kTile * kTile, (columns + kTile - 1) / kTile * kTile);
    queue.submit([&](sycl::handler &handler) {
      handler.set_args(from.get(), to.get(), rows, columns, sycl::local_accessor<int, 1>(kTile * (kTile + 1), handler));
      handler.parallel_for(sycl::nd_range<2>(global, local), kernel);
    });
    queue.wait_and_throw();
    compare(to.values(), expected);
  }
}

/// Each work-item writes its ids; the reference counts them by nested loops.
SYCL_PROGRAM(ids_of_three_dimensions) {
  const auto kernel = build(queue, "ids").ext_oneapi_get_kernel("ids");
  constexpr size_t kGroups[3] = {3, 2, 5}, kLocal[3] = {2, 4, 3};
  const sycl::range<3> local(kLocal[0], kLocal[1], kLocal[2]);
  const sycl::range<3> global(kGroups[0] * kLocal[0], kGroups[1] * kLocal[1], kGroups[2] * kLocal[2]);
  std::vector<int> expected;
  for (size_t x = 0; x < global[0]; ++x)
    for (size_t y = 0; y < global[1]; ++y)
      for (size_t z = 0; z < global[2]; ++z)
        for (size_t id : {x, y, z, x % kLocal[0], y % kLocal[1], z % kLocal[2], x / kLocal[0], y / kLocal[1], z / kLocal[2],
                          ((x / kLocal[0]) * kGroups[1] + y / kLocal[1]) * kGroups[2] + z / kLocal[2],
                          ((x % kLocal[0]) * kLocal[1] + y % kLocal[1]) * kLocal[2] + z % kLocal[2]})
          expected.push_back(static_cast<int>(id));
  Array<int> out(queue, expected.size());
  launch(queue, kernel, sycl::nd_range<3>(global, local), out.get());
  compare(out.values(), expected);
}

/// Three kernels whose order follows from the accesses to buffers alone.
SYCL_PROGRAM(buffers) {
  Bundle bundle = build(queue, "buffers");
  constexpr size_t kCount = 512;
  const auto in = random_numbers<int>(kCount, -1000, 1000);
  std::vector<int> out(kCount);
  {
    sycl::buffer<int> a(in.data(), kCount), b{sycl::range<1>(kCount)}, c(out.data(), kCount);
    queue.submit([&](sycl::handler &handler) {
      handler.set_args(sycl::accessor(a, handler, sycl::read_only), sycl::accessor(b, handler, sycl::write_only));
      handler.parallel_for(sycl::nd_range<1>(kCount, 32), bundle.ext_oneapi_get_kernel("twice"));
    });
    for (int round = 0; round < 2; ++round)
      queue.submit([&](sycl::handler &handler) {
        handler.set_args(sycl::accessor(b, handler, sycl::read_only), sycl::accessor(c, handler, sycl::read_write));
        handler.parallel_for(sycl::nd_range<1>(kCount, 32), bundle.ext_oneapi_get_kernel("add_to"));
      });
  }
  std::vector<int> expected(kCount);
  for (size_t i = 0; i < kCount; ++i) expected[i] = 4 * in[i];
  compare(out, expected);
}

SYCL_PROGRAM(local_reduction) {
  const auto kernel = build(queue, "local_reduction").ext_oneapi_get_kernel("local_reduction");
  for (size_t local : {1UL, 8UL, 128UL, 1024UL}) {
    constexpr size_t kGroups = 7;
    const auto in = random_numbers<int>(kGroups * local, -1000, 1000);
    std::vector<int> expected(kGroups);
    for (size_t i = 0; i < in.size(); ++i) expected[i / local] += in[i];
    Array<int> from(queue, in), sums(queue, kGroups);
    queue.submit([&](sycl::handler &handler) {
      handler.set_args(from.get(), sums.get(), sycl::local_accessor<int, 1>(local, handler));
      handler.parallel_for(sycl::nd_range<1>(kGroups * local, local), kernel);
    });
    queue.wait_and_throw();
    compare(sums.values(), expected);
  }
}

/// A task of one work-item, and the order of an in-order queue without events.
SYCL_PROGRAM(single_task) {
  sycl::queue in_order(queue.get_context(), queue.get_device(), sycl::property::queue::in_order());
  const auto kernel = build(in_order, "single_task").ext_oneapi_get_kernel("fibonacci");
  constexpr size_t kCount = 40;
  std::vector<uint64_t> expected{1, 1};
  while (expected.size() < kCount) expected.push_back(expected[expected.size() - 1] + expected[expected.size() - 2]);
  Array<uint64_t> out(in_order, kCount);
  for (size_t i = 0; i < kCount; ++i)
    in_order.submit([&](sycl::handler &handler) {
      handler.set_args(out.get(), i);
      handler.single_task(kernel);
    });
  in_order.wait_and_throw();
  compare(out.values(), expected);
}

}  // namespace
}  // namespace programs
