// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first elements of each row's sort, or one element (kernels/rank_of_rows.cl, kernels/select_rank.cl, rows.cl).
#pragma once

#include <upsweep/opencl/detail/rank_job.h>
#include <upsweep/opencl/detail/segment_sort_job.h>

namespace upsweep::opencl::detail {

// Treats each row as a separate array.
inline cl_int rank_long_rows(Call &call, const RankCall &r) {
  cl_int code = CL_SUCCESS;
  for (std::uint64_t row = 0; row < r.rows && code == CL_SUCCESS; ++row) {
    const std::uint64_t in = row * r.n.most, out = row * r.results();
    const array keys_in = moved(r.keys_in, in), values_in = moved(r.values_in, in), keys_out = moved(r.keys_out, out),
                values_out = moved(r.values_out, out);
    const RankCall one{keys_in, keys_out, values_in, values_out, r.n, r.wanted, r.is_nth, r.values};
    code = Rank(call, one).run();
  }
  return code;
}

inline cl_int find_ranks_of_rows(Call &call, const RankCall &r, cl_mem *state) {
  const std::vector<KeyPart> parts = parts_of_key(r.keys_in.type, call.options());
  const Shape shape = simple_shape(call, 256, 1, true);
  Source source;
  define_key_order(source, r.keys_in.type, parts, call.options().is_descending);
  define_shape(source, shape, call.how());
  for (const char *file : {kernels::keys, kernels::rank_state, kernels::rank_of_rows}) source.add_kernels(file);
  std::shared_ptr<Program> program;
  return first_error([&] { return call.program(source, &program); },
                     [&] { return call.scratch(r.rows * (kFound + parts.size()) * sizeof(cl_ulong), state); },
                     [&] {
                       Arguments arguments;
                       const std::uint64_t rank = r.is_nth ? r.wanted : r.wanted - 1;
                       arguments.add(r.keys_in).number(cl_ulong(r.n.most)).number(cl_ulong(rank)).memory(*state);
                       return call.launch(*program, "ups_rank_of_rows", arguments, r.rows, shape.group);
                     });
}

inline cl_int rank_short_rows(Call &call, const RankCall &r) {
  array keys, values;
  cl_mem state = nullptr;
  return first_error([&] { return find_ranks_of_rows(call, r, &state); },
                     [&] { return memory_of_moved(call, r, r.rows * r.results(), &keys, &values); },
                     [&] {
                       const array &to = r.is_nth && r.has_keys() ? r.keys_out : keys;
                       Job job = select_rank_job(r, call.options(), to, r.is_nth ? r.values_out : values, state);
                       return run_rows(call, job, {r.rows, r.n.most, r.n.most, r.results()});
                     },
                     [&] {
                       if (r.is_nth) return CL_SUCCESS;
                       const SortValues with = r.has_values() ? SortValues::kPairs : SortValues::kNone;
                       const array &keys_out = r.has_keys() ? r.keys_out : keys;
                       const SortCall sort{keys, keys_out, values, r.values_out, r.rows * r.results(), with};
                       return SegmentSort(call, {sort, nullptr, r.rows, r.results()}).run();
                     });
}

inline cl_int run_rank_of_rows(const queue &queue, const RankCall &r, const Options &options) {
  return run_call(queue, options, [&](Call &call) {
    return first_error([&] { return check_rank(call, r); },
                       [&] {
                         if (r.rows == 0 || r.results() == 0) return CL_SUCCESS;
                         const bool is_long = r.n.most >= kLongRow && r.rows < call.device().units;
                         return is_long ? rank_long_rows(call, r) : rank_short_rows(call, r);
                       });
  });
}

}  // namespace upsweep::opencl::detail
