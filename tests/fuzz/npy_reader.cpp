// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Any bytes as an .npy file: a header that can be written and read again, and its elements, or an error with a text.
#include "cli/files/npy_header.h"

#include <algorithm>
#include <cstdlib>
#include <vector>

using namespace upsweep::cli;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const std::span<const std::byte> bytes(reinterpret_cast<const std::byte *>(data), size);
  const auto header = parse_npy_header(bytes);
  if (!header) {
    if (header.error().empty()) std::abort();
    return 0;
  }
  if (header->data_offset > size) std::abort();
  const size_t count = std::min(header->count, (size - header->data_offset) / header->type.bytes());
  std::vector<double> values(count);
  load_elements(header->type, bytes.data() + header->data_offset, Compute::F64, values.data(), count);
  if (count > 0 && format_element(header->type, bytes.data() + header->data_offset).empty()) std::abort();
  NpyHeader same = *header;
  same.data_offset = 0;
  const std::string text = npy_header_text(same);
  const auto again = parse_npy_header({reinterpret_cast<const std::byte *>(text.data()), text.size()});
  if (!again || again->shape != header->shape || !(again->type == header->type) || again->is_fortran != header->is_fortran ||
      again->data_offset != text.size())
    std::abort();
  return 0;
}
