// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Starts `git cat-file`.
#include "cli/git_file.h"

#include "cli/child.h"

#include <algorithm>
#include <cstdlib>

namespace upsweep::cli {

Result<std::string> read_from_git(const std::string &name) {
  if (name.starts_with('-')) return misuse("'{}' is not a revision and a file: write REVISION:FILE", name);
  setenv("GIT_TERMINAL_PROMPT", "0", 1);  // a partial clone may ask for a password
  auto git = run_child({"git", "--no-pager", "cat-file", "blob", name});
  if (!git) return fail("cannot read '{}': {}", name, git.error());
  const std::string &messages = git->messages;
  if (!git->is_success)
    return fail("cannot read '{}': git: {}", name, messages.substr(0, std::min(messages.find('\n'), messages.size())));
  return std::move(git->output);
}

}  // namespace upsweep::cli
