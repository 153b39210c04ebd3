// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The header is a Python dictionary with the three keys descr, fortran_order and shape. Only this form is accepted.
#include "cli/files/npy_header.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>
#include <string_view>

namespace upsweep::cli {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr size_t kAlignment = 64;  // of the data, as the format defines
constexpr size_t kMaxDimensions = 64;

struct Start {
  std::string_view text;
  size_t data_offset = 0;
  int version = 1;
};

// The header's length is 2 bytes in format 1 and 4 in formats 2 and 3, little-endian.
Result<Start> find_text(std::string_view file) {
  if (file.size() < 8 || !file.starts_with(kMagic)) return fail("is not a .npy file: it does not start with NumPy's signature");
  const int major = static_cast<unsigned char>(file[6]);
  if (major < 1 || major > 3) return fail("is a .npy file of version {}; versions 1 to 3 can be read", major);
  const size_t length_bytes = major == 1 ? 2 : 4;
  if (file.size() < 8 + length_bytes) return fail("ends inside its header");
  size_t size = 0;
  for (size_t i = 0; i < length_bytes; ++i) size |= size_t{static_cast<unsigned char>(file[8 + i])} << (8 * i);
  const size_t offset = 8 + length_bytes + size;
  if (offset > kMaxNpyHeaderBytes) return fail("has a damaged header: its size is given as {} bytes", size);
  if (file.size() < offset) return fail("ends inside its header");
  return Start{file.substr(8 + length_bytes, size), offset, major};
}

// The text after "'key':", without leading blanks; empty if the key is missing.
std::string_view value_of(std::string_view header, std::string_view key) {
  for (const char quote : {'\'', '"'}) {
    const std::string quoted = fmt::format("{0}{1}{0}", quote, key);
    size_t at = header.find(quoted);
    if (at == std::string_view::npos) continue;
    at = header.find_first_not_of(" :", at + quoted.size());
    return at == std::string_view::npos ? std::string_view() : header.substr(at);
  }
  return {};
}

Result<ElementType> parse_descr(std::string_view value) {
  if (value.empty() || (value.front() != '\'' && value.front() != '"')) return fail("holds records, not plain numbers");
  const size_t end = value.find(value.front(), 1);
  if (end == std::string_view::npos) return fail("has no type in its header");
  value = value.substr(1, end - 1);
  const auto type = parse_element_type(value);
  if (!type || value.size() < 3)
    return fail("holds elements of type '{}'; types that can be read are bool, integers of 8 to 64 bits, float16, float32 and "
                "float64",
                value);
  return *type;
}

Result<bool> parse_order(std::string_view header) {
  const std::string_view value = value_of(header, "fortran_order");
  if (value.starts_with("True")) return true;
  if (value.starts_with("False")) return false;
  return fail("has no fortran_order of True or False in its header");
}

Result<std::vector<size_t>> parse_shape(std::string_view header) {
  std::string_view value = value_of(header, "shape");
  const size_t end = value.find(')');
  if (!value.starts_with('(') || end == std::string_view::npos) return fail("has no shape in its header");
  value = value.substr(1, end - 1);
  std::vector<size_t> shape;
  while (true) {
    value.remove_prefix(std::min(value.find_first_not_of(" ,"), value.size()));
    if (value.empty()) return shape;
    size_t extent = 0;
    const auto [stop, error] = std::from_chars(value.data(), value.data() + value.size(), extent);
    if (error != std::errc{}) return fail("has a shape that cannot be read: '{}'", value);
    value.remove_prefix(static_cast<size_t>(stop - value.data()));
    if (value.starts_with('L')) value.remove_prefix(1);  // Python 2's long
    if (!value.empty() && value.front() != ',' && value.front() != ' ')
      return fail("has a shape that cannot be read: '{}'", value);
    shape.push_back(extent);
    if (shape.size() > kMaxDimensions) return fail("has more than {} dimensions", kMaxDimensions);
  }
}

}  // namespace

Result<size_t> count_of(const std::vector<size_t> &shape, size_t element_bytes) {
  if (std::ranges::find(shape, size_t{0}) != shape.end()) return size_t{0};
  size_t bytes = element_bytes;
  for (const size_t extent : shape) {
    if (bytes > std::numeric_limits<int64_t>::max() / extent) return fail("claims more bytes than can exist");
    bytes *= extent;
  }
  return bytes / element_bytes;
}

Result<NpyEntries> parse_npy_entries(std::span<const std::byte> start) {
  const auto found = find_text({reinterpret_cast<const char *>(start.data()), start.size()});
  if (!found) return Failure(found.error());
  auto shape = parse_shape(found->text);
  if (!shape) return Failure(shape.error());
  const auto is_fortran = parse_order(found->text);
  if (!is_fortran) return Failure(is_fortran.error());
  return NpyEntries{value_of(found->text, "descr"), *is_fortran, std::move(*shape), found->data_offset, found->version};
}

Result<NpyHeader> parse_npy_header(std::span<const std::byte> start) {
  auto entries = parse_npy_entries(start);
  if (!entries) return Failure(entries.error());
  const auto type = parse_descr(entries->descr);
  if (!type) return Failure(type.error());
  const auto count = count_of(entries->shape, type->bytes());
  if (!count) return Failure(count.error());
  return NpyHeader{*type, entries->is_fortran, std::move(entries->shape), entries->data_offset, *count};
}

std::string npy_header_of(std::string_view descr, bool is_fortran, const std::vector<size_t> &shape, size_t data_offset,
                          int version) {
  std::string extents;
  for (const size_t extent : shape) extents += fmt::format("{}, ", extent);
  std::string text =
      fmt::format("{{'descr': {}, 'fortran_order': {}, 'shape': ({}), }}", descr, is_fortran ? "True" : "False", extents);
  const size_t length_bytes = version == 1 ? 2 : 4;
  const size_t unpadded = kMagic.size() + 2 + length_bytes + text.size() + 1;
  const size_t end = std::max(data_offset, (unpadded + kAlignment - 1) / kAlignment * kAlignment);
  text.append(end - unpadded, ' ');
  text += '\n';
  std::string whole(kMagic);
  whole += {static_cast<char>(version), '\0'};
  for (size_t i = 0; i < length_bytes; ++i) whole += static_cast<char>(text.size() >> (8 * i) & 0xff);
  return whole + text;
}

std::string npy_header_text(const NpyHeader &header) {
  return npy_header_of(fmt::format("'{}'", header.type.descr()), header.is_fortran, header.shape, header.data_offset, 1);
}

size_t npy_data_offset(size_t dimensions) {
  constexpr size_t kFixedBytes = 80, kExtentBytes = 22;  // 20 digits, a comma and a blank
  return (kFixedBytes + dimensions * kExtentBytes + kAlignment - 1) / kAlignment * kAlignment;
}

}  // namespace upsweep::cli
