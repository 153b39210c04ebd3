// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays of records (NumPy's structured types) in .npy files, sorted by a field.
#ifndef UPSWEEP_CLI_FILES_RECORDS_H
#define UPSWEEP_CLI_FILES_RECORDS_H

#include "cli/files/array.h"
#include "cli/files/key_codec.h"
#include "cli/files/mapping.h"
#include "cli/files/record_type.h"
#include "cli/files/row_blocks.h"

#include <span>

namespace upsweep::cli {

struct Records {
  RecordType type;
  RecordField field;  // the chosen one
  std::vector<size_t> shape;
  bool is_fortran = false;
  const std::byte *data = nullptr;
  size_t count = 0;
  int version = 1;  // of the header
  std::shared_ptr<const Mapping> file{};

  [[nodiscard]] size_t bytes() const { return count * type.bytes; }
  // Copies the field of `n` records from `begin` on.
  void gather(size_t begin, size_t n, std::byte *to) const;
  // A record with its key.
  [[nodiscard]] Row row(size_t index, uint64_t key) const {
    return {key, reinterpret_cast<const char *>(data) + index * type.bytes, nullptr, static_cast<uint32_t>(type.bytes), 0};
  }
  // The header of a file with `n` of these records.
  [[nodiscard]] std::string header(size_t n) const;
};

// Whether the file is an .npy file of records.
bool has_records(std::span<const std::byte> bytes);
// The error continues a sentence that starts with the file's name.
Result<Records> open_records(const std::shared_ptr<const Mapping> &file, const InputOptions &options);
// The field as an array in memory of its own.
Array field_of(const Records &records);

// Keys of records as numbers in the order of a sort.
class RecordKeys {
public:
  RecordKeys(const Records &records, bool is_descending) : records_(records), codec_(*records.field.type, is_descending) {}
  void load(size_t begin, size_t n, uint64_t *to);

private:
  const Records &records_;
  KeyCodec codec_;
  std::vector<std::byte> fields_;
};

}  // namespace upsweep::cli
#endif
