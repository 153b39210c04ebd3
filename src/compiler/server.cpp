// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The server's loop. One thread, so that forking is safe; children end with it.
#include "compiler/server.h"

#include "base/options.h"
#include "base/sanitizer.h"
#include "compiler/client/disk_cache.h"
#include "compiler/confined_job.h"
#include "compiler/resident_code.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstring>
#include <new>
#include <vector>

namespace upsweep::compiler {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kOutOfMemoryStatus = 77;

struct Worker {
  pid_t pid = 0;
  UniqueFd client;    ///< the answer goes here
  UniqueFd messages;  ///< the child's standard error
  Clock::time_point deadline;
  bool timed_out = false;
};

void limit_resources() {
  rlim_t bytes = static_cast<rlim_t>(options().compile_memory_mib) << 20;
  rlimit limit = {bytes, bytes};
  if (!kNeedsHugeAddressSpace) setrlimit(RLIMIT_AS, &limit);
  // What Clang counts on, however much or little the application has: an endless recursion ends before it has taken all memory.
  constexpr rlim_t kStackBytes = rlim_t{8} << 20;
  if (getrlimit(RLIMIT_STACK, &limit) == 0) {
    limit.rlim_cur = std::min(kStackBytes, limit.rlim_max);
    setrlimit(RLIMIT_STACK, &limit);
  }
  rlimit no_core = {0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  std::set_new_handler([] { _exit(kOutOfMemoryStatus); });
  llvm::install_bad_alloc_error_handler([](void *, const char *, bool) { _exit(kOutOfMemoryStatus); });
}

/// A client that no longer waits is no error.
void answer(const UniqueFd &client, const Completion &completion, std::span<const int> descriptors) {
  (void)send_message(client.get(), {reinterpret_cast<const uint8_t *>(&completion), sizeof(completion)}, descriptors);
}

/// The server's descriptors and those of other requests; standard files stay, and the client's socket.
void close_all_but(int kept) {
  if (kept > STDERR_FILENO + 1) syscall(SYS_close_range, STDERR_FILENO + 1, kept - 1, 0);
  syscall(SYS_close_range, kept + 1, ~0U, 0);
}

/// In the child. It answers by itself when all goes well, for its end takes longer than its answer; status 0 says that it has.
[[noreturn]] void work(const UniqueFd &request_file, const Worker &worker) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  dup2(worker.messages.get(), STDERR_FILENO);
  limit_resources();
  MappedFile contents(request_file.get());
  std::optional<Request> request = decode_request(contents.bytes());
  if (!request || chdir(request->folder.c_str()) != 0) _exit(1);
  close_all_but(worker.client.get());
  Session session;
  UniqueFd result = make_memory_file(encode(run_confined_job(*request, session)));
  if (!result) _exit(kOutOfMemoryStatus);
  Completion completion;
  completion.code = Completion::Code::kDone;
  int descriptor = result.get();
  answer(worker.client, completion, {&descriptor, 1});
  _exit(0);  // nothing to clean up is worth the time
}

class Server {
public:
  int run() {
    set_up_signals();
    while (serve_once(milliseconds_to_deadline())) {
      // The first child takes about as long as all of this does. No request waits for more than a page of it.
      while (!workers_.empty() && !something_to_do() && code_.keep_next_page());
    }
    // An application that builds one program is gone by now.
    if (next_eviction_ != Clock::time_point()) DiskCache::instance().evict_if_due();
    return 0;
  }

private:
  void set_up_signals() {
    // The application's choices came along through exec.
    for (int number = 1; number < SIGRTMIN; ++number) signal(number, SIG_DFL);
    signal(SIGPIPE, SIG_IGN);
    sigset_t children;
    sigemptyset(&children);
    sigaddset(&children, SIGCHLD);
    sigprocmask(SIG_SETMASK, &children, nullptr);
    child_ended_.reset(signalfd(-1, &children, SFD_CLOEXEC | SFD_NONBLOCK));
  }

  struct Events {
    bool request = false, child_ended = false;
  };

  Events wait_for_events(int milliseconds) const {
    pollfd wait[] = {{kControlDescriptor, POLLIN, 0}, {child_ended_.get(), POLLIN, 0}};
    poll(wait, 2, milliseconds);
    return {wait[0].revents != 0, wait[1].revents != 0};
  }

