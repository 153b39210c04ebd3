// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads and writes .npy files. The header is a Python dictionary with the three keys descr, fortran_order and shape; this reads
// that form and no other Python.
#include "cli/npy.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <limits>
#include <string>
#include <string_view>

namespace upsweep::cli {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr size_t kHeaderAlignment = 64;  // of the data, by the format's definition
constexpr uint32_t kMaxHeaderBytes = 1 << 20;

struct Header {
  std::string text;
  size_t data_offset = 0;
};

// The header's length is 2 bytes in format 1 and 4 in formats 2 and 3, little-endian.
Result<Header> read_header(std::istream &file) {
  char start[8] = {};
  if (!file.read(start, sizeof(start)) || std::string_view(start, kMagic.size()) != kMagic)
    return fail("is no .npy file: it does not start with NumPy's signature");
  const int major = static_cast<unsigned char>(start[6]);
  if (major < 1 || major > 3) return fail("is a .npy file of version {}; versions 1 to 3 can be read", major);
  const size_t length_bytes = major == 1 ? 2 : 4;
  unsigned char length[4] = {};
  if (!file.read(reinterpret_cast<char *>(length), static_cast<std::streamsize>(length_bytes)))
    return fail("ends inside its header");
  const uint32_t size = length[0] | length[1] << 8 | length[2] << 16 | static_cast<uint32_t>(length[3]) << 24;
  if (size > kMaxHeaderBytes) return fail("has a header of {} bytes, which cannot be right", size);
  Header header{std::string(size, '\0'), sizeof(start) + length_bytes + size};
  if (!file.read(header.text.data(), size)) return fail("ends inside its header");
  return header;
}

// The text after "'key':", without leading blanks; empty when there is no such key.
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

Result<Scalar> parse_descr(std::string_view header) {
  std::string_view value = value_of(header, "descr");
  if (value.empty() || (value.front() != '\'' && value.front() != '"')) return fail("holds records, not plain numbers");
  value = value.substr(1, value.find(value.front(), 1) - 1);
  const bool one_byte = value.ends_with('1');
  if (value.size() < 3 || (value.front() == '>' && !one_byte))
    return fail("holds numbers of type '{}'; only little-endian ones can be read", value);
  if (value.substr(1) == "b1") return Scalar::UChar;
  const ScalarInfo *info = find_numpy(value.substr(1));
  if (!info) return fail("holds numbers of type '{}', for which OpenCL C has no type", value);
  return info->scalar;
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
    shape.push_back(extent);
  }
}

Result<size_t> byte_count(Scalar scalar, const std::vector<size_t> &shape) {
  size_t bytes = info_of(scalar).bytes;
  for (const size_t extent : shape) {
    if (extent != 0 && bytes > std::numeric_limits<int64_t>::max() / extent) return fail("claims more bytes than can exist");
    bytes *= extent;
  }
  return bytes;
}

Result<NpyArray> read_array(std::istream &file, uintmax_t file_bytes) {
  auto header = read_header(file);
  if (!header) return Failure(header.error());
  const auto scalar = parse_descr(header->text);
  if (!scalar) return Failure(scalar.error());
  auto shape = parse_shape(header->text);
  if (!shape) return Failure(shape.error());
  if (shape->size() > 1 && value_of(header->text, "fortran_order").starts_with("True"))
    return fail("is in Fortran order; save it with numpy.ascontiguousarray");
  const auto bytes = byte_count(*scalar, *shape);
  if (!bytes) return Failure(bytes.error());
  // Compared before the memory is taken: a damaged shape must not ask for all of it.
  const uintmax_t present = file_bytes - std::min<uintmax_t>(file_bytes, header->data_offset);
  if (*bytes > present) return fail("is truncated: its header announces {} bytes of data, and it has {}", *bytes, present);
  NpyArray array{*scalar, std::move(*shape), std::vector<std::byte>(*bytes)};
  if (!file.read(reinterpret_cast<char *>(array.bytes.data()), static_cast<std::streamsize>(*bytes)))
    return fail("cannot be read: {}", std::strerror(errno));
  return array;
}

std::string header_text(const NpyArray &array) {
  std::string shape;
  for (const size_t extent : array.shape) shape += fmt::format("{}, ", extent);
  const char order = info_of(array.scalar).bytes == 1 ? '|' : '<';
  std::string text =
      fmt::format("{{'descr': '{}{}', 'fortran_order': False, 'shape': ({}), }}", order, info_of(array.scalar).numpy, shape);
  const size_t unpadded = kMagic.size() + 4 + text.size() + 1;
  text.append((kHeaderAlignment - unpadded % kHeaderAlignment) % kHeaderAlignment, ' ');
  return text + '\n';
}

}  // namespace

Result<NpyArray> read_npy(const std::filesystem::path &path) {
  std::error_code error;
  const uintmax_t file_bytes = std::filesystem::file_size(path, error);
  std::ifstream file(path, std::ios::binary);
  if (error || !file) return fail("cannot read '{}': {}", path.string(), error ? error.message() : std::strerror(errno));
  return read_array(file, file_bytes).map_error([&](const std::string &text) {
    return fmt::format("'{}' {}", path.string(), text);
  });
}

Result<void> write_npy(const std::filesystem::path &path, const NpyArray &array) {
  const std::string text = header_text(array);
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << kMagic << '\x01' << '\0' << static_cast<char>(text.size() & 0xff) << static_cast<char>(text.size() >> 8) << text;
  file.write(reinterpret_cast<const char *>(array.bytes.data()), static_cast<std::streamsize>(array.bytes.size()));
  file.close();
  if (!file) return fail("cannot write '{}': {}", path.string(), std::strerror(errno));
  return {};
}

}  // namespace upsweep::cli
