// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Graphs of the CUDA driver in software. A launch runs the nodes in a random order that their dependencies allow. As on a GPU,
// the launches of a graph run in order, and an update affects later launches.
#include "fake_kernels.h"
#include "fake_state.h"
#include <algorithm>
#include <cstring>
#include <memory>
#include <mutex>
#include <random>
#include <vector>

namespace upsweep::tests {
namespace {

constexpr CUresult kInvalidValue = 1, kNotSupported = 801;

struct Graph;

struct Node {
  size_t number;
  std::vector<size_t> dependencies;
  CUfunction function;  ///< null unless it is a kernel
  StreamTask task;      ///< empty in an empty node
};

struct Graph {
  std::vector<std::unique_ptr<Node>> nodes;
};

struct GraphExec {
  explicit GraphExec(const Graph &graph) {
    for (const auto &node : graph.nodes) nodes.push_back(*node);
  }
  std::vector<Node> nodes;
  std::shared_ptr<Point> last;  ///< the end of the newest launch
  std::minstd_rand random{1};
};

Graph &of(CUgraph graph) { return *reinterpret_cast<Graph *>(graph); }
GraphExec &of(CUgraphExec made) { return *reinterpret_cast<GraphExec *>(made); }
Node &of(CUgraphNode node) { return *reinterpret_cast<Node *>(node); }

CUresult add(CUgraphNode *made, CUgraph graph, const CUgraphNode *dependencies, size_t count, CUfunction function,
             StreamTask task) {
  if (CUresult bad = usable()) return bad;
  if (fake_cuda().refuses_nodes) return kNotSupported;
  auto &nodes = of(graph).nodes;
  auto node = std::make_unique<Node>(Node{nodes.size(), {}, function, std::move(task)});
  for (size_t i = 0; i < count; ++i) {
    const size_t before = of(dependencies[i]).number;
    const bool is_of_graph = before < nodes.size() && nodes[before].get() == &of(dependencies[i]);
    // The CUDA driver rejects edges that are given twice.
    if (!is_of_graph || std::ranges::count(node->dependencies, before)) return kInvalidValue;
    node->dependencies.push_back(before);
  }
  *made = reinterpret_cast<CUgraphNode>(node.get());
  nodes.push_back(std::move(node));
  return 0;
}

void run(Stream &stream, const std::vector<Node> &nodes, std::minstd_rand random) {
  std::vector<bool> is_done(nodes.size());
  for (size_t left = nodes.size(); left > 0; --left) {
    std::vector<size_t> ready;
    for (const Node &node : nodes)
      if (!is_done[node.number] && std::ranges::all_of(node.dependencies, [&](size_t before) { return is_done[before]; }))
        ready.push_back(node.number);
    const size_t next = ready[random() % ready.size()];
    if (nodes[next].task && !stream.has_failed()) nodes[next].task(stream);
    is_done[next] = true;
  }
}

void wait_for(const std::shared_ptr<Point> &point, const Stream &stream) {
  if (!point) return;
  std::unique_lock lock(point->mutex);
  while (!point->is_over && !stream.has_failed()) point->passed.wait_for(lock, std::chrono::milliseconds(1));
}

}  // namespace
}  // namespace upsweep::tests

#define EXPORT extern "C" __attribute__((visibility("default")))

using namespace upsweep::tests;
using upsweep::CUcontext;
using upsweep::CudaCopy3D;
using upsweep::CudaFill;
using upsweep::CudaKernel;
using upsweep::CUgraph;
using upsweep::CUgraphExec;
using upsweep::CUgraphNode;
using upsweep::CUresult;

EXPORT CUresult cuGraphCreate(CUgraph *graph, unsigned) {
  if (CUresult bad = usable()) return bad;
  *graph = reinterpret_cast<CUgraph>(new Graph);
  return 0;
}
EXPORT CUresult cuGraphDestroy(CUgraph graph) {
  delete &of(graph);
  return 0;
}

EXPORT CUresult cuGraphAddEmptyNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count) {
  return add(node, graph, dependencies, count, nullptr, {});
}
EXPORT CUresult cuGraphAddKernelNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
                                     const CudaKernel *kernel) {
  return add(node, graph, dependencies, count, kernel->function, kernel_task(*kernel));
}
EXPORT CUresult cuGraphAddMemcpyNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
                                     const CudaCopy3D *copy, CUcontext context) {
  constexpr size_t kMostPitch = 1 << 20;
  for (const CudaCopy3D::End *end : {&copy->from, &copy->to})
    if (end->pitch < copy->width || end->height < copy->height || end->pitch > kMostPitch) return kInvalidValue;
  if (!context || !copy->width || !copy->height || !copy->depth) return kInvalidValue;
  return add(node, graph, dependencies, count, nullptr, copy_task(*copy));
}
EXPORT CUresult cuGraphAddMemsetNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
                                     const CudaFill *fill, CUcontext context) {
  const size_t bytes = fill->element_bytes;
  if (!context || fill->height != 1 || !fill->width || (bytes != 1 && bytes != 2 && bytes != 4) || fill->to % bytes)
    return kInvalidValue;
  return add(node, graph, dependencies, count, nullptr, [fill = *fill](Stream &) {
    for (size_t i = 0; i < fill.width; ++i)
      std::memcpy(real(fill.to) + i * fill.element_bytes, &fill.value, fill.element_bytes);
  });
}

EXPORT CUresult cuGraphInstantiateWithFlags(CUgraphExec *made, CUgraph graph, unsigned long long) {
  if (CUresult bad = usable()) return bad;
  ++fake_cuda().graphs_made;
  ++fake_cuda().graphs;
  *made = reinterpret_cast<CUgraphExec>(new GraphExec(of(graph)));
  return 0;
}
EXPORT CUresult cuGraphExecDestroy(CUgraphExec made) {
  --fake_cuda().graphs;
  delete &of(made);
  return 0;
}
EXPORT CUresult cuGraphExecKernelNodeSetParams(CUgraphExec made, CUgraphNode node, const CudaKernel *kernel) {
  if (CUresult bad = usable()) return bad;
  Node &its = of(made).nodes[of(node).number];
  if (fake_cuda().refuses_updates || its.function != kernel->function) return kInvalidValue;
  ++fake_cuda().nodes_updated;
  its.task = kernel_task(*kernel);
  return 0;
}

EXPORT CUresult cuGraphLaunch(CUgraphExec handle, upsweep::CUstream handle_of_stream) {
  if (CUresult bad = usable()) return bad;
  ++fake_cuda().graph_launches;
  GraphExec &made = of(handle);
  Stream &stream = stream_of(handle_of_stream);
  auto end = std::make_shared<Point>();
  stream.push([&stream, end, before = std::exchange(made.last, end), nodes = made.nodes, random = made.random] {
    wait_for(before, stream);
    run(stream, nodes, random);
    const std::lock_guard lock(end->mutex);
    end->is_over = true;
    end->passed.notify_all();
  });
  made.random.discard(1);
  return 0;
}
