// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Collision candidates (Horn 2005; Gress and others 2006). Boxes are sorted by their left edges. Each box forms pairs with the
// later boxes whose left edges it covers, and a scan of the numbers of pairs gives their places. A compaction keeps the pairs
// that also overlap in height.
#include "report.h"

#include <upsweep/cpu/select.h>
#include <upsweep/cpu/sort.h>
#include <upsweep/opencl/select.h>
#include <upsweep/opencl/sort.h>

#define GLOBAL  // an address space in OpenCL C

namespace {

constexpr uint kSize = 64;  // side of each box, a square

// clang-format off
USES_SHARED(kBoxes,
inline uint pairs_of(const GLOBAL uint *left, uint i, uint n, uint size) {
  uint end = i + 1;
  while (end < n && left[end] - left[i] < size) ++end;
  return end - i - 1;
}
inline uint overlaps(uint a, uint b, uint size) { return (a > b ? a - b : b - a) < size; }
)
// clang-format on

using Pair = std::uint64_t;  // the sorted place of one box in the high half, the other's in the low half

std::vector<Pair> sequential(const std::vector<uint> &left, const std::vector<uint> &top) {
  std::vector<std::pair<uint, uint>> order;  // left edges and boxes: equal edges keep the boxes' order
  for (uint i = 0; i < left.size(); ++i) {
    order.emplace_back(left[i], i);
  }
  std::sort(order.begin(), order.end());
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (std::size_t j = i + 1; j < order.size() && order[j].first - order[i].first < kSize; ++j) {
      if (overlaps(top[order[i].second], top[order[j].second], kSize) != 0) {
        pairs.push_back(Pair(i) << 32 | j);
      }
    }
  }
  return pairs;
}

}  // namespace

int main(int argc, char **argv) {
  const std::size_t n = uses::elements(argc, argv);
  const auto number = static_cast<uint>(n);
  std::mt19937 engine(8);
  std::vector<uint> left(n), top(n);
  for (std::size_t i = 0; i < n; ++i) {
    left[i] = static_cast<uint>(engine() % (n * 16));  // four pairs for each box
    top[i] = engine() % 1024;
  }
  const auto expected = sequential(left, top);
  const std::size_t most = 8 * n + 64;  // number of pairs; in general a program reads the scan's total
  uses::Report report(argc, argv, "collision candidates", 8 * (n + expected.size()));

  std::vector<uint> lefts(n), tops(n), places(n + 1);
  std::vector<Pair> pairs(most), found(most);
  std::vector<uchar> flags(most);
  std::size_t kept = 0;
  report.by_threads(
      [&] {
        uses::cpu::sort_pairs(left.data(), lefts.data(), top.data(), tops.data(), n);
        uses::for_all(n, [&](std::size_t i) { places[i] = pairs_of(lefts.data(), static_cast<uint>(i), number, kSize); });
        uses::cpu::exclusive_sum(places.data(), places.data(), n, uses::cpu::default_pool(), uses::cpu::total_to(&places[n]));
        uses::for_all(n, [&](std::size_t i) {
          for (uint at = places[i]; at < std::min<std::size_t>(places[i + 1], most); ++at) {
            const std::size_t j = i + 1 + at - places[i];
            pairs[at] = Pair(i) << 32 | j;
            flags[at] = static_cast<uchar>(overlaps(tops[i], tops[j], kSize));
          }
        });
        uses::cpu::select_by_flag(pairs.data(), flags.data(), found.data(), &kept, std::min<std::size_t>(places[n], most));
      },
      [&] { return std::vector(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(kept)) == expected; });

  report.on_devices([&](uses::Device &device) {
    const auto left_edges = device.array(left), top_edges = device.array(top), lefts = device.array<uint>(n),
               tops = device.array<uint>(n), places = device.array<uint>(n + 1), flags = device.array<uchar>(most),
               pairs = device.array<Pair>(most), found = device.array<Pair>(most), kept = device.array<uint>(1);
    const std::string text = std::string("#define GLOBAL global\n") + kBoxes;
    cl_kernel count =
        device.kernel(text + "kernel void count(global const uint *left, global uint *counts, uint n, uint size) {"
                             "  counts[get_global_id(0)] = pairs_of(left, get_global_id(0), n, size); }");
    cl_kernel make = device.kernel(text + "kernel void make(global const uint *places, global const uint *tops,"
                                          "                 global ulong *pairs, global uchar *flags, uint size, uint most) {"
                                          "  const uint i = get_global_id(0), first = places[i];"
                                          "  for (uint at = first; at < min(places[i + 1], most); ++at) {"
                                          "    const uint j = i + 1 + at - first;"
                                          "    pairs[at] = (ulong)i << 32 | j;"
                                          "    flags[at] = overlaps(tops[i], tops[j], size); } }");
    const auto run = [=, &device] {
      const auto total = uses::up::buffer<uint>(places.memory, n);
      uses::require(uses::up::sort_pairs(left_edges, lefts, top_edges, tops, n, device));
      device.launch(count, n, lefts, places, number, kSize);
      uses::require(uses::up::exclusive_sum(places, places, n, device, uses::up::total_to(total)));
      device.launch(make, n, places, tops, pairs, flags, kSize, static_cast<uint>(most));
      uses::require(uses::up::select_by_flag(pairs, flags, found, kept, uses::up::count_at(total, most), device));
    };
    return std::pair(run,
                     [=, &device, &expected] { return device.read<Pair>(found, device.read<uint>(kept, 1)[0]) == expected; });
  });
  return report.status();
}
