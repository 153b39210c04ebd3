// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Determines the folders; resolves symbolic links, as Landlock does.
#include "compiler/safety/readable_folders.h"

#include "compiler/options.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace upsweep::compiler {
namespace {

/// Directives and operators that read files contain one of these words, unless a spliced line splits it.
bool may_read_files(llvm::StringRef text) {
  return llvm::any_of(llvm::ArrayRef<llvm::StringRef>{"include", "import", "embed", "\\\n", "\\\r", "?\?/"},
                      [&](llvm::StringRef word) { return text.contains(word); });
}

bool mentions_files(const Request &request) {
  return may_read_files(request.source) ||
         llvm::any_of(request.headers, [](const Header &header) { return may_read_files(header.text); });
}

}  // namespace

ReadableFolders::ReadableFolders(const Options &options, const Request &request) {
  if (!mentions_files(request)) return;
  for (llvm::StringRef argument : options.clang_arguments) {
    // Without a current folder, a relative name is invalid; this process is in another folder.
    if (argument.consume_front("-I") && (!request.folder.empty() || llvm::sys::path::is_absolute(argument))) add(argument);
    if (!argument.consume_front("-D")) continue;
    const llvm::StringRef value = argument.split('=').second.trim("\"");
    if (value.starts_with("/") && value.find_first_not_of('/') != llvm::StringRef::npos) add(value);
  }
  num_named_ = paths_.size();
  if (request.folder != "/") add(request.folder);
}

void ReadableFolders::add(llvm::StringRef folder) {
  llvm::SmallString<256> path;
  if (!llvm::sys::fs::real_path(folder, path) && llvm::sys::fs::is_directory(path) && !llvm::is_contained(paths_, path.str()))
    paths_.push_back(path.str().str());
}

bool ReadableFolders::is_below(llvm::StringRef path, size_t num_folders) const {
  llvm::SmallString<256> real;
  if (llvm::sys::fs::real_path(path, real)) return false;
  return llvm::any_of(llvm::ArrayRef(paths_).take_front(num_folders), [&](const std::string &folder) {
    llvm::StringRef rest = real;
    return rest.consume_front(folder) && (rest.empty() || rest.starts_with("/") || llvm::StringRef(folder).ends_with("/"));
  });
}

std::string ReadableFolders::list() const {
  std::string text;
  for (const std::string &path : paths_) text += (text.empty() ? "'" : ", '") + path + "'";
  return text.empty() ? "none" : text;
}

}  // namespace upsweep::compiler
