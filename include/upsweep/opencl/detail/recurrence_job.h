// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The job of linear recurrences (kernels/recurrence.cl).
#pragma once

#include <upsweep/opencl/detail/axis_job.h>

namespace upsweep::opencl::detail {

inline const array *ends_of(const std::optional<states> &ends, bool is_initial) {
  if (!ends) return nullptr;
  const array &a = is_initial ? ends->initial : ends->last;
  return a.type.name.empty() ? nullptr : &a;
}

inline Job recurrence_job(const array &a, const array &b, const array &x, std::uint64_t n, const Options &options) {
  Job job;
  Source &source = job.source;
  const element_type state = options.accumulator.value_or(b.type);
  const array *initial = ends_of(options.ends, true), *last = ends_of(options.ends, false);
  source.define_type("UPS_A", a.type);
  source.define_type("UPS_B", b.type);
  source.define_type("UPS_OUT", x.type);
  source.define_type("UPS_T", state);
  source.define("UPS_BACKWARD", options.is_backward ? 1 : 0);
  source.define("UPS_HAS_INITIAL", initial != nullptr ? 1 : 0);
  source.define("UPS_HAS_LAST", last != nullptr ? 1 : 0);
  for (const char *file : {kernels::recurrence, kernels::work_group}) source.add_kernels(file);
  job.arguments.add(a).add(b).add(x);
  initial != nullptr ? job.arguments.add(*initial) : job.arguments.none();
  last != nullptr ? job.arguments.add(*last) : job.arguments.none();
  job.arguments.number(cl_ulong(n - 1));
  job.state_bytes = 2 * state.bytes;
  job.element_bytes = std::max(2 * state.bytes, a.type.bytes);
  job.has_results_of_none = last != nullptr;
  return job;
}

inline cl_int check_recurrence(const Call &call, const array &a, const array &b, const array &x, const AxisPlaces &places) {
  const Options &options = call.options();
  const element_type state = options.accumulator.value_or(b.type);
  const std::uint64_t columns = places.of.batches * places.of.inner;
  const auto ends = [&](bool is_initial, const char *what) {
    const array *given = ends_of(options.ends, is_initial);
    if (given == nullptr) return CL_SUCCESS;
    return first_error(
        [&] { return given->type == state ? CL_SUCCESS : fail(CL_INVALID_VALUE, "upsweep: states have the type of b"); },
        [&] { return require_array(call, *given, columns, what); },
        [&] { return require_apart(*given, columns, x, places.out, what); },
        [&] { return is_initial ? CL_SUCCESS : require_apart(*given, columns, a, places.in, what); },
        [&] { return is_initial ? CL_SUCCESS : require_apart(*given, columns, b, places.in, what); });
  };
  const auto together = [&](const array &in) {
    if (places.in == 0 || (is_same_place(in, x) && places.has_same_strides())) return CL_SUCCESS;
    return require_apart(in, places.in, x, places.out, "input and output");
  };
  return first_error([&] { return require_array(call, a, places.in, "a"); },
                     [&] { return require_array(call, b, places.in, "b"); },
                     [&] { return require_array(call, x, places.out, "the output"); },
                     [&] {
                       return a.type.is_number() && b.type.is_number() && x.type.is_number() && state.is_number()
                                  ? CL_SUCCESS
                                  : fail(CL_INVALID_VALUE, "upsweep: recurrences are of numbers");
                     },
                     [&] { return together(a); }, [&] { return together(b); }, [&] { return ends(true, "the initial states"); },
                     [&] { return ends(false, "the last states"); });
}

inline cl_int run_recurrence_of_axis(Call &call, const array &a, const array &b, const array &x, const AxisPlaces &places,
                                     Options options) {
  const axis &of = places.of;
  if (is_empty(of)) return CL_SUCCESS;
  const bool has_rows = places.has_rows();
  if (!has_rows) options.is_backward = false;  // which columns have from run_columns
  Job job = recurrence_job(a, b, x, of.length, options);
  if (!has_rows) return run_columns(call, job, of, true);
  return of.batches == 1 ? run_pass(call, job, of.length)
                         : run_rows(call, job, {of.batches, of.length, of.in.batch, of.out.batch});
}

}  // namespace upsweep::opencl::detail
