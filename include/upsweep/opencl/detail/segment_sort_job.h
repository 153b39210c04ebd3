// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorts of segments: two stable sorts of the whole array, by keys and then by segments (kernels/sort_segments.cl).
#pragma once

#include <upsweep/opencl/detail/call_arrays.h>
#include <upsweep/opencl/detail/simple_call.h>
#include <upsweep/opencl/detail/sort_job.h>

namespace upsweep::opencl::detail {

struct SegmentsToSort {
  const SortCall &sort;
  const array *offsets;  // null: rows
  element_count number;
  std::uint64_t length;
};

class SegmentSort {
public:
  SegmentSort(Call &call, const SegmentsToSort &s) : call_(call), s_(s), n_(s.sort.n.most) {
    shape_ = simple_shape(call, 256, 8, true);
    tiles_ = shape_.tiles(n_);
    // The largest number stands for elements behind the last segment.
    while ((s.number.most + 1) >> id_bits_ != 0) ++id_bits_;
    id_ = integer_type(id_bits_ > 32 ? 8 : 4, false);
    place_ = count_type(n_);
  }

  cl_int run() {
    const SortCall &sort = s_.sort;
    cl_mem keys = nullptr, order = nullptr, ids = nullptr, ids_in_order = nullptr;
    std::shared_ptr<Program> program;
    array from, values;
    Options by_segment;
    by_segment.how = call_.how();
    by_segment.bits = key_bits{0, id_bits_};
    return first_error(
        [&] { return call_.program(source(), &program); }, [&] { return call_.scratch(n_ * sort.keys_in.type.bytes, &keys); },
        [&] { return call_.scratch(n_ * place_.bytes, &order); }, [&] { return call_.scratch(n_ * id_.bytes, &ids); },
        [&] { return call_.scratch(n_ * id_.bytes, &ids_in_order); },
        [&] { return copy_if_same(call_, sort.keys_in, sort.keys_out, n_, &from); },
        [&] {
          values = sort.values_in;
          return sort.values == SortValues::kPairs ? copy_if_same(call_, sort.values_in, sort.values_out, n_, &values)
                                                   : CL_SUCCESS;
        },
        [&] {
          const array sorted(sort.keys_in.type, keys), places(place_, order);
          const SortCall by_key{from, sorted, places, places, n_, SortValues::kIndices};
          return RadixSort(call_, by_key, call_.options()).run();
        },
        [&] { return number_segments(*program, ids); },
        [&] {
          Arguments arguments;
          arguments.memory(ids).memory(order).number(cl_ulong(n_)).memory(ids_in_order);
          return call_.launch(*program, "ups_order_ids", arguments, tiles_, shape_.group);
        },
        [&] {
          const array numbers(id_, ids_in_order), places(place_, order);
          const SortCall by_id{numbers, numbers, places, places, n_, SortValues::kPairs};
          return RadixSort(call_, by_id, by_segment).run();
        },
        [&] { return move(*program, from, values, ids, order); });
  }

private:
  Source source() const {
    Source source;
    source.define_type("UPS_KEY", bits_type(s_.sort.keys_in.type));
    source.define_type("UPS_ID", id_);
    source.define_type("UPS_PLACE", place_);
    source.define("UPS_VALUES", static_cast<std::uint64_t>(s_.sort.values));
    source.define_type("UPS_IN", s_.sort.values == SortValues::kNone ? id_ : s_.sort.values_out.type);
    if (s_.offsets != nullptr) source.define_type("UPS_OFFSET", s_.offsets->type);
    define_count(source, s_.number);
    define_shape(source, shape_, call_.how());
    source.add_kernels(kernels::sort_segments);
    return source;
  }

  void add_segments(Arguments &arguments) const {
    s_.offsets != nullptr ? arguments.add(*s_.offsets) : arguments.none();
    arguments.number(cl_ulong(s_.length));
  }

  cl_int number_segments(Program &program, cl_mem ids) {
    Arguments arguments;
    add_segments(arguments);
    arguments.add(s_.number).number(cl_ulong(s_.number.most)).number(cl_ulong(n_)).memory(ids);
    return call_.launch(program, "ups_number_segments", arguments, tiles_, shape_.group);
  }

  cl_int move(Program &program, const array &keys, const array &values, cl_mem ids, cl_mem order) {
    const SortValues kind = s_.sort.values;
    Arguments arguments;
    arguments.add(keys).add(s_.sort.keys_out);
    kind == SortValues::kPairs ? arguments.add(values) : arguments.none();
    kind != SortValues::kNone ? arguments.add(s_.sort.values_out) : arguments.none();
    add_segments(arguments);
    arguments.number(cl_ulong(s_.number.most)).number(cl_ulong(n_)).memory(ids).memory(order);
    return call_.launch(program, "ups_move_segments", arguments, tiles_, shape_.group);
  }

  Call &call_;
  const SegmentsToSort &s_;
  std::uint64_t n_, tiles_ = 0;
  Shape shape_;
  unsigned id_bits_ = 1;
  element_type id_, place_;
};

inline cl_int check_segments_to_sort(const Call &call, const SegmentsToSort &s) {
  if (s.offsets == nullptr) return CL_SUCCESS;
  const std::uint64_t offsets = s.number.most + 1, n = s.sort.n.most;
  const array *const values = if_given(s.sort.values != SortValues::kNone, s.sort.values_out);
  return first_error([&] { return require_number(s.number); }, [&] { return require_integer(s.offsets->type, "the offsets"); },
                     [&] {
                       return require_arrays(call, {reads("the offsets", *s.offsets, offsets),
                                                    writes("the output of keys", s.sort.keys_out, n),
                                                    writes("the output of values", values, n), reads_number(s.number)});
                     });
}

inline cl_int run_segment_sort(const queue &queue, const SegmentsToSort &s, const Options &options) {
  return run_call(queue, options, [&](Call &call) {
    return first_error([&] { return check_sort(call, s.sort); }, [&] { return check_segments_to_sort(call, s); },
                       [&] { return s.sort.n.most == 0 || s.number.most == 0 ? CL_SUCCESS : SegmentSort(call, s).run(); });
  });
}

}  // namespace upsweep::opencl::detail
