// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The job of linear recurrences (kernels/recurrence.cl).
#pragma once

#include <upsweep/opencl/detail/axis_job.h>
#include <upsweep/opencl/detail/call_arrays.h>

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

inline cl_int check_recurrence(const Call &call, const array &a, const array &b, const array &x, const AxisPlaces &places,
                               const CallArray &beside = {}) {
  const Options &options = call.options();
  const element_type state = options.accumulator.value_or(b.type);
  const std::uint64_t columns = places.of.batches * places.of.inner;
  const array *const initial = ends_of(options.ends, true), *const last = ends_of(options.ends, false);
  const bool are_numbers = a.type.is_number() && b.type.is_number() && x.type.is_number() && state.is_number();
  const bool are_states = (initial == nullptr || initial->type == state) && (last == nullptr || last->type == state);
  const unsigned group = places.has_same_strides() ? kTogether : kApart;
  if (!are_numbers) return fail(CL_INVALID_VALUE, "upsweep: a recurrence needs arrays of numbers");
  if (!are_states) return fail(CL_INVALID_VALUE, "upsweep: initial and last states must have the type of b, or of accumulator");
  // The last states may go where the first ones are.
  return require_arrays(call, {reads("a", a, places.in, group), reads("b", b, places.in, group),
                               writes("the output", x, places.out, group),
                               reads("the initial states", initial, columns, kValuesTogether),
                               writes("the last states", last, columns, kValuesTogether), beside});
}

inline cl_int run_recurrence_of_axis(Call &call, const array &a, const array &b, const array &x, const AxisPlaces &places,
                                     Options options) {
  const axis &of = places.of;
  if (is_empty(of)) return CL_SUCCESS;
  const bool has_rows = places.has_rows();
  if (!has_rows) options.is_backward = false;  // columns get these from run_columns
  Job job = recurrence_job(a, b, x, of.length, options);
  if (!has_rows) return run_columns(call, job, of, true);
  return of.batches == 1 ? run_pass(call, job, of.length)
                         : run_rows(call, job, {of.batches, of.length, of.in.batch, of.out.batch});
}

}  // namespace upsweep::opencl::detail
