// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names of the files in the disk cache. Files of other names are not ours, and nothing is done to them.
#ifndef UPSWEEP_COMPILER_CLIENT_CACHE_NAMES_H
#define UPSWEEP_COMPILER_CLIENT_CACHE_NAMES_H

#include <cstddef>
#include <string_view>

namespace upsweep::compiler {

inline constexpr char kRootName[] = "upsweep";
/// Its time of change is that of the last eviction.
inline constexpr char kEvictionStamp[] = "evicted";
/// Of a file that is being written, before 16 random digits.
inline constexpr char kTemporaryPrefix[] = "writing-";
inline constexpr size_t kTemporaryNameBytes = sizeof(kTemporaryPrefix) - 1 + 16;
/// A hash's 32 digits, split into folder and file.
inline constexpr size_t kFolderNameDigits = 2;
inline constexpr size_t kFileNameDigits = 32 - kFolderNameDigits;

inline bool are_digits(std::string_view text, size_t count) {
  return text.size() == count && text.find_first_not_of("0123456789abcdef") == text.npos;
}
inline bool is_entry_folder(std::string_view name) { return are_digits(name, kFolderNameDigits); }
inline bool is_entry_file(std::string_view name) { return are_digits(name, kFileNameDigits); }
inline bool is_temporary_file(std::string_view name) {
  return name.starts_with(kTemporaryPrefix) && are_digits(name.substr(sizeof(kTemporaryPrefix) - 1), 16);
}

}  // namespace upsweep::compiler
#endif