  bool something_to_do() const {
    const Events events = wait_for_events(0);
    return events.request || events.child_ended;
  }

  /// Waits for something to do and does it; false when the client is gone.
  bool serve_once(int milliseconds) {
    const Events events = wait_for_events(milliseconds);
    if (events.child_ended) reap();
    stop_overdue();
    return !events.request || accept_request();
  }

  bool accept_request() {
    uint8_t content[1];
    UniqueFd descriptors[2];
    ssize_t n = receive_message(kControlDescriptor, content, descriptors);
    if (n <= 0) return false;
    if (descriptors[0] && descriptors[1]) start(std::move(descriptors[0]), std::move(descriptors[1]));
    return true;
  }

  void start(UniqueFd request, UniqueFd client) {
    Worker worker;
    worker.client = std::move(client);
    worker.messages = make_memory_file({});
    worker.deadline = Clock::now() + std::chrono::seconds(options().compile_timeout_s);
    worker.pid = fork();
    if (worker.pid == 0) work(request, worker);
    if (worker.pid < 0) return report_failure(worker, Completion::Code::kFailed, 0);
    workers_.push_back(std::move(worker));
  }

  int milliseconds_to_deadline() const {
    if (workers_.empty()) return -1;
    auto earliest = std::min_element(workers_.begin(), workers_.end(),
                                     [](const Worker &a, const Worker &b) { return a.deadline < b.deadline; });
    auto left = std::chrono::ceil<std::chrono::milliseconds>(earliest->deadline - Clock::now()).count();
    return static_cast<int>(std::clamp<int64_t>(left, 0, 1000 * 3600));
  }

  void stop_overdue() {
    for (Worker &worker : workers_)
      if (!worker.timed_out && Clock::now() >= worker.deadline) {
        worker.timed_out = true;
        worker.deadline = Clock::time_point::max();
        kill(worker.pid, SIGKILL);
      }
  }

  void reap() {
    signalfd_siginfo information;
    while (read(child_ended_.get(), &information, sizeof(information)) > 0);
    int status = 0;
    for (pid_t pid = 0; (pid = waitpid(-1, &status, WNOHANG)) > 0;) {
      auto worker = std::find_if(workers_.begin(), workers_.end(), [&](const Worker &w) { return w.pid == pid; });
      if (worker == workers_.end()) continue;
      complete(*worker, status);
      workers_.erase(worker);
    }
  }

  void complete(Worker &worker, int status) {
    using Code = Completion::Code;
    if (worker.timed_out)
      report_failure(worker, Code::kTimedOut, static_cast<uint32_t>(options().compile_timeout_s));
    else if (WIFSIGNALED(status))
      report_failure(worker, Code::kCrashed, WTERMSIG(status));
    else if (WEXITSTATUS(status) == kOutOfMemoryStatus)
      report_failure(worker, Code::kOutOfMemory, static_cast<uint32_t>(options().compile_memory_mib));
    else if (WEXITSTATUS(status) != 0)
      report_failure(worker, Code::kFailed, 0);
    else
      evict_now_and_then();
  }

  /// In a process of its own: those that compile may write no file, and this one must not be busy.
  void evict_now_and_then() {
    constexpr std::chrono::minutes kInterval{1};
    if (Clock::now() < next_eviction_) return;
    next_eviction_ = Clock::now() + kInterval;
    if (fork() != 0) return;
    DiskCache::instance().evict_if_due();
    _exit(0);
  }

  static void report_failure(const Worker &worker, Completion::Code code, uint32_t detail) {
    Completion completion;
    completion.code = code;
    completion.detail = detail;
    (void)!pread(worker.messages.get(), completion.text, sizeof(completion.text) - 1, 0);
    answer(worker.client, completion, {});
  }

  ResidentCode code_;
  UniqueFd child_ended_;
  std::vector<Worker> workers_;
  Clock::time_point next_eviction_;  ///< in the past until something was built
};

}  // namespace

int run_server() {
  // Started by hand there is no client, and nothing to do.
  if (fcntl(kControlDescriptor, F_GETFD) < 0) return 2;
  fcntl(kControlDescriptor, F_SETFD, FD_CLOEXEC);
  if (chdir("/") != 0) return 2;
  return Server().run();
}

}  // namespace upsweep::compiler
