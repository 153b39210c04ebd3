// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What client and server say to each other. The control socket is a pair of SOCK_SEQPACKET sockets, the server's end is its
// descriptor 3. A request is one control message without content that carries two descriptors: a socket for the answer and
// a memory file with the request. The answer is any number of Completions that say kAlive, then another one, with a memory file
// that holds the result when `code` is kDone.
#ifndef UPSWEEP_COMPILER_CLIENT_PROTOCOL_H
#define UPSWEEP_COMPILER_CLIENT_PROTOCOL_H

#include "compiler/client/compiler.h"
#include "compiler/client/hash.h"
#include "compiler/client/unique_fd.h"

#include <optional>

namespace upsweep::compiler {

inline constexpr uint32_t kProtocolVersion = 2;
inline constexpr int kControlDescriptor = 3;

enum class RequestKind : uint32_t { kBuild = 0, kCompile = 1, kLink = 2, kLower = 3 };

/// How the process that compiles is confined: UPSWEEP_COMPILER_SANDBOX.
enum class Sandbox : uint32_t { kOff = 0, kOn = 1, kRequired = 2 };

struct Request {
  RequestKind kind = RequestKind::kBuild;
  std::string source;
  std::vector<Header> headers;
  std::string options;
  std::vector<ByteSpan> inputs;  ///< program binaries
  std::string folder;            ///< the application's current folder; empty when it has none
  std::string target;            ///< target_id()
  bool vector_lanes = true;
  std::string cpu = "native";        ///< UPSWEEP_CPU
  bool verify = false;               ///< UPSWEEP_VERIFY
  bool allow_unsafe_source = false;  ///< UPSWEEP_ALLOW_UNSAFE_SOURCE
  Sandbox sandbox = Sandbox::kOff;
};

/// A file that the result depends on.
struct Dependency {
  enum class State : uint32_t {
    kAbsent = 0,    ///< nothing can be found there
    kPresent = 1,   ///< found, but no folder and never read
    kContents = 2,  ///< a regular file that was read
    kFolder = 3,
  };
  std::string path;  ///< absolute
  State state = State::kAbsent;
  Hash contents;  ///< with kContents
};

struct Result {
  Reply reply;
  bool cacheable = false;       ///< false for failures and for what changes by itself, such as __TIME__
  bool folder_matters = false;  ///< it would be another one in another current folder
  std::vector<Dependency> dependencies;
};

/// How a request ended.
struct Completion {
  enum class Code : uint32_t {
    kDone = 0,
    kCrashed = 1,
    kTimedOut = 2,
    kOutOfMemory = 3,
    kFailed = 4,
    kAlive = 5,           ///< not the end: the request has started, or waits for its turn while others end
    kOutOfResources = 6,  ///< the system refused something else than memory
  };
  Code code = Code::kFailed;
  uint32_t detail = 0;   ///< kCrashed: the signal; kTimedOut: seconds; kOutOfMemory: MiB; kOutOfResources: errno
  char text[2048] = {};  ///< last words of the compiler, terminated
};

[[nodiscard]] Bytes encode(const Request &request);
/// The inputs point into `bytes`.
[[nodiscard]] std::optional<Request> decode_request(ByteSpan bytes);

/// What the result depends on besides files and the current folder. A new field of Request belongs in it unless results cannot
/// depend on the field.
void encode_identity(class WireWriter &writer, const Request &request);

[[nodiscard]] Bytes encode(const Result &result);
[[nodiscard]] std::optional<Result> decode_result(ByteSpan bytes);

void encode(class WireWriter &writer, const std::vector<Dependency> &dependencies);
[[nodiscard]] std::vector<Dependency> decode_dependencies(class WireReader &reader);

/// A memory file with these bytes; invalid when the system has none to give.
[[nodiscard]] UniqueFd make_memory_file(ByteSpan bytes);

/// All of a file, mapped for reading.
class MappedFile {
public:
  explicit MappedFile(int fd);
  ~MappedFile();
  MappedFile(const MappedFile &) = delete;
  MappedFile &operator=(const MappedFile &) = delete;
  [[nodiscard]] bool ok() const { return ok_; }
  [[nodiscard]] ByteSpan bytes() const { return bytes_; }

private:
  ByteSpan bytes_;
  bool ok_ = false;
};

/// One message with up to two descriptors. send: false when the other side is gone, or with Full::kDrop when it has not read
/// what came before; never raises SIGPIPE. receive: the bytes
/// read, 0 when the other side is gone, -1 on errors; received descriptors close on exec.
enum class Full : uint8_t { kWait, kDrop };
[[nodiscard]] bool send_message(int socket, ByteSpan bytes, std::span<const int> descriptors, Full full = Full::kWait);
[[nodiscard]] ssize_t receive_message(int socket, std::span<uint8_t> bytes, std::span<UniqueFd> descriptors);

}  // namespace upsweep::compiler
#endif
