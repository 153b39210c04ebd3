// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The floating-point types of OpenCL C as data; here every value is a double.
#ifndef UPSWEEP_TESTS_PRECISION_FORMAT_H
#define UPSWEEP_TESTS_PRECISION_FORMAT_H

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

namespace upsweep::precision {

struct Format {
  std::string_view type;
  size_t bytes;
  int digits;        // with the first one
  int min_exponent;  // as in std::numeric_limits: the least normal number is 2^(min_exponent - 1)
  int max_exponent;  // the numbers end before 2^max_exponent
};
inline constexpr Format kHalf = {"half", 2, 11, -13, 16};
inline constexpr Format kFloat = {"float", 4, 24, -125, 128};
inline constexpr Format kDouble = {"double", 8, 53, -1021, 1024};

/// The number with these bits.
inline double decode(const Format &format, uint64_t bits) {
  switch (format.bytes) {
  case 2: return static_cast<double>(std::bit_cast<_Float16>(static_cast<uint16_t>(bits)));
  case 4: return std::bit_cast<float>(static_cast<uint32_t>(bits));
  default: return std::bit_cast<double>(bits);
  }
}

/// The bits of the nearest number.
inline uint64_t encode(const Format &format, double value) {
  switch (format.bytes) {
  case 2: return std::bit_cast<uint16_t>(static_cast<_Float16>(value));
  case 4: return std::bit_cast<uint32_t>(static_cast<float>(value));
  default: return std::bit_cast<uint64_t>(value);
  }
}

/// An array in a buffer's layout.
class Values {
public:
  explicit Values(const Format &format) : format_(&format) {}
  void push(uint64_t bits) {
    const size_t at = bytes_.size();
    bytes_.resize(at + format_->bytes);
    std::memcpy(bytes_.data() + at, &bits, format_->bytes);  // little-endian
  }
  void resize(size_t count) { bytes_.resize(count * format_->bytes); }
  [[nodiscard]] double operator[](size_t i) const {
    uint64_t bits = 0;
    // Sizes are known at compile time, since this runs 2^32 times for a function.
    switch (format_->bytes) {
    case 2: std::memcpy(&bits, bytes_.data() + i * 2, 2); break;
    case 4: std::memcpy(&bits, bytes_.data() + i * 4, 4); break;
    default: std::memcpy(&bits, bytes_.data() + i * 8, 8);
    }
    return decode(*format_, bits);
  }
  /// The numbers whose bits are first, first + 1 …
  void count_from(uint64_t first) {
    for (size_t i = 0, count = size(); i < count; ++i)
      if (const uint64_t bits = first + i; format_->bytes == 4)
        std::memcpy(bytes_.data() + i * 4, &bits, 4);
      else
        std::memcpy(bytes_.data() + i * format_->bytes, &bits, format_->bytes);
  }
  [[nodiscard]] size_t size() const { return bytes_.size() / format_->bytes; }
  [[nodiscard]] std::byte *data() { return bytes_.data(); }
  [[nodiscard]] size_t byte_count() const { return bytes_.size(); }

private:
  const Format *format_;
  std::vector<std::byte> bytes_;
};

/// The arguments of many calls.
struct Points {
  explicit Points(const Format &format) : x(format), y(format), z(format) {}
  Values x, y, z;
  std::vector<int> n;
};

}  // namespace upsweep::precision
#endif
