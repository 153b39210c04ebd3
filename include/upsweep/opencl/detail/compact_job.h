// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The job of selections and partitions (kernels/compact.cl).
#pragma once

#include <upsweep/opencl/detail/call_arrays.h>
#include <upsweep/opencl/detail/pass.h>

namespace upsweep::opencl::detail {

enum class Marks { kPredicate = 1, kFlags, kBits, kStencil, kFirstOfRun };
enum class Rejects { kDropped, kSecond, kEnd, kKeys };

struct Compaction {
  Marks marks;
  Rejects rejects;
  const array &in, &stencil, &out, &second, &number;
  const element_count &n;
  const function &test;  // the predicate, or the comparison of runs; without a text it is ==
};

// Copies an input that the output overwrites, since work-groups would read elements that others have overwritten.
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

// The flags, stencil or keys, which the output may overwrite with the input.
inline array marks_beside(const array &marks, const array &in, const array &copy_of_in) {
  if (!is_same_place(marks, in)) return marks;
  array beside = copy_of_in;
  beside.type = marks.type;
  return beside;
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
  const array stencil = has_stencil && c.n.most > 0 ? marks_beside(c.stencil, c.in, in) : c.stencil;
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
  // Keys of selections by key, and elements larger than the stage's alignment, are not exchanged.
  if (in.type.bytes <= 16 && !in.indices && !stencil.indices && c.rejects != Rejects::kKeys) {
    job.chunks = {{"UPS_IN", in}};
    if (has_stencil && c.marks != Marks::kBits) job.chunks.emplace_back("UPS_STENCIL", stencil);
    job.exchanged_bytes = in.type.bytes;
  }
  job.has_results_of_none = true;
  return job;
}

inline cl_int check_compaction(const Call &call, const Compaction &c, std::uint64_t numbers = 1) {
  const std::uint64_t n = c.n.most, marks = c.marks == Marks::kBits ? (n + 31) / 32 : n;
  const unsigned together = c.rejects == Rejects::kDropped ? kTogether : kApart;
  const bool has_marks = c.marks != Marks::kPredicate,
             has_second = c.rejects == Rejects::kSecond || c.rejects == Rejects::kKeys;
  // Marks that are the input are copied with it before it is overwritten.
  const unsigned marks_group = n > 0 && has_marks && is_same_place(c.stencil, c.in) ? together : kApart;
  return first_error(
      [&] { return require_number(c.n); }, [&] { return require_integer(c.number.type, "the number of elements kept"); },
      [&] {
        return require_arrays(
            call, {reads("the input", c.in, n, together).by_index(), writes("the output", c.out, n, together).by_index(),
                   reads("the flags, stencil or keys", if_given(has_marks, c.stencil), marks, marks_group).by_index(),
                   writes("the second output", if_given(has_second, c.second), n),
                   writes("the number of elements kept", c.number, numbers), reads_number(c.n)});
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
