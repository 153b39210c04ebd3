// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "extension_functions.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace upsweep::tests {
namespace {

const Element kUint = {"uint", 32}, kInt = {"int", 32}, kUlong = {"ulong", 64}, kFloat = {"float", 32};
const Element kIntegers[] = {{"char", 8}, {"uchar", 8}, {"short", 16}, {"ushort", 16}, kInt, kUint, {"long", 64}, kUlong};

uint64_t mask(unsigned bits) { return bits == 0 ? 0 : ~uint64_t{0} >> (64 - bits); }
int64_t sign_extended(uint64_t value, unsigned bits) {
  const uint64_t sign = uint64_t{1} << (bits - 1);
  return static_cast<int64_t>(((value & mask(bits)) ^ sign) - sign);
}
uint64_t byte_of(uint64_t word, unsigned i) { return word >> (8 * i) & 0xff; }
uint64_t distance(uint64_t a, uint64_t b) { return a > b ? a - b : b - a; }
float float_of(uint64_t bits) { return std::bit_cast<float>(static_cast<uint32_t>(bits)); }
uint64_t bits_of(float value) { return std::bit_cast<uint32_t>(value); }

// cl_khr_extended_bit_ops, bit by bit.

uint64_t inserted(const Bits &a, unsigned bits) {
  uint64_t result = a[0];
  for (unsigned i = 0; i < a[3] && a[2] + i < bits; ++i) {
    const uint64_t bit = uint64_t{1} << (a[2] + i);
    result = (a[1] >> i & 1) != 0 ? result | bit : result & ~bit;
  }
  return result;
}

uint64_t extracted(const Bits &a, bool is_signed) {
  const unsigned width = static_cast<unsigned>(a[2]);
  uint64_t result = 0;
  for (unsigned i = 0; i < width; ++i) result |= (a[0] >> (a[1] + i) & 1) << i;
  return is_signed && width != 0 ? static_cast<uint64_t>(sign_extended(result, width)) : result;
}

uint64_t reversed(uint64_t value, unsigned bits) {
  uint64_t result = 0;
  for (unsigned i = 0; i < bits; ++i) result |= (value >> i & 1) << (bits - 1 - i);
  return result;
}

void add_bit_operations(std::vector<ExtensionFunction> &all) {
  for (const Element &t : kIntegers) {
    const std::string base = t.name.substr(t.name[0] == 'u' ? 1 : 0);
    const Element s = {base, t.bits}, u = {"u" + base, t.bits};
    const Place count = {kUint, 1};
    all.push_back(
        {"bitfield_insert", {t}, {{t}, {t}, count, count}, Draw::kField, [t](const Bits &a) { return inserted(a, t.bits); }});
    all.push_back(
        {"bitfield_extract_signed", {s}, {{t}, count, count}, Draw::kField, [](const Bits &a) { return extracted(a, true); }});
    all.push_back({"bitfield_extract_unsigned", {u}, {{t}, count, count}, Draw::kField, [](const Bits &a) {
                     return extracted(a, false);
                   }});
    all.push_back({"bit_reverse", {t}, {{t}}, Draw::kAny, [t](const Bits &a) { return reversed(a[0], t.bits); }});
  }
}

// cl_khr_integer_dot_product

/// The exact sum of products, and of the accumulator if there is one, saturated to 32 bits.
uint64_t dot_product(const Bits &a, bool x_is_signed, bool y_is_signed, bool accumulates) {
  const bool is_signed = x_is_signed || y_is_signed;
  int64_t sum = 0;
  for (unsigned i = 0; i < 4; ++i) {
    const uint64_t x = byte_of(a[0], i), y = byte_of(a[1], i);
    sum += (x_is_signed ? sign_extended(x, 8) : static_cast<int64_t>(x)) *
           (y_is_signed ? sign_extended(y, 8) : static_cast<int64_t>(y));
  }
  if (accumulates) sum += is_signed ? sign_extended(a[2], 32) : static_cast<int64_t>(a[2]);
  const int64_t least = is_signed ? INT32_MIN : 0, greatest = is_signed ? int64_t{INT32_MAX} : int64_t{UINT32_MAX};
  return static_cast<uint64_t>(std::clamp(sum, least, greatest));
}

void add_dot_products(std::vector<ExtensionFunction> &all) {
  for (const bool x_is_signed : {false, true})
    for (const bool y_is_signed : {false, true})
      for (const bool accumulates : {false, true}) {
        const Element &sum = x_is_signed || y_is_signed ? kInt : kUint;
        const std::string signs = {x_is_signed ? 's' : 'u', y_is_signed ? 's' : 'u'};
        const std::string suffix = "_4x8packed_" + signs + "_" + sum.name;
        const auto reference = [=](const Bits &a) { return dot_product(a, x_is_signed, y_is_signed, accumulates); };
        const Place x = {{x_is_signed ? "char" : "uchar", 8}, 4}, y = {{y_is_signed ? "char" : "uchar", 8}, 4};
        std::vector<Place> vectors = {x, y}, words = {{kUint, 1}, {kUint, 1}};
        if (accumulates) vectors.push_back({sum, 1}), words.push_back({sum, 1});
        const std::string name = accumulates ? "dot_acc_sat" : "dot";
        all.push_back({name, {sum, 1}, vectors, Draw::kAny, reference});
        all.push_back({name + suffix, {sum, 1}, words, Draw::kAny, reference});
      }
}

// cl_amd_media_ops

uint64_t aligned(const Bits &a, unsigned shift) { return (a[0] << 32 | a[1]) >> shift & mask(32); }

uint64_t mean_of_bytes(const Bits &a) {
  uint64_t result = 0;
  for (unsigned i = 0; i < 4; ++i) result |= (byte_of(a[0], i) + byte_of(a[1], i) + (byte_of(a[2], i) & 1)) / 2 << (8 * i);
  return result;
}

uint64_t byte_distances(uint64_t x, uint64_t y) {
  uint64_t sum = 0;
  for (unsigned i = 0; i < 4; ++i) sum += distance(byte_of(x, i), byte_of(y, i));
  return sum;
}

uint64_t masked_distances(uint64_t x, uint64_t y) {
  uint64_t sum = 0;
  for (unsigned i = 0; i < 4; ++i) sum += byte_of(y, i) == 0 ? 0 : distance(byte_of(x, i), byte_of(y, i));
  return sum;
}

void add_media_operations(std::vector<ExtensionFunction> &all) {
  for (unsigned i = 0; i < 4; ++i)
    all.push_back({"amd_unpack" + std::to_string(i), {kFloat}, {{kUint}}, Draw::kAny, [i](const Bits &a) {
                     return bits_of(static_cast<float>(byte_of(a[0], i)));
                   }});
  const auto add = [&](const char *name, std::function<uint64_t(const Bits &)> reference) {
    all.push_back({name, {kUint}, {{kUint}, {kUint}, {kUint}}, Draw::kAny, std::move(reference)});
  };
  add("amd_bitalign", [](const Bits &a) { return aligned(a, a[2] & 31); });
  add("amd_bytealign", [](const Bits &a) { return aligned(a, (a[2] & 3) * 8); });
  add("amd_lerp", mean_of_bytes);
  add("amd_sad", [](const Bits &a) { return a[2] + byte_distances(a[0], a[1]); });
  add("amd_sadhi", [](const Bits &a) { return a[2] + (byte_distances(a[0], a[1]) << 16); });
  add("amd_msad", [](const Bits &a) { return a[2] + masked_distances(a[0], a[1]); });
  add("amd_sadw",
      [](const Bits &a) { return a[2] + distance(a[0] & 0xffff, a[1] & 0xffff) + distance(a[0] >> 16, a[1] >> 16); });
  add("amd_sadd", [](const Bits &a) { return a[2] + distance(a[0], a[1]); });
}

// cl_amd_media_ops2

uint64_t four_sums(const Bits &a, uint64_t (*distances)(uint64_t, uint64_t)) {
  uint64_t result = 0;
  for (unsigned i = 0; i < 4; ++i)
    result |= ((distances(a[0] >> (8 * i) & mask(32), a[1]) + (a[2] >> (16 * i))) & 0xffff) << (16 * i);
  return result;
}

uint64_t field(const Bits &a, bool is_signed) {
  const unsigned offset = a[1] & 31, width = a[2] & 31, ends_at = std::min(offset + width, 32U);
  if (width == 0) return 0;
  const uint64_t bits = a[0] >> offset & mask(ends_at - offset);
  return is_signed ? static_cast<uint64_t>(sign_extended(bits, ends_at - offset)) : bits;
}

/// 0: the least, 1: the median, 2: the greatest.
template <typename T>
T of_rank(std::array<T, 3> values, size_t rank) {
  std::ranges::sort(values);
  return values[rank];
}

void add_orders(std::vector<ExtensionFunction> &all) {
  const char *const kNames[] = {"amd_min3", "amd_median3", "amd_max3"};
  for (size_t rank = 0; rank < 3; ++rank) {
    const auto add = [&](const Element &t, std::function<uint64_t(const Bits &)> reference) {
      all.push_back({kNames[rank], {t}, {{t}, {t}, {t}}, Draw::kAny, std::move(reference)});
    };
    add(kUint, [rank](const Bits &a) { return of_rank<uint64_t>({a[0], a[1], a[2]}, rank); });
    add(kInt, [rank](const Bits &a) {
      return static_cast<uint64_t>(
          of_rank<int64_t>({sign_extended(a[0], 32), sign_extended(a[1], 32), sign_extended(a[2], 32)}, rank));
    });
    add(kFloat,
        [rank](const Bits &a) { return bits_of(of_rank<float>({float_of(a[0]), float_of(a[1]), float_of(a[2])}, rank)); });
  }
}

void add_more_media_operations(std::vector<ExtensionFunction> &all) {
  const std::vector<Place> quads = {{kUlong}, {kUint}, {kUlong}};
  all.push_back({"amd_qsad", {kUlong}, quads, Draw::kAny, [](const Bits &a) { return four_sums(a, byte_distances); }});
  all.push_back({"amd_mqsad", {kUlong}, quads, Draw::kAny, [](const Bits &a) { return four_sums(a, masked_distances); }});
  all.push_back(
      {"amd_bfm", {kUint}, {{kUint}, {kUint}}, Draw::kAny, [](const Bits &a) { return mask(a[0] & 31) << (a[1] & 31); }});
  all.push_back({"amd_bfe", {kUint}, {{kUint}, {kUint}, {kUint}}, Draw::kAny, [](const Bits &a) { return field(a, false); }});
  all.push_back({"amd_bfe", {kInt}, {{kInt}, {kUint}, {kUint}}, Draw::kAny, [](const Bits &a) { return field(a, true); }});
}

}  // namespace

std::vector<ExtensionFunction> extension_functions() {
  std::vector<ExtensionFunction> all;
  add_bit_operations(all);
  add_dot_products(all);
  add_media_operations(all);
  add_more_media_operations(all);
  add_orders(all);
  return all;
}

}  // namespace upsweep::tests
