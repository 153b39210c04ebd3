// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The passes of a radix sort (kernels/sort.cl).
#pragma once

#include <upsweep/opencl/detail/compact_job.h>
#include <upsweep/opencl/detail/scan_job.h>

namespace upsweep::opencl::detail {

enum class SortValues { kNone, kPairs, kIndices };

struct SortCall {
  const array &keys_in, &keys_out;
  const array &values_in, &values_out;
  std::uint64_t n;
  SortValues values;
};

inline cl_int check_sort(const Call &call, const SortCall &s) {
  const element_type &key = s.keys_in.type;
  const auto bits = call.options().bits;
  const auto error = [](bool is_wrong, const char *message) { return is_wrong ? fail(CL_INVALID_VALUE, message) : CL_SUCCESS; };
  const auto apart = [&](const array &a, const array &b) { return require_apart(a, s.n, b, s.n, "keys and values"); };
  return first_error([&] { return require_count(s.n); }, [&] { return error(!key.is_number(), "upsweep: keys are numbers"); },
                     [&] { return error(key != s.keys_out.type, "upsweep: keys in and out have one type"); },
                     [&] { return require_array(call, s.keys_in, s.n, "the input of keys"); },
                     [&] { return require_array(call, s.keys_out, s.n, "the output of keys"); },
                     [&] { return require_same_or_apart(s.keys_in, s.keys_out, s.n, "keys in and out"); },
                     [&] {
                       return error(bits && (!key.is_integer() || bits->begin > bits->end || bits->end > 8 * key.bytes),
                                    "upsweep: the keys do not have these bits");
                     },
                     [&] {
                       if (s.values == SortValues::kNone) return CL_SUCCESS;
                       const element_type &type = s.values_out.type;
                       return first_error(
                           [&] { return error(type != s.values_in.type, "upsweep: values in and out have one type"); },
                           [&] {
                             const bool is_index =
                                 type.is_integer() && (type.bytes == 8 || (type.bytes == 4 && s.n <= UINT32_MAX));
                             return error(s.values == SortValues::kIndices && !is_index,
                                          "upsweep: indices are integers of 32 or 64 bits that hold n");
                           },
                           [&] { return require_array(call, s.values_in, s.n, "the input of values"); },
                           [&] { return require_array(call, s.values_out, s.n, "the output of values"); },
                           [&] { return require_same_or_apart(s.values_in, s.values_out, s.n, "values in and out"); },
                           [&] { return apart(s.keys_in, s.values_in); }, [&] { return apart(s.keys_in, s.values_out); },
                           [&] { return apart(s.keys_out, s.values_in); }, [&] { return apart(s.keys_out, s.values_out); });
                     });
}

class RadixSort {
public:
  RadixSort(Call &call, const SortCall &sort, const Options &options)
      : call_(call), sort_(sort), options_(options), key_(bits_type(sort.keys_in.type)) {
    const Device &device = call.device();
    const plan &how = call.how();
    const bool is_serial = how.group != 0 ? how.group == 1 : device.is_cpu;
    radix_bits_ = is_serial ? 8 : 4;
    if (is_serial) {
      shape_ = {1, how.items != 0 ? how.items : 16384, false};
    } else {
      while (shape_.group * 2 <= std::min<std::size_t>(how.group != 0 ? how.group : 256, device.max_group)) shape_.group *= 2;
      shape_.items = how.items != 0 ? how.items : 8;
    }
    // The ranks of a tile are ushorts.
    shape_.items = std::min(shape_.items, is_serial ? 1U << 20 : 65535 / shape_.group);
    tiles_ = (sort.n + shape_.tile() - 1) / shape_.tile();
    begin_ = options.bits ? options.bits->begin : 0;
    end_ = options.bits ? options.bits->end : static_cast<unsigned>(8 * key_.bytes);
    passes_ = std::max(1U, (end_ - begin_ + radix_bits_ - 1) / radix_bits_);
  }

  cl_int run() {
    cl_mem spare_keys = nullptr, spare_values = nullptr;
    array keys, values = sort_.values_in;
    const bool has_pairs = sort_.values == SortValues::kPairs, has_values = sort_.values != SortValues::kNone;
    const std::size_t counts_bytes = (tiles_ << radix_bits_) * count_type(sort_.n).bytes;
    cl_int code = first_error(
        [&] { return copy_if_odd(sort_.keys_in, sort_.keys_out, &keys); },
        [&] { return has_pairs ? copy_if_odd(sort_.values_in, sort_.values_out, &values) : CL_SUCCESS; },
        [&] { return passes_ > 1 ? call_.scratch(sort_.n * key_.bytes, &spare_keys) : CL_SUCCESS; },
        [&] { return passes_ > 1 && has_values ? call_.scratch(sort_.n * values.type.bytes, &spare_values) : CL_SUCCESS; },
        [&] { return call_.scratch(counts_bytes, &counts_); });
    for (unsigned pass = 0; pass < passes_ && code == CL_SUCCESS; ++pass) {
      const bool to_out = (passes_ - 1 - pass) % 2 == 0;
      const array keys_to = to_out ? sort_.keys_out : array(sort_.keys_in.type, spare_keys);
      const array values_to = to_out || !has_values ? sort_.values_out : array(values.type, spare_values);
      code = run_pass_of_digit(pass, keys, keys_to, values, values_to);
      keys = keys_to;
      values = values_to;
    }
    return code;
  }

private:
  static element_type bits_type(const element_type &key) { return integer_type(key.bytes, false); }

