// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Folders whose files the driver may run as code, because only the effective user can have written them.
#ifndef UPSWEEP_COMPILER_CLIENT_PRIVATE_FOLDER_H
#define UPSWEEP_COMPILER_CLIENT_PRIVATE_FOLDER_H

#include "compiler/client/unique_fd.h"

#include <sys/stat.h>

#include <filesystem>

namespace upsweep::compiler {

enum class Missing : uint8_t { kFail, kCreate };

/// True for files and folders of the effective user that no other user can write. Access lists appear as the group's rights.
[[nodiscard]] bool is_private(const struct stat &status);

/// Opens a user's folder as a handle for the *at() functions. Follows symbolic links in the path, since the user wrote it. The
/// folder must belong to the effective user or root, and be writable by no other user unless its sticky bit protects files
/// (/tmp); otherwise the result is invalid. New folders have mode 0700 whatever the umask. Root creates none within another
/// user's folders, since its HOME may be that user's.
[[nodiscard]] UniqueFd open_named_folder(const std::filesystem::path &path, Missing missing);

/// Opens a folder within `parent`; invalid unless it is_private(). A symbolic link is not accepted.
[[nodiscard]] UniqueFd open_private_folder(const UniqueFd &parent, const char *name, Missing missing);

/// Opens a file within `parent` for reading; invalid unless it is a regular file that is_private(). Never blocks on a FIFO,
/// socket or device; does not follow a symbolic link. Sets `status`.
[[nodiscard]] UniqueFd open_private_file(const UniqueFd &parent, const char *name, struct stat &status);

}  // namespace upsweep::compiler
#endif
