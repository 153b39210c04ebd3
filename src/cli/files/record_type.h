// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NumPy's structured types, of records with named fields, as .npy headers have them.
#ifndef UPSWEEP_CLI_FILES_RECORD_TYPE_H
#define UPSWEEP_CLI_FILES_RECORD_TYPE_H

#include "cli/files/array.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace upsweep::cli {

struct RecordField {
  std::string name;
  std::string descr;  // of its type; "[...]" for fields of records
  size_t offset = 0, bytes = 0;
  std::optional<ElementType> type{};  // of a single number
};

struct RecordType {
  std::string descr;  // the text of the type
  std::vector<RecordField> fields;
  size_t bytes = 0;
};

// `text` begins with the text of a type, and goes on. The error continues a sentence that starts with the file's name.
Result<RecordType> parse_record_type(std::string_view text);

// The field that `options` name; the error lists the names.
Result<RecordField> find_field(const RecordType &type, const InputOptions &options);

}  // namespace upsweep::cli
#endif
