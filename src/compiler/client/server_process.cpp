// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Starts the compiler server with clone(2).
#include "compiler/client/server_process.h"

#include "base/across_fork.h"
#include "base/options.h"
#include "base/sanitizer.h"
#include "compiler/client/protocol.h"

#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <csignal>
#include <cstring>

namespace upsweep::compiler {
namespace {

constexpr size_t kStackBytes = 64 << 10;
/// Share the application's memory instead of copying it, like vfork(); the thread sanitizer does not support that.
constexpr int kShared = kNeedsHugeAddressSpace ? 0 : CLONE_VM | CLONE_VFORK;

bool executable(const std::string &path) { return access(path.c_str(), X_OK) == 0; }

/// The file from which this code was loaded, by the dynamic loader's name; empty if unknown.
std::string own_file() {
  Dl_info info = {};
  return dladdr(reinterpret_cast<const void *>(&own_file), &info) && info.dli_fname ? info.dli_fname : "";
}

std::string find_compiler() {
  if (!options().compiler.empty()) return options().compiler;
  char *real = realpath(own_file().c_str(), nullptr);
  if (!real) return "";
  std::string folder(real);
  free(real);
  folder.erase(folder.rfind('/') + 1);
  for (const char *place : {"../bin/upsweepc", "../../bin/upsweepc", "upsweepc"})
    if (executable(folder + place)) return folder + place;
  return "";
}

struct Launch {
  const char *path;
  char *const *arguments;
  char *const *variables;
  int socket;
  char *stack_end;  ///< of the second clone's stack
};

/// close_range() for kernels and sandboxes that lack it, using the list of open descriptors. Makes only system calls, as below.
UPSWEEP_NOT_SANITIZED void close_from(int first) {
  if (syscall(SYS_close_range, first, ~0U, 0) == 0) return;
  int folder = open("/proc/self/fd", O_RDONLY | O_DIRECTORY);
  if (folder < 0) return;
  alignas(dirent64) char entries[2048];
  long bytes = 0;
  while ((bytes = syscall(SYS_getdents64, folder, entries, sizeof entries)) > 0) {
    for (long at = 0; at < bytes; at += reinterpret_cast<const dirent64 *>(entries + at)->d_reclen) {
      int number = 0;
      for (const char *digit = reinterpret_cast<const dirent64 *>(entries + at)->d_name; *digit >= '0' && *digit <= '9';
           ++digit)
        number = number * 10 + (*digit - '0');
      if (number >= first && number != folder) close(number);
    }
  }
  close(folder);
}

/// Runs between clone and exec in memory shared with the application, so it makes only system calls. On failure the socket
/// closes, which tells the client.
UPSWEEP_NOT_SANITIZED int become_server(void *argument) {
  const auto &launch = *static_cast<Launch *>(argument);
  // dup2 to the same number would keep close-on-exec, and the loop below may close the socket.
  int socket = fcntl(launch.socket, F_DUPFD, kControlDescriptor + 1);
  if (socket < 0 || dup2(socket, kControlDescriptor) < 0) _exit(1);
  close_from(kControlDescriptor + 1);
  int null = open("/dev/null", O_RDWR);
  if (null < 0) _exit(1);
  for (int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(null, fd);
  if (null > kControlDescriptor) close(null);
  setsid();  // a terminal's interrupt must only reach the application
  execve(launch.path, launch.arguments, launch.variables);
  _exit(1);
}

/// The intermediate process: when it ends, init adopts the server.
UPSWEEP_NOT_SANITIZED int start_and_leave(void *argument) {
  auto &launch = *static_cast<Launch *>(argument);
  int child = clone(become_server, launch.stack_end, kShared, &launch);
  _exit(child < 0 ? 1 : 0);
}

/// Two stacks in one mapping. The processes run one after another, but the first returns into its own stack.
class Stacks {
public:
  Stacks() : memory_(mmap(nullptr, 2 * kStackBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0)) {}
  ~Stacks() {
    if (ok()) munmap(memory_, 2 * kStackBytes);
  }
  Stacks(const Stacks &) = delete;
  Stacks &operator=(const Stacks &) = delete;
  [[nodiscard]] bool ok() const { return memory_ != MAP_FAILED; }
  [[nodiscard]] char *end(int which) const { return static_cast<char *>(memory_) + (which + 1) * kStackBytes; }

private:
  void *memory_;
};

/// Runs the intermediate process and waits for it. With exit signal 0 there is no SIGCHLD, and waits for any child ignore it.
bool launch_detached(Launch &launch) {
  Stacks stacks;
  if (!stacks.ok()) return false;  // the reason is in errno
  launch.stack_end = stacks.end(1);
  // Block the application's signal handlers, which must not run in a process that shares its memory. The server resets its
  // mask.
  sigset_t all, saved;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &saved);
  int child = clone(start_and_leave, stacks.end(0), kShared, &launch);
  int reason = child < 0 ? errno : EAGAIN;
  int status = 1;
  if (child > 0)
    while (waitpid(child, &status, __WCLONE) < 0 && errno == EINTR);
  pthread_sigmask(SIG_SETMASK, &saved, nullptr);
  if (child > 0 && status == 0) return true;
  errno = reason;
  return false;
}

const MadeWithPlatform path_made([] { static_cast<void>(compiler_path()); });

}  // namespace

const std::string &compiler_path() {
  static const std::string path = find_compiler();
  return path;
}

std::string why_no_compiler() {
  const std::string &path = compiler_path();
  struct stat status = {};
  std::string reason;
  if (!path.empty() && stat(path.c_str(), &status) != 0)
    reason = path + ": " + strerror(errno);
  else if (stat(own_file().c_str(), &status) != 0)
    reason = "cannot find the driver's own file " + own_file() + ", which gives the folder: " + strerror(errno);
  else
    reason = "it is not in ../bin beside the driver, " + own_file();
  if (!options().compiler.empty()) return "upsweepc cannot be found: UPSWEEP_COMPILER names " + reason;
  return "upsweepc cannot be found: " + reason +
         " (after chroot() the driver and upsweepc must be at the same places in the new root folder, or UPSWEEP_COMPILER must "
         "name the compiler)";
}

std::string compiler_build_id() {
  struct stat status = {};
  if (compiler_path().empty() || stat(compiler_path().c_str(), &status) != 0) return "";
  std::string id = std::to_string(status.st_size);
  // Packages may set the modification time; the change time distinguishes two compilers of the same size.
  for (const timespec &time : {status.st_mtim, status.st_ctim})
    id += "." + std::to_string(time.tv_sec) + "." + std::to_string(time.tv_nsec);
  return id;
}

UniqueFd start_server() {
  if (!executable(compiler_path())) return UniqueFd();
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return UniqueFd();
  UniqueFd ours(ends[0]), theirs(ends[1]);
  std::string path = compiler_path();
  char mode[] = "--server";
  char *const arguments[] = {path.data(), mode, nullptr};
  // A program with raised rights ignores its environment, so the compiler must too.
  char *const nothing[] = {nullptr};
  Launch launch = {path.c_str(), arguments, has_raised_rights() ? nothing : environ, theirs.get(), nullptr};
  return launch_detached(launch) ? std::move(ours) : UniqueFd();
}

}  // namespace upsweep::compiler
