// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The jobs of scans by key and of reductions by key (kernels/by_key.cl).
#pragma once

#include <upsweep/opencl/detail/call_arrays.h>
#include <upsweep/opencl/detail/compact_job.h>
#include <upsweep/opencl/detail/scan_job.h>

namespace upsweep::opencl::detail {

enum class Heads { kByKey = 1, kByFlag, kByLength };

struct KeyCall {
  Heads heads;
  array keys;
  array in;
  array out;
  element_count n = 0;
  operation op;
  element_type total;
  std::optional<initial_value> initial;  // of exclusive scans
  function equal;
  std::uint64_t length = 1;               // of rows
  std::optional<array> out_keys, number;  // of reductions
  bool counts = false;
};

// Whether keys are compared in vectors, and values are contiguous numbers with an operator that has a vector form.
inline bool has_vectors(const KeyCall &c, const Options &options) {
  return c.heads != Heads::kByLength && has_vectors(c.keys) && !c.equal.exists() && (c.counts || has_vectors(c.in)) &&
         c.op.is_named && c.total.is_number() && !options.input.exists() &&
         (c.number || (has_vectors(c.out) && !options.output.exists()));
}

inline Job key_job(const KeyCall &c, const array &keys, const Options &options) {
  Job job;
  Source &source = job.source;
  const bool has_keys = c.heads != Heads::kByLength, reduces = c.number.has_value();
  const element_type none = type_of<std::uint32_t>::value();
  source.define("UPS_HEADS", static_cast<std::uint64_t>(c.heads));
  source.define("UPS_SHORT", std::max(c.n.most, c.length) <= UINT32_MAX ? 1 : 0);
  source.define("UPS_REDUCES", reduces ? 1 : 0);
  source.define("UPS_COUNTS", c.counts ? 1 : 0);
  source.define("UPS_EXCLUSIVE", c.initial ? 1 : 0);
  define_initial(source, c.initial ? &*c.initial : nullptr, c.total);
  source.define_array("UPS_KEY", has_keys ? keys : array(none, cl_mem(nullptr)));
  source.define_array("UPS_IN", c.counts ? array(none, cl_mem(nullptr)) : c.in);
  source.define_array("UPS_OUT", c.out);
  source.define_type("UPS_OUT_KEY", reduces ? c.out_keys->type : none);
  source.define_type("UPS_NUMBER", reduces ? c.number->type : none);
  source.define_type("UPS_T", c.total);
  source.define_type("UPS_COUNT", count_type(c.n.most));
  source.define_conversion_at("UPS_TO_T", c.in.type, c.total, options.input);
  source.define_conversion("UPS_TO_OUT", c.total, c.out.type, options.output);
  if (reduces) source.define_conversion("UPS_TO_OUT_KEY", keys.type, c.out_keys->type);
  source.define_operator(c.op);
  define_equal(source, c.equal);
  for (const char *file : {kernels::operators, kernels::indexed, kernels::chunks, kernels::by_key, kernels::work_group})
    source.add_kernels(file);
  has_keys ? job.arguments.add(keys) : job.arguments.none();
  c.counts ? job.arguments.none() : job.arguments.add(c.in);
  reduces ? job.arguments.add(*c.out_keys) : job.arguments.none();
  job.arguments.add(c.out);
  reduces ? job.arguments.add(*c.number) : job.arguments.none();
  const unsigned char zeros[value::kMaxBytes] = {};
  job.arguments.add(c.initial ? *c.initial : initial_value(value(c.total, zeros)));
  job.arguments.number(cl_ulong(c.n.most)).number(cl_ulong(c.length));
  // A count behind a total, with the padding of both.
  const std::size_t count = count_type(c.n.most).bytes, alignment = std::max(count, c.total.alignment);
  job.state_bytes = (maybe_bytes(c.op, c.total) + count + alignment - 1) / alignment * alignment;
  job.element_bytes = std::max(c.total.bytes, std::size_t(4));
  if (!keys.indices && !c.in.indices && !c.out.indices) {
    if (has_keys) job.chunks.emplace_back("UPS_KEY", keys);
    if (!c.counts) job.chunks.emplace_back("UPS_IN", c.in);
    if (!reduces) job.chunks.emplace_back("UPS_OUT", c.out);
  }
  job.has_results_of_none = reduces;
  if (has_vectors(c, options)) {
    define_lanes(source, c.op, c.total);
    define_streamed(source, c.n.most * c.out.type.bytes);
    job.cpu_tiles = {kernels::lanes, kernels::tiles_by_key};
  }
  return job;
}

inline cl_int check_keys(const Call &call, const KeyCall &c) {
  const std::uint64_t n = c.n.most;
  const array *const keys = if_given(c.heads != Heads::kByLength, c.keys);
  // Scans may be in place; reductions may put the runs' keys where their keys are.
  const unsigned values = c.number ? kApart : kTogether;
  return first_error(
      [&] { return require_number(c.n); }, [&] { return require_type(c.total, "the totals"); },
      [&] { return require_operator(c.op, c.total); },
      [&] { return c.length > 0 ? CL_SUCCESS : fail(CL_INVALID_VALUE, "upsweep: the length of a row must not be 0"); },
      [&] { return c.number ? require_integer(c.number->type, "the number of runs") : CL_SUCCESS; },
      [&] {
        return require_arrays(call, {reads("the input", if_given(!c.counts, c.in), n, values).by_index(),
                                     writes("the output", c.out, n, values).by_index(),
                                     reads("the keys or flags", keys, n, kValuesTogether).by_index(),
                                     writes("the output of keys", if_given(c.out_keys), n, kValuesTogether),
                                     writes("the number of runs", if_given(c.number), 1), reads_number(c.n),
                                     reads_initial(c.initial)});
      });
}

// Flags of bytes at the beginnings of segments.
inline cl_int mark_segments(Call &call, const array &offsets, std::uint64_t segments, std::uint64_t n, array *flags) {
  cl_mem memory = nullptr;
  const unsigned group = static_cast<unsigned>(std::min<std::size_t>(64, call.device().max_group));
  Source source;
  source.define("UPS_GROUP", group);
  source.define("UPS_ITEMS", 1);
  source.define_type("UPS_IN", offsets.type);
  source.add_kernels(kernels::mark_heads);
  std::shared_ptr<Program> program;
  return first_error(
      [&] { return offsets.type.is_integer() ? CL_SUCCESS : fail(CL_INVALID_VALUE, "upsweep: offsets must be integers"); },
      [&] { return require_array(call, offsets, segments, "the offsets"); }, [&] { return call.program(source, &program); },
      [&] { return call.scratch((n + 3) / 4 * 4, &memory); },
      [&] { return call.fill_zeros(memory, 0, std::max<std::size_t>(4, (n + 3) / 4 * 4)); },
      [&] {
        *flags = buffer<std::uint8_t>(memory);
        if (segments == 0) return CL_SUCCESS;
        Arguments arguments;
        arguments.add(offsets).number(cl_ulong(segments)).number(cl_ulong(n)).memory(memory);
        return call.launch(*program, "ups_mark_heads", arguments, (segments + group - 1) / group, group);
      });
}

inline cl_int run_keys(Call &call, const KeyCall &c, const Options &options) {
  array keys = c.keys;
  return first_error([&] { return check_keys(call, c); },
                     [&] { return c.number ? copy_if_same(call, c.keys, *c.out_keys, c.n.most, &keys) : CL_SUCCESS; },
                     [&] {
                       Job job = key_job(c, keys, options);
                       return run_pass(call, job, c.n);
                     });
}

inline cl_int run_keys(const queue &queue, const KeyCall &c, const Options &options) {
  return guarded([&] {
    Call call;
    return first_error([&] { return call.begin(queue, options); }, [&] { return run_keys(call, c, options); },
                       [&] { return call.end(); });
  });
}

inline cl_int run_segments(const queue &queue, KeyCall c, const array &offsets, std::uint64_t segments,
                           const Options &options) {
  return guarded([&] {
    Call call;
    return first_error([&] { return call.begin(queue, options); },
                       [&] { return c.n.most == 0 ? CL_SUCCESS : mark_segments(call, offsets, segments, c.n.most, &c.keys); },
                       [&] { return c.n.most == 0 ? CL_SUCCESS : run_keys(call, c, options); }, [&] { return call.end(); });
  });
}

}  // namespace upsweep::opencl::detail
