// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keys of sorts and their order (kernels/keys.cl).
#pragma once

#include <upsweep/opencl/detail/checks.h>

namespace upsweep::opencl::detail {

// A number by whose bits a key is sorted: the key itself, half of an integer of 128 bits, or a struct's member.
struct KeyPart {
  element_type type;
  std::string member;  // including the dot; empty: the key itself
};

// The parts that count, from the most significant on.
inline std::vector<KeyPart> parts_of_key(const element_type &key, const Options &options) {
  std::vector<KeyPart> parts;
  if (options.members) {
    for (const key_member &member : options.members->all) parts.push_back({member.type, "." + member.name});
  } else if (key.is_wide_integer()) {
    parts = {{integer_type(8, key.name == "long2"), ".y"}, {integer_type(8, false), ".x"}};
  } else {
    parts = {{key, ""}};
  }
  return parts;
}

inline cl_int check_key(const element_type &key, const Options &options) {
  const auto error = [](bool is_wrong, const char *message) { return is_wrong ? fail(CL_INVALID_VALUE, message) : CL_SUCCESS; };
  const auto bits = options.bits;
  const bool is_integer = key.is_integer() || key.is_wide_integer();
  bool has_numbers = true;
  for (const KeyPart &part : parts_of_key(key, options)) has_numbers = has_numbers && part.type.is_number();
  return first_error(
      [&] { return require_type(key, "the keys"); },
      [&] { return error(!has_numbers, "upsweep: keys must be numbers, or structs with by_members that are numbers"); },
      [&] { return error(options.members && options.members->all.empty(), "upsweep: by_members names no member"); },
      [&] { return error(options.members && bits, "upsweep: key_bits needs integer keys without by_members"); },
      [&] {
        return error(bits && (!is_integer || bits->begin > bits->end || bits->end > 8 * key.bytes),
                     "upsweep: key_bits names bits that the keys do not have");
      });
}

// The type in which kernels move keys. For numbers it is the unsigned type of their bits, which every device has.
inline element_type bits_type(const element_type &key) { return key.is_number() ? integer_type(key.bytes, false) : key; }

// M(k, type, bits, is_float, is_signed, minus_infinity) for UPS_PARTS(M).
inline std::string part_macro(std::size_t k, const KeyPart &part) {
  const element_type &type = part.type;
  const std::string bits = integer_type(type.bytes, false).name;
  const std::string convert = type.is_floating_point() ? "as_" + bits : "(" + bits + ")";
  const std::string bits_of = part.member.empty() ? "x" : convert + "(x" + part.member + ")";
  const std::string minus_infinity = type.bytes == 2   ? "(ushort)0xfc00"
                                     : type.bytes == 4 ? "0xff800000u"
                                                       : "0xfff0000000000000ul";
  const std::string order = type.is_floating_point()   ? "1, 0, " + minus_infinity
                            : type.is_signed_integer() ? "0, 1, 0"
                                                       : "0, 0, 0";
  return " M(" + std::to_string(k) + ", " + bits + ", " + bits_of + ", " + order + ")";
}

inline void define_key_order(Source &source, const element_type &key, const std::vector<KeyPart> &parts, bool is_descending) {
  std::string macros;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    macros += part_macro(k, parts[k]);
    // Keys that are numbers need only the type of their bits.
    if (!parts[k].member.empty()) source.define_type("UPS_PART_" + std::to_string(k), parts[k].type);
  }
  source.define("UPS_PARTS(M)", macros);
  source.define("UPS_NUM_PARTS", parts.size());
  source.define("UPS_DESCENDING", is_descending ? 1 : 0);
  source.define_type("UPS_KEY", bits_type(key));
}

}  // namespace upsweep::opencl::detail
