// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names of files in the disk cache. Files with other names belong to the user and are never touched.
#ifndef UPSWEEP_COMPILER_CLIENT_CACHE_NAMES_H
#define UPSWEEP_COMPILER_CLIENT_CACHE_NAMES_H

#include <cstddef>
#include <string_view>

namespace upsweep::compiler {

inline constexpr char kRootName[] = "upsweep";
/// Its modification time is the time of the last eviction.
inline constexpr char kEvictionStamp[] = "evicted";
/// Prefix of a file that is being written; 16 random digits follow.
inline constexpr char kTemporaryPrefix[] = "writing-";
inline constexpr size_t kTemporaryNameBytes = sizeof(kTemporaryPrefix) - 1 + 16;
/// Digits of the 32-digit hash that name the folder; the others name the file.
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
