// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The output goes to files in memory: two pipes could block each other.
#include "cli/child.h"

#include <array>
#include <cerrno>
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
  MemoryFile() : file_(memfd_create("upsweep-output", MFD_CLOEXEC)) {}
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

}  // namespace

Result<ChildOutput> run_child(std::vector<std::string> words) {
  const MemoryFile output, messages;
  if (output.descriptor() < 0 || messages.descriptor() < 0) return fail("cannot start {}: {}", words[0], std::strerror(errno));
  std::vector<char *> arguments;
  for (std::string &word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, output.descriptor(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, messages.descriptor(), STDERR_FILENO);
  pid_t child = 0;
  const int error = posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error) return fail("cannot start {}: {}", words[0], std::strerror(error));
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  return ChildOutput{WIFEXITED(status) && WEXITSTATUS(status) == 0, output.text(), messages.text()};
}

}  // namespace upsweep::cli
