// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds servers in /proc by the mark that they inherited.
#include "process_fixture.h"

#include <sys/wait.h>

#include <chrono>
#include <fstream>
#include <sstream>
#include <thread>

namespace fs = std::filesystem;

namespace upsweep::compiler::test {

namespace {

std::vector<pid_t> compilers_with_mark(const std::string &mark, bool only_builds) {
  std::vector<pid_t> found;
  for (const auto &entry : fs::directory_iterator("/proc")) {
    std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    auto read = [&](const char *file) {
      std::ostringstream text;  // if the process ends meanwhile, reading stops at the error
      text << std::ifstream(entry.path() / file).rdbuf();
      return text.str();
    };
    if (only_builds && read("comm") != "upsweepc-build\n") continue;
    if (read("cmdline").find("--server") != std::string::npos && read("environ").find(mark) != std::string::npos)
      found.push_back(std::stoi(name));
  }
  return found;
}

}  // namespace

std::vector<pid_t> servers_with_mark(const std::string &mark) { return compilers_with_mark(mark, false); }
std::vector<pid_t> builds_with_mark(const std::string &mark) { return compilers_with_mark(mark, true); }

bool eventually(const std::function<bool()> &holds) {
  for (int i = 0; i < 3000; ++i) {
    if (holds()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

int in_child(const std::string &mark, const std::function<int()> &body) {
  pid_t child = fork();
  if (child == 0) {
    setenv("UPSWEEP_TEST_MARK", mark.c_str(), 1);
    _exit(body());
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 256 + WTERMSIG(status);
}

std::string fresh_source(const std::string &extra) {
  static int number = 0;
  return "// " + std::to_string(getpid()) + "." + std::to_string(number++) + "\n" + extra + "\n" + kAdd;
}

std::string endless() {
  std::string text =
      "constexpr unsigned spin(unsigned n) { unsigned s = 0; for (unsigned i = 0; i < n; ++i) s += i; return s; }\n";
  for (int i = 0; i < 1000; ++i) text += "constant unsigned v" + std::to_string(i) + " = spin(300000);\n";
  return text;
}

}  // namespace upsweep::compiler::test
