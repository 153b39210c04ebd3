// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fork, exec and wait4, whose usage counts the child alone.
#include "bench/child_seconds.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace upsweep::bench {

std::optional<double> child_seconds(const std::vector<std::string> &command, unsigned limit) {
  std::vector<char *> words;
  for (const std::string &word : command) words.push_back(const_cast<char *>(word.c_str()));
  words.push_back(nullptr);
  const pid_t child = fork();
  if (child < 0) return std::nullopt;
  if (child == 0) {
    const int null = open("/dev/null", O_RDWR);
    dup2(null, STDOUT_FILENO);
    dup2(null, STDERR_FILENO);
    const rlimit time = {limit, limit};
    setrlimit(RLIMIT_CPU, &time);
    execv(words[0], words.data());
    _exit(127);
  }
  int status = 0;
  rusage usage = {};
  if (wait4(child, &status, 0, &usage) != child || status != 0) return std::nullopt;
  auto seconds = [](const timeval &time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

}  // namespace upsweep::bench
