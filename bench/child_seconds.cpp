// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fork, exec and wait4, whose usage counts the child and the children that it waited for. Processes that it leaves behind,
// such as a driver's compiler, become children of this process (a subreaper) and count, too.
#include "bench/child_seconds.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace upsweep::bench {

std::optional<double> child_seconds(const std::vector<std::string> &command, unsigned limit) {
  std::vector<char *> words;
  for (const std::string &word : command) words.push_back(const_cast<char *>(word.c_str()));
  words.push_back(nullptr);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  const pid_t child = fork();
  if (child < 0) return std::nullopt;
  if (child == 0) {
    const int null = open("/dev/null", O_RDWR);
    if (null < 0) _exit(127);
    dup2(null, STDOUT_FILENO);
    dup2(null, STDERR_FILENO);
    const rlimit time = {limit, limit};
    setrlimit(RLIMIT_CPU, &time);
    alarm(4 * limit);  // for a child that hangs; other work on the machine may slow it down
    execv(words[0], words.data());
    _exit(127);
  }
  auto seconds = [](const timeval &time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  int status = 0;
  rusage usage = {};
  bool failed = wait4(child, &status, 0, &usage) != child || status != 0;
  double sum = seconds(usage.ru_utime) + seconds(usage.ru_stime);
  while (wait4(-1, &status, 0, &usage) > 0) sum += seconds(usage.ru_utime) + seconds(usage.ru_stime);
  failed |= sum > limit;
  return failed ? std::nullopt : std::optional(sum);
}

}  // namespace upsweep::bench
