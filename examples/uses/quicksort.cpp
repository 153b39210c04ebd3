// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Quicksort by segments (Blelloch 1990): each step splits all segments. A segmented scan copies the first key of a segment to
// all its keys, as the pivot. Another scan counts the keys below and equal to the pivot, which gives each key its place in
// three new segments. Steps end when no key is less than its predecessor.
#include "report.h"

#include <upsweep/cpu/find.h>
#include <upsweep/opencl/find.h>
#include <upsweep/opencl/segments.h>

#include <numeric>

namespace {

// Two counts in a number: keys below the pivot in the high half, keys equal to it in the low half.
// clang-format off
USES_SHARED(kSplit,
inline uint first_of(uint first, uint then) { return first; }
inline ulong kind_of(uint key, uint pivot) { return key < pivot ? 1UL << 32 : key == pivot ? 1UL : 0UL; }
// The place of key i of a segment that starts at `begin`, from the counts up to the key and the counts of the whole segment.
inline uint place_of(ulong kind, uint i, uint begin, ulong counts, ulong whole) {
  const uint below = (uint)(counts >> 32);
  const uint equal = (uint)counts;
  if (kind > 1) return begin + below - 1;
  if (kind == 1) return begin + (uint)(whole >> 32) + equal - 1;
  return i + (uint)(whole >> 32) - below + (uint)whole - equal;
}
inline uchar is_head(uint place, uint begin, ulong whole) {
  const uint below = (uint)(whole >> 32);
  return place == begin || place == begin + below || place == begin + below + (uint)whole;
}
)
// clang-format on

// The step by threads.
struct Splitter {
  std::vector<uint> keys, pivots, begins, moved, numbers;
  std::vector<ulong> kinds, counts, whole;
  std::vector<uchar> heads, next;

  explicit Splitter(const std::vector<uint> &in)
      : keys(in), pivots(in.size()), begins(in.size()), moved(in.size()), numbers(in.size()), kinds(in.size()),
        counts(in.size()), whole(in.size()), heads(in.size()), next(in.size()) {
    std::iota(numbers.begin(), numbers.end(), 0U);
    heads[0] = 1;
  }
  void step() {
    const std::size_t n = keys.size();
    uses::cpu::inclusive_scan_by_flag(heads.data(), keys.data(), pivots.data(), n, first_of);
    uses::cpu::inclusive_scan_by_flag(heads.data(), numbers.data(), begins.data(), n, first_of);
    uses::for_all(n, [&](std::size_t i) { kinds[i] = kind_of(keys[i], pivots[i]); });
    uses::cpu::inclusive_scan_by_flag(heads.data(), kinds.data(), counts.data(), n, uses::cpu::plus{});
    uses::for_all(n, [&](std::size_t i) {
      if (i + 1 == n || heads[i + 1] != 0) whole[begins[i]] = counts[i];
    });
    uses::for_all(n, [&](std::size_t i) {
      const uint place = place_of(kinds[i], static_cast<uint>(i), begins[i], counts[i], whole[begins[i]]);
      moved[place] = keys[i];
      next[place] = is_head(place, begins[i], whole[begins[i]]);
    });
    keys.swap(moved);
    heads.swap(next);
  }
  bool is_sorted() {
    uint place = 0;
    uses::for_all(keys.size(), [&](std::size_t i) { next[i] = i > 0 && keys[i] < keys[i - 1]; });
    uses::cpu::find_if(next.data(), &place, keys.size(), [](uchar is_less) { return is_less != 0; });
    return place == keys.size();
  }
};

const std::string kKernels = std::string(kSplit) + R"(
kernel void kind(global const uint *keys, global const uint *pivots, global ulong *kinds) {
  const uint i = get_global_id(0);
  kinds[i] = kind_of(keys[i], pivots[i]);
}
kernel void total(global const uchar *heads, global const uint *begins, global const ulong *counts, global ulong *whole, uint n) {
  const uint i = get_global_id(0);
  if (i + 1 == n || heads[i + 1]) whole[begins[i]] = counts[i];
}
kernel void move(global const uint *keys, global const ulong *kinds, global const uint *begins, global const ulong *counts,
                 global const ulong *whole, global uint *moved, global uchar *heads) {
  const uint i = get_global_id(0), begin = begins[i], place = place_of(kinds[i], i, begin, counts[i], whole[begin]);
  moved[place] = keys[i];
  heads[place] = is_head(place, begin, whole[begin]);
}
kernel void less(global const uint *keys, global uchar *is_less) {
  const uint i = get_global_id(0);
  is_less[i] = i > 0 && keys[i] < keys[i - 1];
})";

}  // namespace

int main(int argc, char **argv) {
  const std::size_t n = uses::elements(argc, argv);
  std::mt19937 engine(9);
  std::vector<uint> in(n), numbers(n);
  for (uint &key : in) {
    key = engine() % (1U << 24);
  }
  std::iota(numbers.begin(), numbers.end(), 0U);
  auto expected = in;
  std::sort(expected.begin(), expected.end());
  uses::Report report(argc, argv, "quicksort", 8 * n);

  Splitter splitter(in);
  report.by_threads(
      [&] {
        for (splitter = Splitter(in); !splitter.is_sorted();) splitter.step();
      },
      [&] { return splitter.keys == expected; });

  report.on_devices([&](uses::Device &device) {
    const auto unsorted = device.array(in), numbered = device.array(numbers), pivots = device.array<uint>(n),
               begins = device.array<uint>(n), one = device.array<uint>(n), two = device.array<uint>(n),
               kinds = device.array<ulong>(n), counts = device.array<ulong>(n), whole = device.array<ulong>(n),
               first = device.array<uchar>(n), second = device.array<uchar>(n), place = device.array<uint>(1);
    cl_kernel kind = device.kernel(kKernels, "kind"), total = device.kernel(kKernels, "total"),
              move = device.kernel(kKernels, "move"), less = device.kernel(kKernels, "less");
    cl_kernel start = device.kernel("kernel void start(global const uint *in, global uint *keys, global uchar *heads) {"
                                    "  const size_t i = get_global_id(0);"
                                    "  keys[i] = in[i];"
                                    "  heads[i] = i == 0; }");
    const auto run = [=, &device] {
      auto keys = one, moved = two, heads = first, next = second;
      device.launch(start, n, unsorted, keys, heads);
      while (true) {
        device.launch(less, n, keys, next);
        uses::require(uses::up::find_if(next, place, n, {"is_set", "bool is_set(uchar x) { return x != 0; }"}, device));
        if (device.read<uint>(place, 1)[0] == n) break;
        const uses::up::operation copy("first_of", kSplit);
        uses::require(uses::up::inclusive_scan_by_flag(heads, keys, pivots, n, copy, device));
        uses::require(uses::up::inclusive_scan_by_flag(heads, numbered, begins, n, copy, device));
        device.launch(kind, n, keys, pivots, kinds);
        uses::require(uses::up::inclusive_scan_by_flag(heads, kinds, counts, n, uses::up::plus{}, device));
        device.launch(total, n, heads, begins, counts, whole, static_cast<uint>(n));
        device.launch(move, n, keys, kinds, begins, counts, whole, moved, next);
        std::swap(keys, moved);
        std::swap(heads, next);
      }
      if (keys.memory != one.memory) device.copy(keys, one, n);
    };
    return std::pair(run, [=, &device, &expected] { return device.read<uint>(one, n) == expected; });
  });
  return report.status();
}
