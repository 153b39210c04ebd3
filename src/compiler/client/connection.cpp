// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Requests over the control socket. If the server dies during a request, the request is sent once more to a new server.
#include "compiler/client/connection.h"

#include "base/across_fork.h"
#include "base/never_destroyed.h"
#include "base/options.h"
#include "compiler/client/server_process.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <mutex>

namespace upsweep::compiler {
namespace {

/// The server kills builds that take too long; only a stopped server exceeds this additional time.
constexpr int kGraceSeconds = 30;

/// Process state that a server inherits at its start. After a change, the server must not compile for the process: it would
/// read files with dropped rights, or outside the new root folder.
struct Setting {
  std::string build_id;
  uid_t user = geteuid();
  gid_t group = getegid();
  dev_t root_device = 0;
  ino_t root = 0;

  explicit Setting(std::string compiler) : build_id(std::move(compiler)) {
    struct stat status = {};
    if (stat("/", &status) != 0) return;
    root_device = status.st_dev;
    root = status.st_ino;
  }
  bool operator==(const Setting &) const = default;
};

struct Server {
  UniqueFd control;
  Setting setting;
};

class Connection {
public:
  /// Null, with the reason in errno, if no server can be started.
  std::shared_ptr<Server> server(const std::string &build_id) {
    std::lock_guard lock(mutex_);
    Setting setting(build_id);
    if (server_ && !(server_->setting == setting)) server_.reset();
    if (!server_) {
      UniqueFd control = start_server();
      if (control) server_ = std::make_shared<Server>(Server{std::move(control), std::move(setting)});
    }
    return server_;
  }

  /// Drops a server that failed, unless another thread has done so.
  void drop(const std::shared_ptr<Server> &server) {
    std::lock_guard lock(mutex_);
    if (server_ == server) server_.reset();
  }

  static Connection &instance() {
    static NeverDestroyed<Connection> connection;
    return *connection;
  }

private:
  /// In a child of fork(): the parent's server must not live as long as this process. A request in another thread of the parent
  /// also holds the descriptor, hence the explicit close.
  void forget_server() {
    if (server_) server_->control.reset();
    server_.reset();
  }

  std::mutex mutex_;
  const AcrossFork across_fork_{&mutex_, [this] { forget_server(); }};
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
  case Completion::Code::kOutOfResources:
    text = std::string("the system refused the compiler a resource: ") + strerror(static_cast<int>(completion.detail));
    break;
  case Completion::Code::kAlive:
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

Result refused(const char *what, int error) {
  return failure(Status::kUnavailable, std::string("error: ") + what + ": " + strerror(error));
}

/// False if the server does not answer in time or has died.
bool wait_for_answer(int socket) {
  pollfd wait = {socket, POLLIN, 0};
  const int64_t seconds = std::clamp<int64_t>(options().compile_timeout_s, 0, INT32_MAX / 1000 - kGraceSeconds) + kGraceSeconds;
  int n = 0;
  do n = poll(&wait, 1, static_cast<int>(seconds * 1000));
  while (n < 0 && errno == EINTR);
  return n > 0;
}

/// Receives the answer, skipping kAlive messages. False if the server died.
bool receive_answer(const UniqueFd &socket, Completion &completion, UniqueFd &file) {
  do {
    auto *bytes = reinterpret_cast<uint8_t *>(&completion);
    if (!wait_for_answer(socket.get()) ||
        receive_message(socket.get(), {bytes, sizeof(completion)}, {&file, 1}) != sizeof(completion))
      return false;
  } while (completion.code == Completion::Code::kAlive);
  return true;
}

/// Empty if the server died.
std::optional<Result> exchange(const Server &server, const UniqueFd &request) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return refused("no socket for the compiler", errno);
  UniqueFd ours(ends[0]), theirs(ends[1]);
  const uint8_t kContent[1] = {0};
  // Pass the socket first: a server that can receive only one descriptor can still answer.
  int descriptors[] = {theirs.get(), request.get()};
  if (!send_message(server.control.get(), kContent, descriptors)) return std::nullopt;
  theirs.reset();
  Completion completion;
  UniqueFd file;
  if (!receive_answer(ours, completion, file)) return std::nullopt;
  if (completion.code != Completion::Code::kDone) return failure(Status::kBuildFailure, describe(completion));
  // The application may have used up its last descriptor in the meantime.
  if (!file) return refused("the compiler's answer cannot be received", EMFILE);
  MappedFile contents(file.get());
  std::optional<Result> result = decode_result(contents.bytes());
  return result ? std::move(result) : failure(Status::kBuildFailure, "error: the compiler's answer is damaged");
}

const MadeWithPlatform connection_made([] { static_cast<void>(Connection::instance()); });

}  // namespace

Result ask_server(const Request &request, const std::string &build_id) {
  UniqueFd file = make_memory_file(encode(request));
  if (!file) return refused("no memory file for the compiler's input", errno);
  constexpr int kAttempts = 2;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    std::shared_ptr<Server> server = Connection::instance().server(build_id);
    if (!server) return refused(("upsweepc cannot be started, " + compiler_path()).c_str(), errno);
    if (std::optional<Result> result = exchange(*server, file)) {
      // The compiler was replaced while its server started, so either compiler may have made the result.
      result->cacheable &= compiler_build_id() == build_id;
      return std::move(*result);
    }
    Connection::instance().drop(server);
  }
  return failure(Status::kUnavailable, "the compiler server died twice in a row");
}

}  // namespace upsweep::compiler
