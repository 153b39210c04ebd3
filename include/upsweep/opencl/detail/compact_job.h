// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The job of selections and partitions (kernels/compact.cl).
#pragma once

#include <upsweep/opencl/detail/pass.h>

namespace upsweep::opencl::detail {

enum class Marks { kPredicate = 1, kFlags, kBits, kStencil, kFirstOfRun };
enum class Rejects { kDropped, kSecond, kEnd, kKeys };

struct Compaction {
  Marks marks;
  Rejects rejects;
  const array &in, &stencil, &out, &second, &number;
  const element_count &n;
  const function &test;  // the predicate, or the comparison of runs; without a text ==
};

// Copies an input that the output overwrites: work-groups read what others have written over.
inline cl_int copy_if_same(Call &call, const array &in, const array &out, std::uint64_t n, array *source) {
  *source = in;
  if (n == 0 || !is_same_place(in, out)) return CL_SUCCESS;
  cl_mem copy = nullptr;
  return first_error([&] { return call.scratch(n * in.type.bytes, &copy); }, [&] { return call.copy(in, copy, n); },
                     [&] {
                       *source = array(in.type, copy);
                       return CL_SUCCESS;
                     });
}

inline element_type count_type(std::uint64_t n) {
  return n >= (std::uint64_t(1) << 32) ? type_of<std::uint64_t>::value() : type_of<std::uint32_t>::value();
}

inline void define_equal(Source &source, const function &equal) {
  source.define("UPS_EQUAL(a, b)", equal.exists() ? equal.name + "(a, b)" : "((a) == (b))");
  source.add_function(equal.text);
}

inline Job compact_job(const Compaction &c, const array &in) {
  Job job;
  Source &source = job.source;
  const bool has_stencil = c.marks != Marks::kPredicate,
             has_second = c.rejects == Rejects::kSecond || c.rejects == Rejects::kKeys;
  const array &stencil = c.marks == Marks::kFirstOfRun && is_same_place(c.stencil, c.in) ? in : c.stencil;
  source.define("UPS_MARKS", static_cast<std::uint64_t>(c.marks));
  source.define("UPS_REJECTS", static_cast<std::uint64_t>(c.rejects));
  source.define_array("UPS_IN", in);
  source.define_array("UPS_OUT", c.out);
  source.define_array("UPS_STENCIL", has_stencil ? stencil : array(in.type, cl_mem(nullptr)));
  source.define_type("UPS_SECOND", has_second ? c.second.type : in.type);
  source.define_type("UPS_NUMBER", c.number.type);
  source.define_type("UPS_T", count_type(c.n.most));
  source.define_conversion("UPS_TO_OUT", in.type, c.out.type);
  if (has_second)
    source.define_conversion("UPS_TO_SECOND", c.rejects == Rejects::kKeys ? stencil.type : in.type, c.second.type);
  source.define_operator(plus{});
  source.define("UPS_NATIVE", "add");
  if (c.marks == Marks::kFirstOfRun) {
    define_equal(source, c.test);
  } else if (c.test.exists()) {
    source.define("UPS_PREDICATE(x)", c.test.name + "(x)");
    source.add_function(c.test.text);
  }
  for (const char *file : {kernels::operators, kernels::plain_state, kernels::marked, kernels::indexed, kernels::chunks,
                           kernels::compact, kernels::work_group})
    source.add_kernels(file);
  job.arguments.add(in);
  has_stencil ? job.arguments.add(stencil) : job.arguments.none();
  job.arguments.add(c.out);
  has_second ? job.arguments.add(c.second) : job.arguments.none();
  job.arguments.add(c.number).number(cl_ulong(c.n.most - 1));
  job.state_bytes = count_type(c.n.most).bytes;
  job.element_bytes = in.type.bytes;
  job.cpu_tiles = {kernels::tiles_compact};
  // The keys of selections by key are not exchanged, nor are elements that are larger than the stage's alignment.
  if (in.type.bytes <= 16 && !in.indices && !stencil.indices && c.rejects != Rejects::kKeys) {
    job.chunks = {{"UPS_IN", in}};
    if (has_stencil && c.marks != Marks::kBits) job.chunks.emplace_back("UPS_STENCIL", stencil);
    job.exchanged_bytes = in.type.bytes;
  }
  job.has_results_of_none = true;
  return job;
}

inline cl_int check_compaction(const Call &call, const Compaction &c) {
  const bool may_be_same = c.rejects == Rejects::kDropped;
  const std::uint64_t stencil_count = c.marks == Marks::kBits ? (c.n.most + 31) / 32 : c.n.most, n = c.n.most;
  return first_error(
      [&] { return require_count(call, c.n, c.out, n); }, [&] { return require_elements(call, c.in, n, "the input"); },
      [&] { return require_elements(call, c.out, n, "the output"); },
      [&] { return require_array(call, c.number, 1, "the number"); },
      [&] { return c.number.type.is_integer() ? CL_SUCCESS : fail(CL_INVALID_VALUE, "upsweep: the number is no integer"); },
      [&] {
        return may_be_same ? require_same_or_apart(c.in, c.out, n, "input and output")
                           : require_apart(c.in, n, c.out, n, "input and output");
      },
      [&] { return require_apart(c.in, n, c.number, 1, "input and number"); },
      [&] { return require_apart(c.out, n, c.number, 1, "output and number"); },
      [&] { return require_count_apart(c.n, c.number, 1); },
      [&] {
        if (c.marks == Marks::kPredicate) return CL_SUCCESS;
        const cl_int code = require_elements(call, c.stencil, stencil_count, "the flags, stencil or keys");
        if (code != CL_SUCCESS || is_same_place(c.stencil, c.in)) return code;
        return require_apart(c.stencil, stencil_count, c.out, n, "flags, stencil or keys, and output");
      },
      [&] {
        if (c.rejects != Rejects::kSecond && c.rejects != Rejects::kKeys) return CL_SUCCESS;
        return first_error([&] { return require_array(call, c.second, n, "the second output"); },
                           [&] { return require_count_apart(c.n, c.second, n); },
                           [&] { return require_apart(c.in, n, c.second, n, "input and second output"); },
                           [&] { return require_apart(c.out, n, c.second, n, "both outputs"); });
      });
}

inline cl_int run_compaction(const queue &queue, const Compaction &c, const Options &options) {
  return guarded([&] {
    Call call;
    array in;
    return first_error([&] { return call.begin(queue, options); }, [&] { return check_compaction(call, c); },
                       [&] { return copy_if_same(call, c.in, c.out, c.n.most, &in); },
                       [&] {
                         Job job = compact_job(c, in);
                         return run_pass(call, job, c.n);
                       },
                       [&] { return call.end(); });
  });
}

}  // namespace upsweep::opencl::detail
