// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Selections of many rows on a command queue: the kept elements of each row move to its front, in their order.
//
//   select_if_of_rows       keeps x[i] where predicate(x[i])
//   select_by_flag_of_rows  keeps x[i] where flags[i] is not 0
//
// `in`, `out`  arrays of rows x length elements. They may be the same, and then the input is copied first; otherwise they must
//              not overlap. Elements behind a row's kept ones are not written.
// `flags`      the same, of rows x length flags.
// `kept`       array of `rows` integers: the number of kept elements of each row.
// `rows`       their number; rows x length is at most 2^40.
// `options`    wait_for, signal.
//
// A work-group has a row. If there are fewer rows than compute units, each row of at least kLongRow elements is a selection of
// its own (select.h). Errors: error.h.
#pragma once

#include <upsweep/common/cpp20.h>
#ifdef UPSWEEP_CPP20
#include <upsweep/opencl/detail/compact_job.h>
#include <upsweep/opencl/detail/simple_call.h>

namespace upsweep::opencl {

namespace detail {

struct RowsToSelect {
  Marks marks;
  const array &in, &flags, &out, &kept;
  std::uint64_t rows, length;
  const function &predicate;
};

inline cl_int select_long_rows(Call &call, const RowsToSelect &r, const array &in) {
  cl_int code = CL_SUCCESS;
  const element_count length = r.length;
  for (std::uint64_t row = 0; row < r.rows && code == CL_SUCCESS; ++row) {
    const array from = moved(in, row * r.length), flags = moved(r.flags, row * r.length), to = moved(r.out, row * r.length),
                kept = moved(r.kept, row);
    Job job = compact_job({r.marks, Rejects::kDropped, from, flags, to, to, kept, length, r.predicate}, from);
    code = run_pass(call, job, length);
  }
  return code;
}

inline cl_int select_short_rows(Call &call, const RowsToSelect &r, const array &in) {
  const element_count length = r.length;
  Job job = compact_job({r.marks, Rejects::kDropped, in, r.flags, r.out, r.out, r.kept, length, r.predicate}, in);
  return run_rows(call, job, {r.rows, r.length, r.length, r.length});
}

inline cl_int run_select_of_rows(Call &call, const RowsToSelect &r) {
  const auto elements = static_cast<common::Uint128>(r.rows) * r.length;
  if (elements > kMaxElements || r.rows > kMaxElements)
    return fail(CL_INVALID_VALUE, "upsweep: calls take at most 2^40 elements");
  const element_count n = static_cast<std::uint64_t>(elements);
  array in;
  return first_error(
      // Rows take no elements by index.
      [&] { return require_array(call, r.in, n.most, "the input"); },
      [&] { return require_array(call, r.flags, n.most, "the flags"); },
      [&] { return require_array(call, r.out, n.most, "the output"); },
      [&] {
        const Compaction all{r.marks, Rejects::kDropped, r.in, r.flags, r.out, r.out, r.kept, n, r.predicate};
        return check_compaction(call, all, r.rows);
      },
      [&] { return copy_if_same(call, r.in, r.out, n.most, &in); },
      [&] {
        if (r.rows == 0) return CL_SUCCESS;
        const array flags = n.most > 0 ? marks_beside(r.flags, r.in, in) : r.flags;
        const RowsToSelect rows{r.marks, r.in, flags, r.out, r.kept, r.rows, r.length, r.predicate};
        const bool is_long = r.length >= kLongRow && r.rows < call.device().units;
        return is_long ? select_long_rows(call, rows, in) : select_short_rows(call, rows, in);
      });
}

}  // namespace detail

template <class... Given>
cl_int select_if_of_rows(const array &in, const array &out, const array &kept, std::uint64_t rows, std::uint64_t length,
                         const function &predicate, queue queue, const Given &...options) {
  const auto all = detail::options_of<>(options...);
  const detail::RowsToSelect select{detail::Marks::kPredicate, in, in, out, kept, rows, length, predicate};
  return detail::run_call(queue, all, [&](detail::Call &call) { return detail::run_select_of_rows(call, select); });
}

template <class... Given>
cl_int select_by_flag_of_rows(const array &in, const array &flags, const array &out, const array &kept, std::uint64_t rows,
                              std::uint64_t length, queue queue, const Given &...options) {
  const auto all = detail::options_of<>(options...);
  const function none;
  const detail::RowsToSelect select{detail::Marks::kFlags, in, flags, out, kept, rows, length, none};
  return detail::run_call(queue, all, [&](detail::Call &call) { return detail::run_select_of_rows(call, select); });
}

}  // namespace upsweep::opencl
#endif
