// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scans over ranks that start again at marked elements. A part's total is that of its last segment. The elements before a
// part's first mark are scanned from the total of the segment that they continue, and the rest as on one rank.
#pragma once

#include <upsweep/distributed/detail/borders.h>
#include <upsweep/distributed/detail/scan_parts.h>

namespace upsweep::distributed::detail {

// Segments are runs of equal keys.
template <class Key, class Equal>
struct HeadsByKey {
  static_assert(std::is_trivially_copyable_v<Key>, "keys must be trivially copyable");
  const Key *keys;
  Equal equal;

  using Border = Ends<Key>;
  Border border(std::uint64_t n) const { return ends_of(keys, n); }
  bool continues(const Border &before, const Border &own) const { return equal(before.last, own.first); }
  auto marks(std::uint64_t from) const { return cpu::detail::KeepFirstOfRun<const Key *, Equal>{keys + from, equal}; }
  cpu::detail::CallArray array(std::uint64_t n) const { return cpu::detail::reads("keys", keys, n); }
};

// Segments begin where a flag is not 0.
template <class Flag>
struct HeadsByFlag {
  const Flag *flags;

  struct Border {
    bool starts = false, has_any = false;
  };
  Border border(std::uint64_t n) const { return {n > 0 && cpu::detail::IsNotZero()(flags[0]), n > 0}; }
  bool continues(const Border &, const Border &own) const { return !own.starts; }
  auto marks(std::uint64_t from) const { return cpu::detail::KeepIf<const Flag *, cpu::detail::IsNotZero>{flags + from, {}}; }
  cpu::detail::CallArray array(std::uint64_t n) const { return cpu::detail::reads("flags", flags, n); }
};

template <class T, class Border>
struct SegmentedPart {
  Border border;
  PartTotal<T> last;      // of the last segment; with the initial value if the segment begins behind the part's first element
  bool has_head = false;  // behind the first element
};

// The total before a rank, of the segment that its first element continues; unknown if a segment begins there.
template <bool kInclusive, class T, class Heads, class Op>
PartTotal<T> segment_before(const std::vector<SegmentedPart<T, typename Heads::Border>> &parts, unsigned rank,
                            const Heads &heads, const T *initial, const Op &op) {
  PartTotal<T> total;
  const typename Heads::Border *before = nullptr;
  for (unsigned r = 0; r <= rank; ++r) {
    const auto &part = parts[r];
    if (!part.border.has_any) {
      continue;
    }
    const bool starts = before == nullptr || !heads.continues(*before, part.border);
    if (r == rank) {
      return starts ? PartTotal<T>{} : total;
    }
    if (part.has_head) {
      total = part.last;
    } else if (!starts) {
      total = join(total, part.last, op);
    } else if (kInclusive) {
      total = part.last;
    } else {
      total = join({*initial, true}, part.last, op);
    }
    before = &part.border;
  }
  return {};
}

template <class T, bool kInclusive, class C, class In, class Out, class Op, class Heads, class Executor, class... More>
void segmented_scan(C &ranks, const char *name, In in, Out out, std::uint64_t n, Op op, const T *initial, const Heads &heads,
                    Executor &executor, More &...more) {
  static_assert(std::is_trivially_copyable_v<T>, "totals must be trivially copyable");
  const auto transform = find_option<transform_input>(transform_input<Unchanged>(Unchanged{}), more...).function;
  Call<C> call(ranks, name, scan_hash<T, kInclusive, Op, More...>());
  const auto parts = call.gather([&] {
    using namespace cpu::detail;
    require_arrays({heads.array(n), reads("the input", in, n, kTogether), writes("the output", out, n, kTogether)});
    SegmentedPart<T, typename Heads::Border> own;
    own.border = heads.border(n);
    if (n > 0) {
      const std::uint64_t head = find_head<false>(heads.marks(0), n, sizeof(T), executor);
      own.has_head = head > 0;
      const bool has_initial = !kInclusive && own.has_head;
      cpu::detail::reduce(in + static_cast<std::ptrdiff_t>(head), &own.last.value, n - head, op,
                          has_initial ? initial : nullptr, transform, executor);
      own.last.is_known = true;
    }
    return own;
  });
  call.agree([&] {
    const PartTotal<T> before = segment_before<kInclusive>(parts, call.rank(), heads, initial, op);
    std::uint64_t begin = 0;
    if (before.is_known) {
      begin = find_head<true>(heads.marks(0), n, sizeof(T), executor);
      cpu::detail::scan<T, kInclusive>(in, out, begin, op, &before.value, executor, more...);
    }
    const auto from = static_cast<std::ptrdiff_t>(begin);
    cpu::detail::segmented_scan<T, kInclusive>(in + from, out + from, n - begin, op, initial, heads.marks(begin),
                                               cpu::detail::CallArray{"none"}, executor, more...);
  });
}

}  // namespace upsweep::distributed::detail
