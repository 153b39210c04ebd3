// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Selections of many rows: the kept elements of each row move to its front, in their order.
//
//   select_if_of_rows       keeps x[i] where predicate(x[i])
//   select_by_flag_of_rows  keeps x[i] where flags[i] is not 0
//
// `in`, `out`  random-access iterators to rows x length elements. They may be the same; otherwise they must not overlap.
//              Elements behind a row's kept ones are not written.
// `flags`      pointer to rows x length flags.
// `kept`       pointer to `rows` integers: the number of kept elements of each row.
// `executor`   see executor.h.
//
// Each input is read once, and each kept element is written once. If there are fewer rows than threads, all threads share each
// row of at least a chunk (256 KiB). Errors: see scan.h.
#pragma once

#include <upsweep/common/cpp20.h>
#ifdef UPSWEEP_CPP20
#include <upsweep/cpu/select.h>

namespace upsweep::cpu {

namespace detail {

// Marks of the rows from `first` on, for a selection of one row.
template <class Marks>
struct MarksFrom {
  Marks marks;
  std::uint64_t first;
  void mark(std::uint64_t begin, std::size_t count, std::uint64_t *words) const { marks.mark(first + begin, count, words); }
};

template <class In, class Out, class Marks>
std::uint64_t select_row(In in, Out out, std::uint64_t first, std::uint64_t length, const Marks &marks) {
  using T = std::remove_cv_t<ValueOf<In>>;
  constexpr std::size_t kItems = kMarkedItems<T>;
  const Elements<In> elements{in};
  typename Elements<In>::Buffer buffer;
  Appended<T, Out> to(out, first, false);
  std::uint64_t total = 0;
  for (std::uint64_t i = 0; i < length; i += kItems) {
    const std::size_t n = std::min<std::uint64_t>(kItems, length - i);
    std::uint64_t words[words_of(kItems)];
    std::uint64_t *marked = words;
    marks.mark(first + i, n, marked);
    const T *from = elements.get(first + i, n, buffer);
    const std::uint64_t *which = words;
    T *room = to.room();
    const std::size_t count = UPSWEEP_CPU_DISPATCH(compact, from, which, n, room);
    to.commit(count);
    total += count;
  }
  return total;
}

template <class In, class Out, class Number, class Marks, class Executor>
void select_rows(In in, Out out, Number *kept, std::uint64_t rows, std::uint64_t length, const Marks &marks,
                 const CallArray &beside, Executor &given) {
  auto &executor = executor_for<Out>(given);
  using T = std::remove_cv_t<ValueOf<In>>;
  static_assert(std::is_trivially_copyable_v<T>, "elements must be trivially copyable");
  const std::uint64_t n = rows * length;
  require_arrays({beside, reads("the input", in, n, kTogether), writes("the output", out, n, kTogether),
                  writes("the numbers of elements kept", kept, rows)});
  const bool is_in_place = cpu::detail::is_in_place(in, out, n);
  if (rows < executor.concurrency() && length * sizeof(T) >= kChunkBytes && !is_in_place) {
    for (std::uint64_t row = 0; row < rows; ++row) {
      const auto begin = static_cast<std::ptrdiff_t>(row * length);
      compact<Rejects::kDropped>(in + begin, out + begin, kept + row, length, MarksFrom<Marks>{marks, row * length}, 0, 0, 0,
                                 false, executor);
    }
    return;
  }
  Chunks groups(rows, 1);
  const std::uint64_t row_bytes = std::max<std::uint64_t>(length * sizeof(T), 1);
  groups.size =
      n * sizeof(T) <= kAloneBytes ? std::max<std::uint64_t>(rows, 1) : std::max<std::uint64_t>(kChunkBytes / row_bytes, 1);
  for_each_piece(executor, groups.count(), [&](std::uint64_t group) {
    for (std::uint64_t row = groups.begin(group); row < groups.end(group); ++row) {
      kept[row] = static_cast<Number>(select_row(in, out, row * length, length, marks));
    }
  });
}

}  // namespace detail

template <class In, class Out, class Number, class Predicate, class... More>
void select_if_of_rows(In in, Out out, Number *kept, std::uint64_t rows, std::uint64_t length, Predicate predicate,
                       More &&...more) {
  detail::select_rows(in, out, kept, rows, length, detail::KeepIf<In, Predicate>{in, predicate}, detail::CallArray{"none"},
                      detail::executor_of(more...));
}

template <class In, class Flag, class Out, class Number, class... More>
void select_by_flag_of_rows(In in, const Flag *flags, Out out, Number *kept, std::uint64_t rows, std::uint64_t length,
                            More &&...more) {
  detail::select_rows(in, out, kept, rows, length, detail::KeepIf<const Flag *, detail::IsNotZero>{flags, {}},
                      detail::reads("flags", flags, rows * length, detail::group_with_input(flags, in)),
                      detail::executor_of(more...));
}

}  // namespace upsweep::cpu
#endif
