// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Distances in a random graph by breadth_first.cl, whose kernels enqueue the next level. The program repeats this with the
// host between the levels, and checks both. It only needs an OpenCL loader:
//
//     c++ -std=c++17 examples/opencl/breadth_first.cpp -lOpenCL -o breadth_first
//     ./breadth_first examples/opencl/breadth_first.cl [NODES] [EDGES OF EACH] [cpu|gpu]
#include "enqueuing.h"

#include <random>

namespace {

constexpr cl_uint kUnseen = 0xffffffff;
constexpr size_t kGroup = 64;

struct Graph {
  std::vector<cl_uint> first, neighbours;
};

/// Edges to random nodes, and to the next node, so that all are reached.
Graph draw(cl_uint nodes, cl_uint edges) {
  std::mt19937 random(1);
  Graph graph;
  for (cl_uint node = 0; node < nodes; ++node) {
    graph.first.push_back(static_cast<cl_uint>(graph.neighbours.size()));
    graph.neighbours.push_back((node + 1) % nodes);
    for (cl_uint k = 0; k < edges; ++k) graph.neighbours.push_back(static_cast<cl_uint>(random() % nodes));
  }
  graph.first.push_back(static_cast<cl_uint>(graph.neighbours.size()));
  return graph;
}

std::vector<cl_uint> search(const Graph &graph) {
  std::vector<cl_uint> distance(graph.first.size() - 1, kUnseen), nodes{0};
  distance[0] = 0;
  for (size_t i = 0; i < nodes.size(); ++i)
    for (cl_uint k = graph.first[nodes[i]]; k < graph.first[nodes[i] + 1]; ++k)
      if (cl_uint &other = distance[graph.neighbours[k]]; other == kUnseen) {
        other = distance[nodes[i]] + 1;
        nodes.push_back(graph.neighbours[k]);
      }
  return distance;
}

class Search {
public:
  Search(Enqueuing &device, const Graph &graph)
      : device_(device), nodes_(graph.first.size() - 1), first_(device.buffer(graph.first)),
        neighbours_(device.buffer(graph.neighbours)), distance_(device.buffer(std::vector<cl_uint>(nodes_))),
        even_(device.buffer(std::vector<cl_uint>(nodes_))), odd_(device.buffer(std::vector<cl_uint>(nodes_))),
        counts_(device.buffer(std::vector<cl_uint>(nodes_ + 1))) {}

  void begin() {
    std::vector<cl_uint> distance(nodes_, kUnseen), counts(nodes_ + 1);
    distance[0] = 0;
    counts[0] = 1;
    device_.write(distance_, distance);
    device_.write(counts_, counts);
    device_.write(even_, std::vector<cl_uint>(1));
  }
  void run_on_device() {
    device_.launch("search_all", 1, 1, first_, neighbours_, distance_, even_, odd_, counts_);
    device_.finish();
  }
  void run_from_host() {
    cl_uint count = 1;
    for (cl_uint level = 0; count; ++level) {
      device_.launch("search_level", (count + kGroup - 1) / kGroup * kGroup, kGroup, first_, neighbours_, distance_, even_,
                     odd_, counts_, level);
      count = device_.read<cl_uint>(counts_, level + 2)[level + 1];
    }
  }
  std::vector<cl_uint> distances() { return device_.read<cl_uint>(distance_, nodes_); }

private:
  Enqueuing &device_;
  size_t nodes_;
  cl_mem first_, neighbours_, distance_, even_, odd_, counts_;
};

/// The least time of some runs, each from the beginning.
template <typename Run>
double time_of(Search &search, Run &&run) {
  double best = 1e9;
  for (int i = 0; i < 3; ++i) {
    search.begin();
    best = std::min(best, best_ms(1, run));
  }
  return best;
}

}  // namespace

int main(int argc, char **argv) {
  const cl_device_type type = take_device_type(argc, argv);
  if (argc < 2) return std::fprintf(stderr, "usage: breadth_first breadth_first.cl [NODES] [EDGES OF EACH] [cpu|gpu]\n"), 2;
  const auto nodes = static_cast<cl_uint>(argc > 2 ? std::atoll(argv[2]) : 1 << 18);
  const auto edges = static_cast<cl_uint>(argc > 3 ? std::atoll(argv[3]) : 4);
  const Graph graph = draw(nodes, edges);
  const std::vector<cl_uint> expected = search(graph);
  Enqueuing device(argv[1], type);
  Search on(device, graph);
  const double on_device = time_of(on, [&] { on.run_on_device(); });
  if (on.distances() != expected) return std::printf("kernels alone: wrong\n"), 1;
  const double with_host = time_of(on, [&] { on.run_from_host(); });
  if (on.distances() != expected) return std::printf("with the host between levels: wrong\n"), 1;
  std::printf("%u nodes, %u levels: %.2f ms by kernels alone, %.2f ms with the host between levels\n", nodes,
              *std::max_element(expected.begin(), expected.end()) + 1, on_device, with_host);
}
