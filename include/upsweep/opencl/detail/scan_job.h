// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The job of scans and of reductions (kernels/scan.cl).
#pragma once

#include <upsweep/common/totals.h>
#include <upsweep/opencl/detail/call_arrays.h>
#include <upsweep/opencl/detail/pass.h>

namespace upsweep::opencl {

namespace detail {

inline common::number_type number_type_of(const element_type &type) {
  const common::number_kind kind = type.is_integer()          ? common::number_kind::integer
                                   : type.is_floating_point() ? common::number_kind::floating_point
                                                              : common::number_kind::other;
  return {kind, static_cast<unsigned>(8 * type.bytes)};
}

// The type of totals: `made` is the type of the initial value, or else of the elements (common/totals.h).
inline element_type total_of(const element_type &made, const array &out, const operation &op, const Options &options) {
  if (options.accumulator) return *options.accumulator;
  if (!op.is_arithmetic() || options.output.exists()) return made;
  switch (common::total_for(number_type_of(made), number_type_of(out.type))) {
  case common::total_type::of_output: return out.type;
  case common::total_type::of_64_bits: return integer_type(8, made.is_signed_integer());
  case common::total_type::of_operands: break;
  }
  return made;
}
inline element_type total_type(const array &in, const array &out, const operation &op, const Options &options) {
  return total_of(in.type, out, op, options);
}

// The initial value, which may have another type than totals.
inline void define_initial(Source &source, const initial_value *initial, const element_type &total) {
  if (initial == nullptr) return;
  if (initial->at) source.define("UPS_INITIAL_AT", 1);
  if (initial->type != total) source.define_type("UPS_INITIAL_TYPE", initial->type);
}

// Whether operands may be swapped. Named operators commute: for integers the bits are always the same, and for other numbers if
// the brackets are.
inline bool commutes(const operation &op) { return op.is_named; }

struct ScanCall {
  const array &in, &out;
  const element_count &n;
  const operation &op;
  element_type total;
  const initial_value *initial;  // of exclusive scans
  bool is_exclusive;
};

// Whether elements are contiguous numbers, which OpenCL C converts, and the operator has a vector form.
inline bool has_vectors(const ScanCall &scan, const Options &options) {
  return scan.op.is_named && has_vectors(scan.in) && has_vectors(scan.out) && !options.input.exists() &&
         !options.output.exists();
}

inline Job scan_job(const ScanCall &scan, const Options &options) {
  Job job;
  Source &source = job.source;
  source.define_array("UPS_IN", scan.in);
  source.define_array("UPS_OUT", scan.out);
  source.define_type("UPS_T", scan.total);
  source.define_conversion_at("UPS_TO_T", scan.in.type, scan.total, options.input);
  source.define_conversion("UPS_TO_OUT", scan.total, scan.out.type, options.output);
  source.define_operator(scan.op);
  source.define("UPS_EXCLUSIVE", scan.is_exclusive ? 1 : 0);
  source.define("UPS_BACKWARD", options.is_backward ? 1 : 0);
  source.define("UPS_HAS_INITIAL", scan.initial != nullptr ? 1 : 0);
  define_initial(source, scan.initial, scan.total);
  if (const char *native = native_suffix(scan.op, scan.total)) source.define("UPS_NATIVE", native);
  if (options.total) {
    source.define_type("UPS_TOTAL", options.total->type);
    // The function that makes the output's elements turns a struct into a number.
    const bool converts = scan.total.is_number() || scan.total == options.total->type;
    source.define_conversion("UPS_TO_TOTAL", scan.total, options.total->type, converts ? function() : options.output);
  }
  for (const char *file :
       {kernels::operators, kernels::plain_state, kernels::indexed, kernels::chunks, kernels::scan, kernels::work_group})
    source.add_kernels(file);
  job.arguments.add(scan.in).add(scan.out);
  if (options.total) {
    job.arguments.add(*options.total);
  } else {
    job.arguments.none();
  }
  const unsigned char zeros[value::kMaxBytes] = {};
  job.arguments.add(scan.initial != nullptr ? *scan.initial : initial_value(value(scan.total, zeros)));
  job.arguments.number(cl_ulong(scan.n.most - 1));
  job.state_bytes = maybe_bytes(scan.op, scan.total);
  job.element_bytes = std::max(scan.in.type.bytes, scan.total.bytes);
  if (has_vectors(scan, options)) {
    define_lanes(source, scan.op, scan.total);
    define_streamed(source, scan.n.most * scan.out.type.bytes);
    job.cpu_tiles = {kernels::lanes, kernels::tiles_vectors};
  }
  if (!scan.in.indices && !scan.out.indices) job.chunks = {{"UPS_IN", scan.in}, {"UPS_OUT", scan.out}};
  job.has_results_of_none = options.total.has_value() && scan.initial != nullptr;
  return job;
}

inline cl_int require_operator(const operation &op, const element_type &total) {
  return op.takes(total) ? CL_SUCCESS : fail(CL_INVALID_VALUE, "upsweep: the operator does not support the type of totals");
}

inline cl_int check_scan(const Call &call, const ScanCall &scan) {
  const Options &options = call.options();
  const std::uint64_t n = scan.n.most;
  // A scan may begin with the total of an earlier scan, and replace it by its own.
  return first_error([&] { return require_number(scan.n); }, [&] { return require_type(scan.total, "the totals"); },
                     [&] { return require_operator(scan.op, scan.total); },
                     [&] {
                       return require_arrays(call, {reads("the input", scan.in, n, kTogether).by_index(),
                                                    writes("the output", scan.out, n, kTogether).by_index(),
                                                    reads_number(scan.n), reads_initial(scan.initial, kValuesTogether),
                                                    writes("the total", if_given(options.total), 1, kValuesTogether)});
                     });
}

inline cl_int run_scan(const queue &queue, const ScanCall &scan, const Options &options) {
  return guarded([&] {
    Call call;
    return first_error([&] { return call.begin(queue, options); }, [&] { return check_scan(call, scan); },
                       [&] {
                         Job job = scan_job(scan, options);
                         return run_pass(call, job, scan.n);
                       },
                       [&] { return call.end(); });
  });
}

}  // namespace detail

}  // namespace upsweep::opencl
