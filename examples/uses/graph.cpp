// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A graph from a list of edges: a stable sort groups the edges of each vertex, and a scan of the degrees gives their begins
// (compressed rows).
#include "report.h"

#include <upsweep/cpu/sort.h>
#include <upsweep/opencl/scan.h>
#include <upsweep/opencl/sort.h>

namespace {

struct Graph {
  std::vector<uint> begins;   // begin of each vertex's edges, and the end
  std::vector<uint> targets;  // of the edges of each
  bool operator==(const Graph &) const = default;
};

Graph sequential(const std::vector<uint> &from, const std::vector<uint> &to, uint vertices) {
  std::vector<std::vector<uint>> lists(vertices);
  for (std::size_t i = 0; i < from.size(); ++i) {
    lists[from[i]].push_back(to[i]);
  }
  Graph graph;
  for (const auto &list : lists) {
    graph.begins.push_back(static_cast<uint>(graph.targets.size()));
    graph.targets.insert(graph.targets.end(), list.begin(), list.end());
  }
  graph.begins.push_back(static_cast<uint>(graph.targets.size()));
  return graph;
}

}  // namespace

int main(int argc, char **argv) {
  const std::size_t n = uses::elements(argc, argv);
  const auto vertices = static_cast<uint>(n / 8 + 1);
  std::mt19937 engine(5);
  std::vector<uint> from(n), to(n);
  for (std::size_t i = 0; i < n; ++i) {
    from[i] = std::min(engine() % vertices, engine() % vertices);  // vertices with small numbers have more edges
    to[i] = engine() % vertices;
  }
  const Graph expected = sequential(from, to, vertices);
  uses::Report report(argc, argv, "graph", 12 * n + 4 * vertices);

  Graph graph{std::vector<uint>(vertices + 1), std::vector<uint>(n)};
  std::vector<uint> sorted(n);
  std::vector<uint> degrees(vertices);
  report.by_threads(
      [&] {
        uses::for_all(vertices, [&](std::size_t v) { degrees[v] = 0; });
        uses::for_all(n, [&](std::size_t i) { std::atomic_ref(degrees[from[i]]).fetch_add(1, std::memory_order_relaxed); });
        uses::cpu::sort_pairs(from.data(), sorted.data(), to.data(), graph.targets.data(), n);
        uses::cpu::exclusive_sum(degrees.data(), graph.begins.data(), vertices, uses::cpu::default_pool(),
                                 uses::cpu::total_to(graph.begins.data() + vertices));
      },
      [&] { return graph == expected; });

  report.on_devices([&](uses::Device &device) {
    const auto sources = device.array(from), ends = device.array(to), sorted = device.array<uint>(n),
               targets = device.array<uint>(n), degrees = device.array<uint>(vertices),
               begins = device.array<uint>(vertices + 1);
    cl_kernel clear = device.kernel("kernel void clear(global uint *degrees) { degrees[get_global_id(0)] = 0; }");
    cl_kernel count = device.kernel(
        "kernel void count(global const uint *from, global uint *degrees) { atomic_inc(degrees + from[get_global_id(0)]); }");
    const auto run = [=, &device] {
      device.launch(clear, vertices, degrees);
      device.launch(count, n, sources, degrees);
      uses::require(uses::up::sort_pairs(sources, sorted, ends, targets, n, device));
      uses::require(uses::up::exclusive_sum(degrees, begins, vertices, device,
                                            uses::up::total_to(uses::up::buffer<uint>(begins.memory, vertices))));
    };
    return std::pair(run, [=, &device, &expected] {
      return Graph{device.read<uint>(begins, vertices + 1), device.read<uint>(targets, n)} == expected;
    });
  });
  return report.status();
}
