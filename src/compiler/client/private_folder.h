// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Folders whose files the driver may run as code: nobody but the effective user can have put anything there.
#ifndef UPSWEEP_COMPILER_CLIENT_PRIVATE_FOLDER_H
#define UPSWEEP_COMPILER_CLIENT_PRIVATE_FOLDER_H

#include "compiler/client/unique_fd.h"

#include <sys/stat.h>

#include <filesystem>

namespace upsweep::compiler {

enum class Missing : uint8_t { kFail, kCreate };

/// True for the effective user's files and folders that nobody else can write. Access lists show as the group's rights.
[[nodiscard]] bool is_private(const struct stat &status);

/// The folder that a user names, by a handle for the *at() functions. Symbolic links in the path are followed, for the user
/// wrote them. It belongs to the effective user or root, and either nobody else can write it or its sticky bit keeps others
/// from what is not theirs (/tmp). Invalid otherwise. New folders have mode 0700 whatever the umask; root makes none among the
/// folders of another user, whose HOME it may have.
[[nodiscard]] UniqueFd open_named_folder(const std::filesystem::path &path, Missing missing);

/// A folder within `parent`; invalid unless it is_private(). A symbolic link is no folder.
[[nodiscard]] UniqueFd open_private_folder(const UniqueFd &parent, const char *name, Missing missing);

/// A file within `parent`, for reading; invalid unless it is a regular file that is_private(). Never blocks: a FIFO, socket or
/// device is no file, a symbolic link neither. `status` is filled in.
[[nodiscard]] UniqueFd open_private_file(const UniqueFd &parent, const char *name, struct stat &status);

}  // namespace upsweep::compiler
#endif
