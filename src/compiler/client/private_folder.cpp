// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All checks use an open handle, so that nothing can be exchanged between check and use.
#include "compiler/client/private_folder.h"

#include <fcntl.h>

#include <cerrno>
#include <string>

namespace fs = std::filesystem;

namespace upsweep::compiler {
namespace {

constexpr mode_t kPrivateMode = 0700;
/// A handle needs no right to list the folder.
constexpr int kFolderFlags = O_PATH | O_DIRECTORY | O_CLOEXEC;

bool others_can_write(const struct stat &status) { return (status.st_mode & (S_IWGRP | S_IWOTH)) != 0; }

/// Creates a folder and sets its mode, since the umask may remove the user's own rights.
bool make_folder(int parent, const char *name) {
  if (mkdirat(parent, name, kPrivateMode) != 0) return errno == EEXIST;
  UniqueFd made(openat(parent, name, kFolderFlags | O_NOFOLLOW));
  struct stat status = {};
  if (!made || fstat(made.get(), &status) != 0 || status.st_uid != geteuid()) return false;
  if ((status.st_mode & 0777) == kPrivateMode) return true;
  // fchmod() rejects O_PATH handles, and other handles need rights.
  return chmod(("/proc/self/fd/" + std::to_string(made.get())).c_str(), kPrivateMode) == 0;
}

bool make_folders(const fs::path &path) {
  struct stat status = {};
  if (stat(path.c_str(), &status) == 0) return S_ISDIR(status.st_mode);
  const fs::path parent = path.parent_path();
  if (parent == path || !make_folders(parent)) return false;
  if (geteuid() == 0 && (stat(parent.c_str(), &status) != 0 || status.st_uid != 0)) return false;
  return make_folder(AT_FDCWD, path.c_str());
}

}  // namespace

bool is_private(const struct stat &status) { return status.st_uid == geteuid() && !others_can_write(status); }

UniqueFd open_named_folder(const fs::path &path, Missing missing) {
  UniqueFd folder(open(path.c_str(), kFolderFlags));
  if (!folder && missing == Missing::kCreate && make_folders(path.has_filename() ? path : path.parent_path()))
    folder.reset(open(path.c_str(), kFolderFlags));
  struct stat status = {};
  if (!folder || fstat(folder.get(), &status) != 0) return UniqueFd();
  const bool of_the_user = status.st_uid == geteuid() || status.st_uid == 0;
  const bool safe = !others_can_write(status) || (status.st_mode & S_ISVTX) != 0;
  return of_the_user && safe ? std::move(folder) : UniqueFd();
}

UniqueFd open_private_folder(const UniqueFd &parent, const char *name, Missing missing) {
  if (!parent) return UniqueFd();
  UniqueFd folder(openat(parent.get(), name, kFolderFlags | O_NOFOLLOW));
  if (!folder && errno == ENOENT && missing == Missing::kCreate && make_folder(parent.get(), name))
    folder.reset(openat(parent.get(), name, kFolderFlags | O_NOFOLLOW));
  struct stat status = {};
  if (!folder || fstat(folder.get(), &status) != 0 || !is_private(status)) return UniqueFd();
  return folder;
}

UniqueFd open_private_file(const UniqueFd &parent, const char *name, struct stat &status) {
  if (!parent) return UniqueFd();
  UniqueFd file(openat(parent.get(), name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  if (!file || fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode) || !is_private(status)) return UniqueFd();
  return file;
}

}  // namespace upsweep::compiler
