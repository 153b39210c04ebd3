// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads blocks.
#include "cli/files/row_blocks.h"

namespace upsweep::cli {

size_t RowFile::rows_of(const std::byte *block, Row *to) const {
  uint64_t count = 0;
  std::memcpy(&count, block, sizeof(count));
  const std::byte *record = block + sizeof(count);
  const char *end = reinterpret_cast<const char *>(block) + block_bytes_;
  for (size_t i = 0; i < count; ++i, record += sizeof(Record)) {
    Record stored{};
    std::memcpy(&stored, record, sizeof(stored));
    const char *row = end - stored.row_bytes;
    end = row - stored.text_bytes;
    to[i] = {stored.key, row, end, stored.row_bytes, stored.text_bytes};
  }
  return count;
}

}  // namespace upsweep::cli
