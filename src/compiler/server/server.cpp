// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The server's loop. It has one thread, so forking is safe; children end with it. Requests wait in the order of their arrival
// until has_slot(). A build's time limit starts when the build does.
#include "compiler/server/server.h"

#include "base/options.h"
#include "base/sanitizer.h"
#include "compiler/client/disk_cache.h"
#include "compiler/code/code_generation.h"
#include "compiler/server/build_slots.h"
#include "compiler/server/confined_job.h"
#include "compiler/server/resident_code.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <deque>
#include <new>
#include <utility>
#include <vector>

namespace upsweep::compiler {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kOutOfMemoryStatus = 77;

/// The name of compiling processes in lists of processes, instead of the server's name.
constexpr char kBuildProcessName[] = "upsweepc-build";

/// Descriptors of the server itself, including short-lived ones.
constexpr rlim_t kDescriptorsOfServer = 16;
/// Descriptors per request, and per worker.
constexpr rlim_t kDescriptorsOfRequest = 2;

struct Waiting {
  UniqueFd client;   ///< receives the answer
  UniqueFd request;  ///< a memory file
};

struct Worker {
  pid_t pid = 0;
  UniqueFd client;    ///< receives the answer
  UniqueFd messages;  ///< the child's standard error
  Clock::time_point deadline;
  bool timed_out = false;
};

void limit_resources() {
  rlim_t bytes = static_cast<rlim_t>(options().compile_memory_mib) << 20;
  rlimit limit = {bytes, bytes};
  if (!kNeedsHugeAddressSpace) setrlimit(RLIMIT_AS, &limit);
  // Clang's default, independent of the application's limit: endless recursion then ends before it exhausts the memory.
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

/// Allows far more concurrent requests than one application needs.
rlim_t raise_descriptor_limit() {
  rlimit limit = {};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return 0;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
  return limit.rlim_cur;
}

/// Sends an answer; a client that no longer waits is not an error.
void answer(const UniqueFd &client, const Completion &completion, std::span<const int> descriptors, Full full = Full::kWait) {
  (void)send_message(client.get(), {reinterpret_cast<const uint8_t *>(&completion), sizeof(completion)}, descriptors, full);
}

void answer(const UniqueFd &client, Completion::Code code, int detail) {
  Completion completion;
  completion.code = code;
  completion.detail = static_cast<uint32_t>(detail);
  answer(client, completion, {}, code == Completion::Code::kAlive ? Full::kDrop : Full::kWait);
}

bool is_gone(const UniqueFd &client) {
  pollfd wait = {client.get(), 0, 0};
  return poll(&wait, 1, 0) > 0;
}

/// Closes the descriptors of the server and of other requests; keeps standard files and the client's socket.
void close_all_but(int kept) {
  if (kept > STDERR_FILENO + 1) syscall(SYS_close_range, STDERR_FILENO + 1, kept - 1, 0);
  syscall(SYS_close_range, kept + 1, ~0U, 0);
}

/// Runs in the child. It sends the answer itself on success, since its exit takes longer; status 0 tells the server that it
/// has.
[[noreturn]] void work(const UniqueFd &request_file, const Worker &worker) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  prctl(PR_SET_NAME, kBuildProcessName);
  dup2(worker.messages.get(), STDERR_FILENO);
  limit_resources();
  MappedFile contents(request_file.get());
  if (!contents.ok()) _exit(kOutOfMemoryStatus);
  std::optional<Request> request = decode_request(contents.bytes());
  if (!request) _exit(1);
  // Fails, for example, if the program gave up rights; relative names then refer to no file.
  if (chdir(request->folder.c_str()) != 0) request->folder.clear();
  close_all_but(worker.client.get());
  Session session;
  UniqueFd result = make_memory_file(encode(run_confined_job(*request, session)));
  if (!result) {
    if (errno == ENOMEM || errno == ENOSPC) _exit(kOutOfMemoryStatus);
    answer(worker.client, Completion::Code::kOutOfResources, errno);
    _exit(0);
  }
  Completion completion;
  completion.code = Completion::Code::kDone;
  int descriptor = result.get();
  answer(worker.client, completion, {&descriptor, 1});
  _exit(0);  // skip destructors to save time
}

class Server {
public:
  int run() {
    set_up_signals();
    descriptors_ = raise_descriptor_limit();
    while (serve_once(milliseconds_to_deadline())) {
      // The first child takes about as long as all of this, so no request waits for more than one page.
      if (!workers_.empty() && !std::exchange(has_tables_, true)) make_shared_tables();
      while (!workers_.empty() && !something_to_do() && code_.keep_next_page());
    }
    // An application that builds only one program has ended by now.
    if (next_eviction_ != Clock::time_point()) DiskCache::instance().evict_if_due();
    return 0;
  }

private:
  void set_up_signals() {
    // Reset the application's signal dispositions, which exec preserves.
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
    // If there are too few descriptors, requests wait in the socket.
    const short what = can_accept() ? POLLIN : 0;
    pollfd wait[] = {{kControlDescriptor, what, 0}, {child_ended_.get(), POLLIN, 0}};
    poll(wait, 2, milliseconds);
    return {wait[0].revents != 0, wait[1].revents != 0};
  }

