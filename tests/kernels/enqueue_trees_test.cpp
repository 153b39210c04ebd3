// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random trees of commands against a sequential interpreter. UPSWEEP_TEST_TREES is their number, UPSWEEP_TEST_SEED the first
// seed.
#include "kernel_runner.h"

#include <algorithm>
#include <random>

namespace upsweep::tests {
namespace {

/// The same struct as in enqueue_trees.cl.
struct Node {
  cl_int parent = 0, first_child = 0, num_children = 0;
  cl_int global_size = 0, local_size = 0, local_bytes = 0;
  cl_int flags = 0, waits = 0, has_event = 0, is_gated = 0, sets_gate = 0;
};

int value_of(int id, int item, int captured) { return (id * 31 + item * 7 + captured) & 0xffff; }

class Drawing {
public:
  explicit Drawing(unsigned seed) : random_(seed) {}

  std::vector<Node> draw() {
    std::vector<Node> nodes{{.parent = -1, .global_size = 1 + below(40), .local_size = 0, .sets_gate = -1}};
    const size_t most = 1 + static_cast<size_t>(below(below(10) ? 40 : 300));
    for (size_t id = 0; id < nodes.size() && nodes.size() < most; ++id) {
      const int children = std::min<int>(below(9), static_cast<int>(most - nodes.size()));
      nodes[id].first_child = static_cast<int>(nodes.size());
      nodes[id].num_children = children;
      nodes[id].sets_gate = below(2) - 1;
      for (int i = 0; i < children; ++i) nodes.push_back(child(nodes, static_cast<int>(id), i));
    }
    return nodes;
  }

private:
  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }

  Node child(const std::vector<Node> &nodes, int parent, int place) {
    Node node{.parent = parent, .sets_gate = -1};
    node.global_size = below(4) ? 1 + below(6) : 1 + below(300);
    node.flags = below(3);
    node.has_event = below(2);
    node.is_gated = below(4) == 0;
    if (below(2)) node.local_size = 1 + below(20);
    if (below(4) == 0) {
      node.local_size = 1 + below(40);
      node.local_bytes = node.local_size * static_cast<int>(sizeof(cl_int));
    }
    for (int k = 0; k < place; ++k)
      if (nodes[static_cast<size_t>(nodes[static_cast<size_t>(parent)].first_child + k)].has_event && below(3) == 0)
        node.waits |= 1 << k;
    return node;
  }

  std::mt19937 random_;
};

struct Sums {
  std::vector<cl_int> own, subtree, waited;
  bool operator==(const Sums &) const = default;
};

Sums interpret(const std::vector<Node> &nodes) {
  const size_t n = nodes.size();
  Sums sums{std::vector<cl_int>(n), std::vector<cl_int>(n), std::vector<cl_int>(n)};
  for (size_t id = 0; id < n; ++id)
    for (int item = 0; item < nodes[id].global_size; ++item)
      sums.own[id] += value_of(static_cast<int>(id), item, id ? static_cast<int>(id) * 5 + 3 : 0);
  for (size_t id = n; id-- > 0;) {
    sums.subtree[id] += sums.own[id];
    if (nodes[id].parent >= 0) sums.subtree[static_cast<size_t>(nodes[id].parent)] += sums.subtree[id];
  }
  for (size_t id = 1; id < n; ++id) {
    const auto parent = static_cast<size_t>(nodes[id].parent);
    for (int k = 0; k < 8; ++k)
      if (nodes[id].waits >> k & 1) sums.waited[id] += sums.subtree[static_cast<size_t>(nodes[parent].first_child + k)];
    if (nodes[id].flags == 1) sums.waited[id] += sums.own[parent];  // CLK_ENQUEUE_FLAGS_WAIT_KERNEL
  }
  return sums;
}

class EnqueueTrees : public KernelRunner {
protected:
  void SetUp() override {
    KernelRunner::SetUp();
    cl_device_device_enqueue_capabilities capabilities = 0;
    clGetDeviceInfo(device_, CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES, sizeof capabilities, &capabilities, nullptr);
    if (!capabilities) GTEST_SKIP() << "the device has no device-side enqueue";
    const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
                                              0};
    device_queue_ = clCreateCommandQueueWithProperties(context_, device_, properties, nullptr);
    build("enqueue_trees.cl", "root");
  }
  void TearDown() override {
    if (device_queue_) clReleaseCommandQueue(device_queue_);
    KernelRunner::TearDown();
  }

  template <typename T>
  cl_mem buffer(std::vector<T> values) {
    return clCreateBuffer(context_, CL_MEM_COPY_HOST_PTR, values.size() * sizeof(T), values.data(), nullptr);
  }
  std::vector<cl_int> read(cl_mem memory, size_t n) {
    std::vector<cl_int> values(n);
    EXPECT_EQ(clEnqueueReadBuffer(queue_, memory, CL_TRUE, 0, n * sizeof(cl_int), values.data(), 0, nullptr, nullptr),
              CL_SUCCESS);
    return values;
  }

  void run_tree(const std::vector<Node> &nodes, Sums &sums, cl_int &errors) {
    const size_t n = nodes.size();
    const std::vector<cl_int> zeros(n);
    const cl_mem memory[] = {buffer(nodes), buffer(zeros), buffer(zeros), buffer(zeros), buffer(std::vector<cl_int>(1))};
    for (cl_uint i = 0; i < 5; ++i) set(i, memory[i]);
    set(5, device_queue_);
    const auto global = static_cast<size_t>(nodes[0].global_size);
    EXPECT_EQ(clEnqueueNDRangeKernel(queue_, kernel_, 1, nullptr, &global, nullptr, 0, nullptr, nullptr), CL_SUCCESS);
    sums = {read(memory[1], n), read(memory[2], n), read(memory[3], n)};
    errors = read(memory[4], 1)[0];
    for (cl_mem each : memory) clReleaseMemObject(each);
  }

  cl_command_queue device_queue_ = nullptr;
};

unsigned number_of(const char *variable, unsigned otherwise) {
  const char *text = std::getenv(variable);
  return text ? static_cast<unsigned>(std::atoi(text)) : otherwise;
}

TEST_F(EnqueueTrees, GivenRandomTrees_WhenTheyRun_ThenEachNodeDoesWhatTheInterpreterSays) {
  const unsigned trees = number_of("UPSWEEP_TEST_TREES", 150), seed = number_of("UPSWEEP_TEST_SEED", 1);
  for (unsigned i = 0; i < trees && !HasFailure(); ++i) {
    const std::vector<Node> nodes = Drawing(seed + i).draw();
    Sums sums;
    cl_int errors = -1;
    run_tree(nodes, sums, errors);
    EXPECT_EQ(errors, 0) << "seed " << seed + i;
    EXPECT_TRUE(sums == interpret(nodes)) << "seed " << seed + i << ", " << nodes.size() << " nodes";
  }
}

}  // namespace
}  // namespace upsweep::tests
