// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first elements of a sort, or one element: searches for the key at the last place (kernels/rank.cl), gathers the elements
// up to it (kernels/select_rank.cl), and sorts these.
#pragma once

#include <upsweep/opencl/detail/call_arrays.h>
#include <upsweep/opencl/detail/simple_call.h>
#include <upsweep/opencl/detail/sort_job.h>

namespace upsweep::opencl::detail {

struct RankCall {
  const array &keys_in, &keys_out;  // an output without a type is omitted
  const array &values_in, &values_out;
  element_count n;       // of a row
  std::uint64_t wanted;  // k, or the rank
  bool is_nth;
  SortValues values;
  std::uint64_t rows = 1;

  std::uint64_t results() const { return is_nth ? 1 : wanted; }
  bool has_keys() const { return !keys_out.type.name.empty(); }
  bool has_values() const { return values != SortValues::kNone; }
};

inline cl_int check_rank(const Call &call, const RankCall &r) {
  const auto error = [](bool is_wrong, const char *message) { return is_wrong ? fail(CL_INVALID_VALUE, message) : CL_SUCCESS; };
  const bool is_short = r.n.most <= UINT32_MAX && r.rows <= UINT32_MAX && (r.rows == 0 || r.n.most <= kMaxElements / r.rows);
  const std::uint64_t n = is_short ? r.n.most * r.rows : 0, results = is_short ? r.results() * r.rows : 0;
  const bool has_keys = r.has_keys() || r.values != SortValues::kIndices, has_pairs = r.values == SortValues::kPairs;
  return first_error(
      [&] { return check_key(r.keys_in.type, call.options()); },
      [&] { return error(!is_short, "upsweep: a row may have up to 2^32 - 1 elements, and all rows 2^40"); },
      [&] {
        return error(r.is_nth ? r.wanted >= r.n.most : r.wanted > r.n.most,
                     "upsweep: k or the rank exceeds the number of elements");
      },
      [&] { return require_number(r.n); },
      [&] { return error(has_keys && r.keys_in.type != r.keys_out.type, "upsweep: keys in and out must have the same type"); },
      [&] { return r.has_values() ? check_value_types(r.values_in, r.values_out, r.n.most, r.values) : CL_SUCCESS; },
      [&] {
        return require_arrays(call, {reads("the input of keys", r.keys_in, n),
                                     writes("the output of keys", if_given(has_keys, r.keys_out), results),
                                     reads("the input of values", if_given(has_pairs, r.values_in), n),
                                     writes("the output of values", if_given(r.has_values(), r.values_out), results),
                                     reads_number(r.n)});
      });
}

// Words of a key's state: UPS_WANTED, UPS_FOUND and the parts of kernels/rank_state.cl.
inline constexpr std::size_t kWanted = 0, kFound = 6;

// The job that gathers the wanted elements in `keys` and `values`, when each row's state has the last key.
inline Job select_rank_job(const RankCall &r, const Options &options, const array &keys, const array &values, cl_mem state) {
  const element_type key = bits_type(r.keys_in.type);
  Job job;
  Source &source = job.source;
  define_key_order(source, r.keys_in.type, parts_of_key(r.keys_in.type, options), options.is_descending);
  source.define("UPS_IS_NTH", r.is_nth ? 1 : 0);
  source.define("UPS_VALUES", static_cast<std::uint64_t>(r.values));
  source.define_type("UPS_IN", key);
  source.define_type("UPS_VALUE", r.has_values() ? values.type : key);
  source.define_type("UPS_T", type_of<std::uint64_t>::value());
  source.define_operator(plus{});
  source.define("UPS_NATIVE", "add");
  for (const char *file : {kernels::operators, kernels::plain_state, kernels::marked, kernels::keys, kernels::rank_state,
                           kernels::select_rank, kernels::work_group}) {
    source.add_kernels(file);
  }
  job.arguments.add(r.keys_in).add(keys);
  r.values == SortValues::kPairs ? job.arguments.add(r.values_in) : job.arguments.none();
  r.has_values() ? job.arguments.add(values) : job.arguments.none();
  job.arguments.memory(state);
  job.state_bytes = 8;
  job.element_bytes = std::max<std::size_t>(8, key.bytes);
  job.takes_lanes = true;
  return job;
}

// Memory for `count` elements that are gathered before they are sorted; without values if there are none.
inline cl_int memory_of_moved(Call &call, const RankCall &r, std::uint64_t count, array *keys, array *values) {
  cl_mem of_keys = nullptr, of_values = nullptr;
  return first_error([&] { return call.scratch(count * r.keys_in.type.bytes, &of_keys); },
                     [&] { return r.has_values() ? call.scratch(count * r.values_out.type.bytes, &of_values) : CL_SUCCESS; },
                     [&] {
                       *keys = array(r.keys_in.type, of_keys);
                       if (r.has_values()) *values = array(r.values_out.type, of_values);
                       return CL_SUCCESS;
                     });
}

class Rank {
public:
  Rank(Call &call, const RankCall &rank)
      : call_(call), r_(rank), parts_(parts_of_key(rank.keys_in.type, call.options())), key_(bits_type(rank.keys_in.type)) {
    shape_ = simple_shape(call, 256, 16, true);
    groups_ = groups_at_work(call.device(), shape_.tiles(r_.n.most));
    capacity_ = std::max<std::uint64_t>(1024, r_.n.most / 16);
  }

