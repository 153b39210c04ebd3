// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Requests over the control socket. A request that the server's death cut short is sent once more to a new server.
#include "compiler/client/connection.h"

#include "base/never_destroyed.h"
#include "base/options.h"
#include "compiler/client/server_process.h"

#include <poll.h>
#include <pthread.h>
#include <sys/socket.h>

#include <cstring>
#include <memory>
#include <mutex>

namespace upsweep::compiler {
namespace {

/// The server kills what takes too long; only a server that is stopped itself lets this pass.
constexpr int kGraceSeconds = 30;

struct Server {
  UniqueFd control;
};

class Connection {
public:
  Connection() { pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child); }

  std::shared_ptr<Server> server() {
    std::lock_guard lock(mutex_);
    if (!server_) {
      UniqueFd control = start_server();
      if (control) server_ = std::make_shared<Server>(Server{std::move(control)});
    }
    return server_;
  }

  /// Forgets a server that failed, unless another thread has done so.
  void drop(const std::shared_ptr<Server> &server) {
    std::lock_guard lock(mutex_);
    if (server_ == server) server_.reset();
  }

  static Connection &instance() {
    static NeverDestroyed<Connection> connection;
    return *connection;
  }

private:
  static void before_fork() { instance().mutex_.lock(); }
  static void after_fork_in_parent() { instance().mutex_.unlock(); }
  /// The parent's server must not live as long as this process. A request that was under way in another thread holds the
  /// descriptor too, hence the explicit close.
  static void after_fork_in_child() {
    Connection &connection = instance();
    if (connection.server_) connection.server_->control.reset();
    connection.server_.reset();
    connection.mutex_.unlock();
  }

  std::mutex mutex_;
  std::shared_ptr<Server> server_;
};

std::string describe(const Completion &completion) {
  std::string text;
  switch (completion.code) {
  case Completion::Code::kDone: break;
  case Completion::Code::kCrashed:
    text = "the compiler crashed with signal " + std::to_string(completion.detail) + " (" +
           strsignal(static_cast<int>(completion.detail)) + ")";
    break;
  case Completion::Code::kTimedOut:
    text =
        "the compiler took longer than " + std::to_string(completion.detail) + " s and was stopped (UPSWEEP_COMPILE_TIMEOUT_S)";
    break;
  case Completion::Code::kOutOfMemory:
    text = "the compiler needed more than " + std::to_string(completion.detail) + " MiB of memory (UPSWEEP_COMPILE_MEMORY_MIB)";
    break;
  case Completion::Code::kFailed: text = "the compiler failed"; break;
  }
  size_t length = strnlen(completion.text, sizeof(completion.text));
  if (length > 0) text.append(":\n").append(completion.text, length);
  return "error: " + text;
}

Result failure(Status status, std::string log) {
  Result result;
  result.reply.status = status;
  result.reply.log = std::move(log);
  return result;
}

/// False when the server takes no answer in time or is gone.
bool wait_for_answer(int socket) {
  pollfd wait = {socket, POLLIN, 0};
  int64_t milliseconds = (options().compile_timeout_s + kGraceSeconds) * 1000;
  int n = 0;
  do n = poll(&wait, 1, static_cast<int>(std::min<int64_t>(milliseconds, INT32_MAX)));
  while (n < 0 && errno == EINTR);
  return n > 0;
}

/// Nothing when the server died.
std::optional<Result> exchange(const Server &server, const UniqueFd &request) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
    return failure(Status::kUnavailable, "no socket for the compiler's answer");
  UniqueFd ours(ends[0]), theirs(ends[1]);
  const uint8_t kContent[1] = {0};
  int descriptors[] = {request.get(), theirs.get()};
  if (!send_message(server.control.get(), kContent, descriptors)) return std::nullopt;
  theirs.reset();
  Completion completion;
  UniqueFd file;
  auto *bytes = reinterpret_cast<uint8_t *>(&completion);
  if (!wait_for_answer(ours.get()) ||
      receive_message(ours.get(), {bytes, sizeof(completion)}, {&file, 1}) != sizeof(completion))
    return std::nullopt;
  if (completion.code != Completion::Code::kDone) return failure(Status::kBuildFailure, describe(completion));
  MappedFile contents(file.get());
  std::optional<Result> result = decode_result(contents.bytes());
  return result ? std::move(result) : failure(Status::kBuildFailure, "error: the compiler's answer is damaged");
}

}  // namespace

Result ask_server(const Request &request) {
  UniqueFd file = make_memory_file(encode(request));
  if (!file) return failure(Status::kUnavailable, "no memory file for the compiler's input");
  constexpr int kAttempts = 2;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    std::shared_ptr<Server> server = Connection::instance().server();
    if (!server) return failure(Status::kUnavailable, "upsweepc cannot be started (UPSWEEP_COMPILER names another one)");
    if (std::optional<Result> result = exchange(*server, file)) return std::move(*result);
    Connection::instance().drop(server);
  }
  return failure(Status::kUnavailable, "the compiler server died twice in a row");
}

void connect_to_server() { (void)Connection::instance().server(); }

}  // namespace upsweep::compiler
