// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The job of scans and of reductions (kernels/scan.cl).
#pragma once

#include <upsweep/opencl/detail/pass.h>

namespace upsweep::opencl {

namespace detail {

// The type of totals, by one rule for all calls: `made` is the type of the initial value, or else of the elements. Sums and
// products of integers take a wider integer type of the output, and 64 bits if its elements are floating-point numbers.
inline element_type total_of(const element_type &made, const array &out, const operation &op, const Options &options) {
  if (options.accumulator) return *options.accumulator;
  if (!op.is_arithmetic() || !made.is_integer() || options.output.exists()) return made;
  if (out.type.is_floating_point()) return integer_type(8, made.is_signed_integer());
  return out.type.is_integer() && out.type.bytes > made.bytes ? out.type : made;
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

// Whether operands may change places: the named operators do, and give the same bits for integers, and for the same brackets.
inline bool commutes(const operation &op) { return op.is_named; }

struct ScanCall {
  const array &in, &out;
  const element_count &n;
  const operation &op;
  element_type total;
  const initial_value *initial;  // of exclusive scans
  bool is_exclusive;
};

// Whether elements are numbers side by side, which OpenCL C converts, and the operator has a vector form.
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
    // A struct becomes a number by the function that makes the output's elements.
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

inline cl_int check_scan(const Call &call, const ScanCall &scan) {
  const Options &options = call.options();
  const std::uint64_t n = scan.n.most;
  return first_error(
      [&] { return require_count(call, scan.n, scan.out, n); }, [&] { return require_type(scan.total, "the totals"); },
      [&] { return require_elements(call, scan.in, n, "the input"); },
      [&] { return require_elements(call, scan.out, n, "the output"); },
      [&] {
        return scan.op.takes(scan.total) ? CL_SUCCESS : fail(CL_INVALID_VALUE, "upsweep: the operator does not take this type");
      },
      [&] { return require_same_or_apart(scan.in, scan.out, n, "input and output"); },
      [&] {
        if (scan.initial == nullptr || !scan.initial->at) return CL_SUCCESS;
        return first_error([&] { return require_array(call, *scan.initial->at, 1, "the initial value"); },
                           [&] { return require_apart(*scan.initial->at, 1, scan.out, n, "initial value and output"); });
      },
      [&] {
        if (!options.total) return CL_SUCCESS;
        return first_error([&] { return require_array(call, *options.total, 1, "the total"); },
                           [&] { return require_apart(scan.in, n, *options.total, 1, "input and total"); },
                           [&] { return require_apart(scan.out, n, *options.total, 1, "output and total"); });
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
