// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The folders that a build may read: the folders that its options name, and the current folder. UPSWEEP_COMPILER_SANDBOX=off
// lifts the restriction.
#ifndef UPSWEEP_COMPILER_SAFETY_READABLE_FOLDERS_H
#define UPSWEEP_COMPILER_SAFETY_READABLE_FOLDERS_H

#include "compiler/client/protocol.h"

#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace upsweep::compiler {

struct Options;

class ReadableFolders {
public:
  /// Collects the folders of -I, and absolute paths that -D defines (`-D INCLUDE_PATH=/usr/share/x`, as hashcat does; not `-D
  /// OPERATOR=/`). Adds the current folder unless it is "/", if the source mentions files at all.
  ReadableFolders(const Options &options, const Request &request);

  /// Real paths of folders that exist.
  [[nodiscard]] const std::vector<std::string> &paths() const { return paths_; }
  /// Whether the file, after resolving links, is in one of the folders.
  [[nodiscard]] bool contain(llvm::StringRef path) const { return is_below(path, paths_.size()); }
  /// Whether the file is in a folder that the options name.
  [[nodiscard]] bool name(llvm::StringRef path) const { return is_below(path, num_named_); }
  /// For messages: "'/a', '/b'", or "none".
  [[nodiscard]] std::string list() const;

private:
  void add(llvm::StringRef folder);
  [[nodiscard]] bool is_below(llvm::StringRef path, size_t num_folders) const;

  std::vector<std::string> paths_;
  size_t num_named_ = 0;  ///< the first elements of paths_; the current folder follows them
};

}  // namespace upsweep::compiler
#endif