  bool something_to_do() const {
    const Events events = wait_for_events(0);
    return events.request || events.child_ended;
  }

  bool can_accept() const {
    return waiting_.empty() ||
           kDescriptorsOfServer + kDescriptorsOfRequest * (waiting_.size() + workers_.size()) < descriptors_;
  }

  /// Waits for an event and handles it; false when the client is gone.
  bool serve_once(int milliseconds) {
    const Events events = wait_for_events(milliseconds);
    if (events.child_ended) reap();
    stop_overdue();
    if (events.request && !accept_request()) return false;
    while (!waiting_.empty() && has_slot(workers_.size())) {
      Waiting first = std::move(waiting_.front());
      waiting_.pop_front();
      if (!is_gone(first.client)) start(std::move(first));
    }
    return true;
  }

  bool accept_request() {
    uint8_t content[1];
    UniqueFd descriptors[2];
    if (receive_message(kControlDescriptor, content, descriptors) <= 0) return false;
    auto &[client, request] = descriptors;
    if (client && !request) answer(client, Completion::Code::kOutOfResources, EMFILE);
    if (client && request) waiting_.push_back({std::move(client), std::move(request)});
    return true;
  }

  void start(Waiting what) {
    Worker worker;
    worker.client = std::move(what.client);
    worker.messages = make_memory_file({});
    if (!worker.messages) return answer(worker.client, Completion::Code::kOutOfResources, errno);
    answer(worker.client, Completion::Code::kAlive, 0);
    worker.deadline = Clock::now() + std::chrono::seconds(options().compile_timeout_s);
    worker.pid = fork();
    if (worker.pid == 0) work(what.request, worker);
    if (worker.pid < 0) return answer(worker.client, Completion::Code::kOutOfResources, errno);
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
    for (const Waiting &each : waiting_) answer(each.client, Completion::Code::kAlive, 0);
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

  /// Runs in its own process: compiling processes must not write files, and the server must stay responsive.
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
  bool has_tables_ = false;  ///< make_shared_tables() was called, so children have the tables
  UniqueFd child_ended_;
  rlim_t descriptors_ = 0;
  std::deque<Waiting> waiting_;
  std::vector<Worker> workers_;
  Clock::time_point next_eviction_;  ///< in the past until a build has happened
};

}  // namespace

int run_server() {
  // Without a client, as when started by hand, there is nothing to do.
  if (fcntl(kControlDescriptor, F_GETFD) < 0) return 2;
  fcntl(kControlDescriptor, F_SETFD, FD_CLOEXEC);
  if (chdir("/") != 0) return 2;
  return Server().run();
}

}  // namespace upsweep::compiler
