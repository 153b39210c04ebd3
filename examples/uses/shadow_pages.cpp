// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pages of a hierarchical shadow map (Sengupta and others 2006). Level by level, a page that a shadow's edge crosses is
// divided into four; other pages are finished. A compaction gathers the pages to divide.
#include "report.h"

#include <upsweep/cpu/select.h>
#include <upsweep/opencl/select.h>

namespace {

// A page is its level and two coordinates; the square's side is 2^30, and the shadow is a circle.
// clang-format off
USES_SHARED(kPages,
inline ulong distance_to(ulong low, ulong high, ulong from, uint nearest) {
  const ulong before = low > from ? low - from : 0;
  const ulong after = high < from ? from - high : 0;
  const ulong least = before > after ? before : after;
  const ulong most = (from > low ? from - low : 0) > (high > from ? high - from : 0) ? from - low : high - from;
  return nearest ? least : most;
}
inline uchar crosses_edge(uint x, uint y, uint level) {
  const ulong side = 1UL << (30 - level);
  const ulong center = 123456789UL;
  const ulong radius = 100000007UL;
  const ulong near_x = distance_to(x * side, (x + 1) * side, center, 1);
  const ulong near_y = distance_to(y * side, (y + 1) * side, center, 1);
  const ulong far_x = distance_to(x * side, (x + 1) * side, center, 0);
  const ulong far_y = distance_to(y * side, (y + 1) * side, center, 0);
  return near_x * near_x + near_y * near_y <= radius * radius && far_x * far_x + far_y * far_y >= radius * radius;
}
inline uint child_of(uint parent, uint child) { return 2 * parent + child; }
)
// clang-format on

struct Pages {
  std::vector<uint> x, y;
  bool operator==(const Pages &) const = default;
};

// The pages of each level that the edge crosses: the children of the previous level's pages, in order.
Pages sequential(uint levels) {
  Pages pages{{0}, {0}};
  for (uint level = 1; level <= levels; ++level) {
    Pages next;
    for (std::size_t i = 0; i < pages.x.size(); ++i) {
      for (uint child = 0; child < 4; ++child) {
        const uint x = child_of(pages.x[i], child % 2), y = child_of(pages.y[i], child / 2);
        if (crosses_edge(x, y, level) != 0) {
          next.x.push_back(x);
          next.y.push_back(y);
        }
      }
    }
    pages = next;
  }
  return pages;
}

}  // namespace

int main(int argc, char **argv) {
  // The circle crosses about 0.75 x 2^k pages at level k.
  const auto levels = static_cast<uint>(argc > 2 ? std::atoi(argv[2]) : 20);
  const std::size_t most = (std::size_t(4) << levels) + 64;  // of pages before the compaction
  const Pages expected = sequential(levels);
  uses::Report report(argc, argv, "shadow pages", 16 * expected.x.size());

  Pages cut{std::vector<uint>(most), std::vector<uint>(most)}, all{cut};
  std::vector<uchar> flags(most);
  std::size_t count = 0;
  report.by_threads(
      [&] {
        cut.x[0] = cut.y[0] = 0;
        count = 1;
        for (uint level = 1; level <= levels; ++level) {
          const std::size_t n = 4 * count;
          uses::for_all(n, [&](std::size_t i) {
            all.x[i] = child_of(cut.x[i / 4], i % 2);
            all.y[i] = child_of(cut.y[i / 4], i / 2 % 2);
            flags[i] = crosses_edge(all.x[i], all.y[i], level);
          });
          uses::cpu::select_by_flag(all.x.data(), flags.data(), cut.x.data(), &count, n);
          uses::cpu::select_by_flag(all.y.data(), flags.data(), cut.y.data(), &count, n);
        }
      },
      [&] {
        const auto end = static_cast<std::ptrdiff_t>(count);
        return Pages{{cut.x.begin(), cut.x.begin() + end}, {cut.y.begin(), cut.y.begin() + end}} == expected;
      });

  report.on_devices([&](uses::Device &device) {
    const auto x = device.array<uint>(most), y = device.array<uint>(most), all_x = device.array<uint>(most),
               all_y = device.array<uint>(most), flags = device.array<uchar>(most), count = device.array<uint>(1);
    cl_kernel split =
        device.kernel(std::string(kPages) + "kernel void split(global const uint *x, global const uint *y, global uint *all_x,"
                                            "                  global uint *all_y, global uchar *flags, uint level) {"
                                            "  const uint i = get_global_id(0);"
                                            "  all_x[i] = level == 1 ? i % 2 : child_of(x[i / 4], i % 2);"
                                            "  all_y[i] = level == 1 ? i / 2 % 2 : child_of(y[i / 4], i / 2 % 2);"
                                            "  flags[i] = crosses_edge(all_x[i], all_y[i], level); }");
    const auto run = [=, &device] {
      std::size_t n = 4;
      for (uint level = 1; level <= levels && n > 0; ++level) {
        device.launch(split, n, x, y, all_x, all_y, flags, level);
        uses::require(uses::up::select_by_flag(all_x, flags, x, count, n, device));
        uses::require(uses::up::select_by_flag(all_y, flags, y, count, n, device));
        n = 4 * std::size_t(device.read<uint>(count, 1)[0]);  // the next launch's size
      }
    };
    return std::pair(run, [=, &device, &expected] {
      const std::size_t found = device.read<uint>(count, 1)[0];
      return Pages{device.read<uint>(x, found), device.read<uint>(y, found)} == expected;
    });
  });
  return report.status();
}