  // A single element goes directly to the outputs. Several are gathered in the call's memory, and sorted to the outputs.
  cl_int run() {
    array keys, values;
    return first_error([&] { return find(); }, [&] { return memory_of_moved(call_, r_, r_.results(), &keys, &values); },
                       [&] {
                         const array &keys_out = r_.has_keys() ? r_.keys_out : keys;
                         if (r_.is_nth) return move(keys_out, r_.values_out);
                         return sort(keys, values, keys_out);
                       });
  }

private:
  // Stores the state of the key at the last place.
  cl_int find() {
    Source source;
    define_key_order(source, r_.keys_in.type, parts_, call_.options().is_descending);
    define_count(source, r_.n);
    define_shape(source, shape_, call_.how());
    for (const char *file : {kernels::keys, kernels::rank_state, kernels::rank}) source.add_kernels(file);
    std::shared_ptr<Program> program;
    cl_mem candidates = nullptr, counts = nullptr;
    Arguments begin;
    cl_int code = first_error([&] { return call_.program(source, &program); },
                              [&] { return call_.scratch((kFound + parts_.size()) * sizeof(cl_ulong), &state_); },
                              [&] { return call_.scratch(capacity_ * key_.bytes, &candidates); },
                              [&] { return call_.scratch(groups_ * 256 * sizeof(cl_uint), &counts); },
                              [&] {
                                begin.add(r_.n).number(cl_ulong(r_.wanted)).number(cl_uint(r_.is_nth ? 1 : 0)).memory(state_);
                                return call_.launch(*program, "ups_begin_rank", begin, 1, 1);
                              });
    for (cl_uint part = 0; part < parts_.size(); ++part) {
      for (std::size_t digit = parts_[part].type.bytes; digit > 0 && code == CL_SUCCESS; --digit) {
        const cl_uint shift = static_cast<cl_uint>(8 * (digit - 1));
        Arguments count, choose;
        count.add(r_.keys_in).add(r_.n).number(part).number(shift).memory(state_).memory(candidates).memory(counts);
        choose.memory(counts).number(cl_uint(groups_)).number(part).number(shift).number(cl_uint(capacity_)).memory(state_);
        code = first_error([&] { return call_.launch(*program, "ups_count_rank", count, groups_, shape_.group); },
                           [&] { return call_.launch(*program, "ups_choose_digit", choose, 1, shape_.group); });
      }
    }
    return code;
  }

  cl_int move(const array &keys, const array &values) {
    Job job = select_rank_job(r_, call_.options(), keys, values, state_);
    return run_pass(call_, job, r_.n);
  }

  cl_int sort(const array &keys, const array &values, const array &keys_out) {
    const array number(type_of<std::uint64_t>::value(), state_, kWanted);
    const element_count wanted = r_.n.at ? element_count(count_at(number, r_.wanted)) : element_count(r_.wanted);
    const SortValues with = r_.has_values() ? SortValues::kPairs : SortValues::kNone;
    return first_error([&] { return move(keys, values); },
                       [&] {
                         const SortCall of_moved{keys, keys_out, values, r_.values_out, wanted, with};
                         return RadixSort(call_, of_moved, call_.options()).run();
                       });
  }

  Call &call_;
  const RankCall &r_;
  std::vector<KeyPart> parts_;
  element_type key_;
  Shape shape_;
  std::uint64_t groups_ = 1, capacity_ = 0;
  cl_mem state_ = nullptr;
};

inline cl_int run_rank(const queue &queue, const RankCall &rank, const Options &options) {
  return run_call(queue, options, [&](Call &call) {
    return first_error([&] { return check_rank(call, rank); },
                       [&] { return rank.results() == 0 ? CL_SUCCESS : Rank(call, rank).run(); });
  });
}

}  // namespace upsweep::opencl::detail