  // The first of an odd number of passes writes to the output.
  cl_int copy_if_odd(const array &in, const array &out, array *source) {
    *source = in;
    return passes_ % 2 == 1 ? copy_if_same(call_, in, out, sort_.n, source) : CL_SUCCESS;
  }

  Source source_of(unsigned pass) const {
    const element_type &key = sort_.keys_in.type;
    const SortValues values = sort_.values == SortValues::kIndices && pass > 0 ? SortValues::kPairs : sort_.values;
    Source source;
    source.define_type("UPS_KEY", key_);
    source.define("UPS_KEY_IS_FLOAT", key.is_floating_point() ? 1 : 0);
    source.define("UPS_KEY_IS_SIGNED", key.is_integer() && !key.name.starts_with('u') ? 1 : 0);
    source.define("UPS_MINUS_INFINITY", key.bytes == 2   ? "(ushort)0xfc00"
                                        : key.bytes == 4 ? "0xff800000u"
                                                         : "0xfff0000000000000ul");
    source.define("UPS_DESCENDING", options_.is_descending ? 1 : 0);
    source.define("UPS_RADIX_BITS", radix_bits_);
    source.define("UPS_VALUES", static_cast<std::uint64_t>(values));
    source.define_type("UPS_IN", values == SortValues::kNone ? key_ : sort_.values_in.type);
    source.define_type("UPS_T", count_type(sort_.n));
    source.define_operator(plus{});
    source.define("UPS_NATIVE", "add");
    define_shape(source, shape_, call_.how());
    for (const char *file : {kernels::operators, kernels::plain_state, kernels::work_group, kernels::sort})
      source.add_kernels(file);
    return source;
  }

  cl_int run_pass_of_digit(unsigned pass, const array &keys, const array &keys_to, const array &values,
                           const array &values_to) {
    const unsigned shift = begin_ + pass * radix_bits_, bits = std::min(radix_bits_, end_ - std::min(end_, shift));
    const cl_uint mask = (1U << bits) - 1, safe_shift = shift < 8 * key_.bytes ? shift : 0;
    std::shared_ptr<Program> program;
    Arguments count, move;
    count.add(keys).number(cl_ulong(sort_.n)).number(cl_ulong(tiles_)).number(cl_uint(safe_shift)).number(mask).memory(counts_);
    move.add(keys).add(keys_to);
    const bool has_values = sort_.values != SortValues::kNone;
    has_values ? move.add(values) : move.none();
    has_values ? move.add(values_to) : move.none();
    move.number(cl_ulong(sort_.n)).number(cl_ulong(tiles_)).number(cl_uint(safe_shift)).number(mask).memory(counts_);
    return first_error([&] { return call_.program(source_of(pass), &program); },
                       [&] { return call_.launch(*program, "ups_count_digits", count, tiles_, shape_.group); },
                       [&] { return scan_counts(); },
                       [&] { return call_.launch(*program, "ups_move_keys", move, tiles_, shape_.group); });
  }

  cl_int scan_counts() {
    const element_type type = count_type(sort_.n);
    const array counts(type, counts_);
    const unsigned char zeros[value::kMaxBytes] = {};
    const initial_value zero(value(type, zeros));
    const element_count number(tiles_ << radix_bits_);
    const operation add = plus{};
    Job job = scan_job({counts, counts, number, add, type, &zero, true}, Options());
    return run_pass(call_, job, number);
  }

  Call &call_;
  const SortCall &sort_;
  const Options &options_;
  element_type key_;
  Shape shape_;
  unsigned radix_bits_ = 4, begin_ = 0, end_ = 0, passes_ = 1;
  std::uint64_t tiles_ = 0;
  cl_mem counts_ = nullptr;
};

inline cl_int run_sort(const queue &queue, const SortCall &sort, const Options &options) {
  return guarded([&] {
    Call call;
    return first_error([&] { return call.begin(queue, options); }, [&] { return check_sort(call, sort); },
                       [&] { return sort.n == 0 ? CL_SUCCESS : RadixSort(call, sort, options).run(); },
                       [&] { return call.end(); });
  });
}

}  // namespace upsweep::opencl::detail
