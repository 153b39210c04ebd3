// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Partitions into three parts on a command queue, each in the order of the input.
//
//   stable_partition_in_three   first: is_first(x[i]); second: is_second(x[i]) among the others; third: the rest
//
// `in`                        array of n elements, up to 2^32 - 1.
// `first`, `second`, `third`  arrays with room for n elements; no arrays overlap.
// `kept`                      array of two integers, which become the numbers of elements of the first and the second part.
// `is_first`, `is_second`     up::function("name", "bool name(IN x) { ... }").
// `options`                   wait_for, signal.
//
// Each element is read once if the device permits a single launch. Workspace and errors: scan.h.
#pragma once

#include <upsweep/common/cpp20.h>
#ifdef UPSWEEP_CPP20
#include <upsweep/opencl/detail/call_arrays.h>
#include <upsweep/opencl/detail/compact_job.h>

namespace upsweep::opencl {

namespace detail {

struct ThreeWays {
  const array &in, &first, &second, &third, &kept;
  const element_count &n;
  const function &is_first, &is_second;
};

inline cl_int check_three_ways(const Call &call, const ThreeWays &t) {
  const std::uint64_t n = t.n.most;
  cl_int code = n <= UINT32_MAX ? require_number(t.n)
                                : fail(CL_INVALID_VALUE, "upsweep: a partition in three takes at most 2^32 - 1 elements");
  if (code == CL_SUCCESS) code = require_integer(t.kept.type, "the numbers of elements");
  if (code == CL_SUCCESS) {
    code = require_arrays(call, {reads("the input", t.in, n), writes("the first part", t.first, n),
                                 writes("the second part", t.second, n), writes("the third part", t.third, n),
                                 writes("the numbers of elements", t.kept, 2), reads_number(t.n)});
  }
  if (code == CL_SUCCESS && !(t.is_first.exists() && t.is_second.exists())) {
    code = fail(CL_INVALID_VALUE, "upsweep: a predicate has no name");
  }
  return code;
}

inline cl_int run_three_ways(Call &call, const ThreeWays &t) {
  const cl_int code = check_three_ways(call, t);
  if (code != CL_SUCCESS) return code;
  Job job;
  Source &source = job.source;
  source.define_type("UPS_IN", t.in.type);
  source.define_type("UPS_OUT", t.first.type);
  source.define_type("UPS_SECOND", t.second.type);
  source.define_type("UPS_THIRD", t.third.type);
  source.define_type("UPS_NUMBER", t.kept.type);
  source.define_type("UPS_T", type_of<std::uint64_t>::value());
  source.define_conversion("UPS_TO_OUT", t.in.type, t.first.type);
  source.define_conversion("UPS_TO_SECOND", t.in.type, t.second.type);
  source.define_conversion("UPS_TO_THIRD", t.in.type, t.third.type);
  source.define("UPS_IS_FIRST(x)", t.is_first.name + "(x)");
  source.define("UPS_IS_SECOND(x)", t.is_second.name + "(x)");
  source.add_function(t.is_first.text);
  source.add_function(t.is_second.text);
  source.define_operator(plus{});
  source.define("UPS_NATIVE", "add");
  for (const char *file : {kernels::operators, kernels::plain_state, kernels::marked, kernels::three_way, kernels::work_group})
    source.add_kernels(file);
  job.arguments.add(t.in).add(t.first).add(t.second).add(t.third).add(t.kept);
  job.state_bytes = 8;
  job.element_bytes = std::max<std::size_t>(8, t.in.type.bytes);
  job.takes_lanes = true;
  job.has_results_of_none = true;
  return run_pass(call, job, t.n);
}

}  // namespace detail

template <class... Given>
cl_int stable_partition_in_three(const array &in, const array &first, const array &second, const array &third,
                                 const array &kept, const element_count &n, const function &is_first, const function &is_second,
                                 queue queue, const Given &...options) {
  const auto all = detail::options_of<>(options...);
  const detail::ThreeWays ways{in, first, second, third, kept, n, is_first, is_second};
  return detail::run_call(queue, all, [&](detail::Call &call) { return detail::run_three_ways(call, ways); });
}

}  // namespace upsweep::opencl
#endif
