// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Starts `git cat-file`, whose output goes to files in memory: two pipes could block each other.
#include "cli/git_file.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

namespace upsweep::cli {
namespace {

// A file without a name, which ends with this object.
class MemoryFile {
public:
  MemoryFile() : file_(memfd_create("upsweep-git", MFD_CLOEXEC)) {}
  MemoryFile(const MemoryFile &) = delete;
  MemoryFile &operator=(const MemoryFile &) = delete;
  ~MemoryFile() {
    if (file_ >= 0) close(file_);
  }
  [[nodiscard]] int descriptor() const { return file_; }
  [[nodiscard]] std::string text() const {
    std::string all;
    std::array<char, 1 << 16> part{};
    ssize_t count = 0;
    while ((count = pread(file_, part.data(), part.size(), static_cast<off_t>(all.size()))) > 0)
      all.append(part.data(), static_cast<size_t>(count));
    return all;
  }

private:
  int file_;
};

std::string first_line(const std::string &text) { return text.substr(0, std::min(text.find('\n'), text.size())); }

}  // namespace

Result<std::string> read_from_git(const std::string &name) {
  if (name.starts_with('-')) return misuse("'{}' is not a revision and a file: write REVISION:FILE", name);
  const MemoryFile output, messages;
  if (output.descriptor() < 0 || messages.descriptor() < 0) return fail("cannot read '{}': {}", name, std::strerror(errno));
  std::array<std::string, 5> words{"git", "--no-pager", "cat-file", "blob", name};
  std::array<char *, 6> arguments{};
  for (size_t i = 0; i < words.size(); ++i) arguments[i] = words[i].data();
  setenv("GIT_TERMINAL_PROMPT", "0", 1);  // a partial clone may ask for a password
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, output.descriptor(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, messages.descriptor(), STDERR_FILENO);
  pid_t git = 0;
  const int error = posix_spawnp(&git, "git", &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error) return fail("cannot read '{}': cannot start git: {}", name, std::strerror(error));
  int status = 0;
  while (waitpid(git, &status, 0) < 0 && errno == EINTR) continue;
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    return fail("cannot read '{}': git: {}", name, first_line(messages.text()));
  return output.text();
}

}  // namespace upsweep::cli
