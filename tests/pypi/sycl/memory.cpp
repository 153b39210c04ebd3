// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs of unified shared memory, variables of program scope and recorded graphs.
#include "programs.h"

#include <numeric>

namespace programs {
namespace {

constexpr size_t kCount = 5000;

/// A kernel in place on one kind of allocation, between copies and fills by the queue.
void check_kind(sycl::queue &queue, sycl::usm::alloc kind, bool host_may_write) {
  const auto kernel = build(queue, "vector_add").ext_oneapi_get_kernel("vector_add");
  const auto in = random_numbers<float>(kCount, -9, 9);
  Array<float> a(queue, in, kind), b(queue, kCount, kind), c(queue, kCount, kind);
  require(sycl::get_pointer_type(b.get() + kCount - 1, queue.get_context()) == kind,
          "the kind of a pointer inside an allocation is known");
  queue.fill(b.get(), 2.5F, kCount).wait();
  if (host_may_write) b.get()[7] = -1;
  launch(queue, kernel, sycl::nd_range<1>((kCount + 63) / 64 * 64, 64), a.get(), b.get(), c.get(), kCount);
  queue.memset(a.get(), 0, 16).wait();
  std::vector<float> expected(kCount), cleared = in;
  for (size_t i = 0; i < kCount; ++i) expected[i] = in[i] + (host_may_write && i == 7 ? -1.F : 2.5F);
  std::fill_n(cleared.begin(), 4, 0.F);
  compare(c.values(), expected);
  compare(a.values(), cleared);
}

SYCL_PROGRAM(host_allocations) { check_kind(queue, sycl::usm::alloc::host, true); }
SYCL_PROGRAM(device_allocations) { check_kind(queue, sycl::usm::alloc::device, false); }
SYCL_PROGRAM(shared_allocations) { check_kind(queue, sycl::usm::alloc::shared, true); }

/// The kernel follows pointers in structures, which no argument names.
SYCL_PROGRAM(linked_lists) {
  struct Node {
    Node *next;
    long value;
  };
  constexpr size_t kLists = 64, kLength = 50;
  std::vector<Node *> nodes;
  const auto values = random_numbers<long>(kLists * kLength, -1000, 1000);
  std::vector<long> expected(kLists);
  Array<Node *> heads(queue, kLists);
  Array<long> sums(queue, kLists);
  for (size_t i = 0; i < values.size(); ++i) {
    const size_t list = i % kLists;
    Node *node = i % 2 ? sycl::malloc_shared<Node>(1, queue) : sycl::malloc_host<Node>(1, queue);
    *node = {heads.get()[list], values[i]};
    heads.get()[list] = node;
    nodes.push_back(node);
    expected[list] += values[i];
  }
  launch(queue, build(queue, "linked_lists").ext_oneapi_get_kernel("sum_lists"), sycl::nd_range<1>(kLists, 16), heads.get(),
         sums.get());
  compare(sums.values(), expected);
  for (Node *node : nodes) sycl::free(node, queue);
}

SYCL_PROGRAM(device_globals) {
  Bundle bundle = build(queue, "device_globals");
  require(bundle.ext_oneapi_has_device_global("table"), "the variable has a name");
  void *table = bundle.ext_oneapi_get_device_global_address("table", queue.get_device());
  require(bundle.ext_oneapi_get_device_global_size("table") == 16 * sizeof(int), "the variable's size is known");
  const auto in = random_numbers<int>(16, -1000, 1000);
  queue.memcpy(table, in.data(), 16 * sizeof(int)).wait();
  Array<int> out(queue, 16);
  for (int round = 1; round <= 3; ++round) {
    launch(queue, bundle.ext_oneapi_get_kernel("use_table"), sycl::nd_range<1>(16, 4), out.get());
    std::vector<int> expected(16);
    for (size_t i = 0; i < 16; ++i) expected[i] = in[i] + round;
    compare(out.values(), expected);
  }
  std::vector<int> kept(16);
  queue.memcpy(kept.data(), table, 16 * sizeof(int)).wait();
  compare(kept, out.values());
}

/// A graph of kernels, copies and fills with a fork and a join, submitted again after the inputs change.
SYCL_PROGRAM(recorded_graph) {
  const auto kernel = build(queue, "vector_add").ext_oneapi_get_kernel("vector_add");
  constexpr size_t kItems = 1024;
  Array<float> in(queue, kItems), left(queue, kItems), right(queue, kItems), out(queue, kItems);
  experimental::command_graph graph(queue.get_context(), queue.get_device());
  const auto add = [&](const float *a, const float *b, float *sum) {
    return [=](sycl::handler &handler) {
      handler.set_args(a, b, sum, kItems);
      handler.parallel_for(sycl::nd_range<1>(kItems, 64), kernel);
    };
  };
  const auto copy = graph.add([&](sycl::handler &handler) { handler.memcpy(left.get(), in.get(), kItems * sizeof(float)); });
  const auto fill = graph.add([&](sycl::handler &handler) { handler.fill(right.get(), 3.F, kItems); });
  const auto twice = graph.add(add(left.get(), left.get(), left.get()), {experimental::property::node::depends_on(copy)});
  graph.add(add(left.get(), right.get(), out.get()), {experimental::property::node::depends_on(twice, fill)});
  auto ready = graph.finalize();
  for (int round = 0; round < 3; ++round) {
    const auto numbers = random_numbers<float>(kItems, -9, 9);
    queue.copy(numbers.data(), in.get(), kItems).wait();
    queue.ext_oneapi_graph(ready).wait();
    std::vector<float> expected(kItems);
    for (size_t i = 0; i < kItems; ++i) expected[i] = numbers[i] + numbers[i] + 3;
    compare(out.values(), expected);
  }
}

}  // namespace
}  // namespace programs
