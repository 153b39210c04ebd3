// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads and writes .npy files for kernels: little-endian numbers in C order.
#include "cli/npy.h"

#include "cli/files/npy_header.h"
#include "cli/files/output.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <span>

namespace upsweep::cli {
namespace {

Result<NpyArray> read_array(std::istream &file, uintmax_t file_bytes) {
  std::vector<std::byte> start(std::min<uintmax_t>(file_bytes, kMaxNpyHeaderBytes));
  file.read(reinterpret_cast<char *>(start.data()), static_cast<std::streamsize>(start.size()));
  start.resize(static_cast<size_t>(file.gcount()));
  auto header = parse_npy_header(start);
  if (!header) return Failure(header.error());
  if (header->type.is_swapped)
    return fail("holds numbers of type '{}'; kernels take only little-endian numbers", header->type.descr());
  if (header->shape.size() > 1 && header->is_fortran) return fail("is in Fortran order; save it with numpy.ascontiguousarray");
  // Check the size before allocating: a damaged shape must not allocate all memory.
  const size_t bytes = header->data_bytes();
  const uintmax_t present = file_bytes - std::min<uintmax_t>(file_bytes, header->data_offset);
  if (bytes > present) return fail("is truncated: its header announces {} bytes of data, but it has {}", bytes, present);
  NpyArray array{header->type.scalar, std::move(header->shape), std::vector<std::byte>(bytes)};
  file.clear();
  file.seekg(static_cast<std::streamoff>(header->data_offset));
  if (!file.read(reinterpret_cast<char *>(array.bytes.data()), static_cast<std::streamsize>(bytes)))
    return fail("cannot be read: {}", std::strerror(errno));
  return array;
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
  const auto file = OutputFile::create(path);
  if (!file) return Failure(file.error());
  const std::string header = npy_header_text({.type = {array.scalar}, .shape = array.shape});
  return (*file)
      ->write(0, header.data(), header.size())
      .and_then([&] { return (*file)->write(header.size(), array.bytes.data(), array.bytes.size()); })
      .and_then([&] { return (*file)->finish(); });
}

}  // namespace upsweep::cli
