// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Requests over the control socket. A request that the server's death cut short is sent once more to a new server.
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

/// The server kills what takes too long; only a server that is stopped itself lets this pass.
constexpr int kGraceSeconds = 30;

/// What a server keeps from the moment of its start. Where the process is another one now, the server must not compile for it:
/// it would read files with rights that were given up, or outside of the new root folder.
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
  /// Null, with the reason in errno, when none can be started.
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
  /// In a child of fork(): the parent's server must not live as long as this process. A request that was under way in another
  /// thread holds the descriptor too, hence the explicit close.
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
    text = std::string("the system refused what the compiler needs: ") + strerror(static_cast<int>(completion.detail));
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

/// False when the server gives no sign of life in time or is gone.
bool wait_for_answer(int socket) {
  pollfd wait = {socket, POLLIN, 0};
  const int64_t seconds = std::clamp<int64_t>(options().compile_timeout_s, 0, INT32_MAX / 1000 - kGraceSeconds) + kGraceSeconds;
  int n = 0;
  do n = poll(&wait, 1, static_cast<int>(seconds * 1000));
  while (n < 0 && errno == EINTR);
  return n > 0;
}

/// The answer, after signs of life. False when the server died.
bool receive_answer(const UniqueFd &socket, Completion &completion, UniqueFd &file) {
  do {
    auto *bytes = reinterpret_cast<uint8_t *>(&completion);
    if (!wait_for_answer(socket.get()) ||
        receive_message(socket.get(), {bytes, sizeof(completion)}, {&file, 1}) != sizeof(completion))
      return false;
  } while (completion.code == Completion::Code::kAlive);
  return true;
}

/// Nothing when the server died.
std::optional<Result> exchange(const Server &server, const UniqueFd &request) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return refused("no socket for the compiler", errno);
  UniqueFd ours(ends[0]), theirs(ends[1]);
  const uint8_t kContent[1] = {0};
  // The socket first: a server with a single descriptor left can still answer.
  int descriptors[] = {theirs.get(), request.get()};
  if (!send_message(server.control.get(), kContent, descriptors)) return std::nullopt;
  theirs.reset();
  Completion completion;
  UniqueFd file;
  if (!receive_answer(ours, completion, file)) return std::nullopt;
  if (completion.code != Completion::Code::kDone) return failure(Status::kBuildFailure, describe(completion));
  // The application's last descriptor may have gone to something else meanwhile.
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
      // The compiler was replaced while its server started: whose result this is cannot be told.
      result->cacheable &= compiler_build_id() == build_id;
      return std::move(*result);
    }
    Connection::instance().drop(server);
  }
  return failure(Status::kUnavailable, "the compiler server died twice in a row");
}

}  // namespace upsweep::compiler
