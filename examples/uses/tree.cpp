// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A tree from its brackets. A scan of +1 and -1 gives the depths of the brackets, and a stable sort by depth puts each bracket
// next to its closing bracket. Nodes come out level by level, each with its begin and end.
#include "report.h"

#include <upsweep/cpu/sort.h>
#include <upsweep/opencl/scan.h>
#include <upsweep/opencl/sort.h>

namespace {

// clang-format off
USES_SHARED(kSteps,
inline uint step_of(uchar bracket) { return bracket == '(' ? 1 : 0xFFFFFFFFU; }
inline uint depth_of(uint sum, uchar bracket) { return bracket == '(' ? sum - 1 : sum; }
)
// clang-format on

// n balanced brackets; n is even.
std::string brackets_of(std::size_t n) {
  std::mt19937 engine(6);
  std::string text;
  for (std::size_t open = 0; text.size() < n;) {
    const std::size_t left = n - text.size();
    const bool opens = open == 0 || (open < left && engine() % 5 < 3 && open < 1000);
    text += opens ? '(' : ')';
    open = opens ? open + 1 : open - 1;
  }
  return text;
}

// The begin and end of each node, sorted by depth, then from left to right.
std::vector<uint> sequential(const std::string &text) {
  std::vector<std::vector<uint>> levels;
  std::size_t depth = 0;
  for (uint i = 0; i < text.size(); ++i) {
    depth -= text[i] == '(' ? 0 : 1;
    levels.resize(std::max(levels.size(), depth + 1));
    levels[depth].push_back(i);
    depth += text[i] == '(' ? 1 : 0;
  }
  std::vector<uint> nodes;
  for (const auto &level : levels) {
    nodes.insert(nodes.end(), level.begin(), level.end());
  }
  return nodes;
}

}  // namespace

int main(int argc, char **argv) {
  const std::size_t n = uses::elements(argc, argv);
  const std::string text = brackets_of(n);
  const auto *brackets = reinterpret_cast<const uchar *>(text.data());
  const auto expected = sequential(text);
  uses::Report report(argc, argv, "tree", 5 * n);

  std::vector<uint> depths(n), sorted(n), nodes(n);
  report.by_threads(
      [&] {
        uses::cpu::inclusive_sum(brackets, depths.data(), n, uses::cpu::transform_input(step_of));
        uses::for_all(n, [&](std::size_t i) { depths[i] = depth_of(depths[i], brackets[i]); });
        uses::cpu::arg_sort(depths.data(), sorted.data(), nodes.data(), n);
      },
      [&] { return nodes == expected; });

  report.on_devices([&](uses::Device &device) {
    const auto in = device.array(n, brackets), depths = device.array<uint>(n), sorted = device.array<uint>(n),
               nodes = device.array<uint>(n);
    cl_kernel lower =
        device.kernel(std::string(kSteps) + "kernel void lower(global const uchar *brackets, global uint *depths) {"
                                            "  const size_t i = get_global_id(0);"
                                            "  depths[i] = depth_of(depths[i], brackets[i]); }");
    const auto run = [=, &device] {
      uses::require(uses::up::inclusive_sum(in, depths, n, device, uses::up::accumulator<uint>(),
                                            uses::up::transform_input({"step_of", kSteps})));
      device.launch(lower, n, in, depths);
      uses::require(uses::up::arg_sort(depths, sorted, nodes, n, device));
    };
    return std::pair(run, [=, &device, &expected] { return device.read<uint>(nodes, n) == expected; });
  });
  return report.status();
}
