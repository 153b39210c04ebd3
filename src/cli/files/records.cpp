// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Opens arrays of records.
#include "cli/files/records.h"

#include "cli/files/npy_header.h"
#include "cli/files/parallel.h"

#include <algorithm>
#include <cstring>

namespace upsweep::cli {
namespace {

constexpr size_t kPiece = size_t{1} << 14;

std::span<const std::byte> start_of(std::span<const std::byte> bytes) {
  return bytes.first(std::min(bytes.size(), kMaxNpyHeaderBytes));
}

}  // namespace

bool has_records(std::span<const std::byte> bytes) {
  const auto entries = parse_npy_entries(start_of(bytes));
  return entries && entries->descr.starts_with('[');
}

Result<Records> open_records(const std::shared_ptr<const Mapping> &file, const InputOptions &options) {
  const auto bytes = file->bytes();
  auto entries = parse_npy_entries(start_of(bytes));
  if (!entries) return Failure(entries.error());
  auto type = parse_record_type(entries->descr);
  if (!type) return Failure(type.error());
  auto field = find_field(*type, options);
  if (!field) return Failure(field.error());
  const auto count = count_of(entries->shape, type->bytes);
  if (!count) return Failure(count.error());
  const size_t present = bytes.size() - entries->data_offset;
  if (*count * type->bytes > present)
    return fail("is truncated: its header announces {} bytes of data, but it has {}", *count * type->bytes, present);
  return Records{.type = std::move(*type),
                 .field = std::move(*field),
                 .shape = std::move(entries->shape),
                 .is_fortran = entries->is_fortran,
                 .data = bytes.data() + entries->data_offset,
                 .count = *count,
                 .version = entries->version,
                 .file = file};
}

void Records::gather(size_t begin, size_t n, std::byte *to) const {
  file->note_read(n * type.bytes);
  const std::byte *from = data + begin * type.bytes + field.offset;
  share_out(n, kPiece, [&](size_t first, size_t last) {
    for (size_t i = first; i < last; ++i) std::memcpy(to + i * field.bytes, from + i * type.bytes, field.bytes);
  });
}

std::string Records::header(size_t n) const { return npy_header_of(type.descr, false, {n}, 0, version); }

Array field_of(const Records &records) {
  const auto memory = std::make_shared<std::vector<std::byte>>(records.count * records.field.bytes);
  for (size_t done = 0, n = 0; done < records.count; done += n) {
    n = std::min(size_t{1} << 16, records.count - done);
    records.gather(done, n, memory->data() + done * records.field.bytes);
  }
  return {.type = *records.field.type,
          .shape = records.shape,
          .is_fortran = records.is_fortran,
          .data = memory->data(),
          .count = records.count,
          .name = {},
          .path = {},
          .memory = memory};
}

void RecordKeys::load(size_t begin, size_t n, uint64_t *to) {
  fields_.resize(kPiece * records_.field.bytes);
  for (size_t done = 0, piece = 0; done < n; done += piece) {
    piece = std::min(kPiece, n - done);
    records_.gather(begin + done, piece, fields_.data());
    auto *keys = reinterpret_cast<std::byte *>(to + done);
    codec_.load(fields_.data(), piece, keys);
    codec_.widen(keys, piece, to + done);
  }
}

}  // namespace upsweep::cli
