// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The protocol between client and server. The control socket is a pair of SOCK_SEQPACKET sockets; the server's end is its
// descriptor 3. A request is an empty control message with two descriptors: a socket for the answer and a memory file with the
// request. The answer is any number of Completions with kAlive, then a final Completion. If its `code` is kDone, a memory file
// with the result comes with it.
#ifndef UPSWEEP_COMPILER_CLIENT_PROTOCOL_H
#define UPSWEEP_COMPILER_CLIENT_PROTOCOL_H

#include "compiler/client/compiler.h"
#include "compiler/client/hash.h"
#include "compiler/client/unique_fd.h"

#include <optional>

namespace upsweep::compiler {

inline constexpr uint32_t kProtocolVersion = 4;
inline constexpr int kControlDescriptor = 3;

enum class RequestKind : uint32_t { kBuild = 0, kCompile = 1, kLink = 2, kLower = 3 };

/// UPSWEEP_COMPILER_SANDBOX: how the compiling process is confined.
enum class Sandbox : uint32_t { kOff = 0, kOn = 1, kRequired = 2 };

struct Request {
  RequestKind kind = RequestKind::kBuild;
  std::string source;
  bool is_spirv = false;
  std::vector<Specialisation> specialisations;
  std::vector<Header> headers;
  std::string options;
  std::vector<ByteSpan> inputs;  ///< program binaries
  std::string folder;            ///< the application's current folder; empty if it has none
  std::string target;            ///< target_id()
  bool vector_lanes = true;
  std::string cpu = "native";        ///< UPSWEEP_CPU
  bool verify = false;               ///< UPSWEEP_VERIFY
  std::string checks;                ///< UPSWEEP_CHECK
  bool allow_unsafe_source = false;  ///< UPSWEEP_ALLOW_UNSAFE_SOURCE
  Sandbox sandbox = Sandbox::kOff;
};

/// A file that the result depends on.
struct Dependency {
  enum class State : uint32_t {
    kAbsent = 0,    ///< the file does not exist
    kPresent = 1,   ///< exists, but was never read and is not a folder
    kContents = 2,  ///< a regular file that was read
    kFolder = 3,
  };
  std::string path;  ///< absolute
  State state = State::kAbsent;
  Hash contents;  ///< set with kContents
};

struct Result {
  Reply reply;
  bool cacheable = false;       ///< false for failures and for results that depend on the time, such as __TIME__
  bool folder_matters = false;  ///< the result may differ in another current folder
  std::vector<Dependency> dependencies;
};

/// The end of a request.
struct Completion {
  enum class Code : uint32_t {
    kDone = 0,
    kCrashed = 1,
    kTimedOut = 2,
    kOutOfMemory = 3,
    kFailed = 4,
    kAlive = 5,           ///< not the end: the request has started, or waits for other requests
    kOutOfResources = 6,  ///< the system refused a resource other than memory
  };
  Code code = Code::kFailed;
  uint32_t detail = 0;   ///< kCrashed: the signal; kTimedOut: seconds; kOutOfMemory: MiB; kOutOfResources: errno
  char text[2048] = {};  ///< the compiler's last output, null-terminated
};

[[nodiscard]] Bytes encode(const Request &request);
/// The inputs point into `bytes`.
[[nodiscard]] std::optional<Request> decode_request(ByteSpan bytes);

/// Encodes the inputs of the result, except for files and the current folder. Add each new field of Request here unless results
/// cannot depend on it.
void encode_identity(class WireWriter &writer, const Request &request);

[[nodiscard]] Bytes encode(const Result &result);
[[nodiscard]] std::optional<Result> decode_result(ByteSpan bytes);

void encode(class WireWriter &writer, const std::vector<Dependency> &dependencies);
[[nodiscard]] std::vector<Dependency> decode_dependencies(class WireReader &reader);

/// Creates a memory file with these bytes; invalid if the system refuses.
[[nodiscard]] UniqueFd make_memory_file(ByteSpan bytes);

/// A whole file, mapped for reading.
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

/// One message with up to two descriptors. send: false if the other side is gone, or, with Full::kDrop, has not read earlier
/// messages; never raises SIGPIPE. receive: the number of bytes read, 0 if the other side is gone, -1 on errors; received
/// descriptors close on exec.
enum class Full : uint8_t { kWait, kDrop };
[[nodiscard]] bool send_message(int socket, ByteSpan bytes, std::span<const int> descriptors, Full full = Full::kWait);
[[nodiscard]] ssize_t receive_message(int socket, std::span<uint8_t> bytes, std::span<UniqueFd> descriptors);

}  // namespace upsweep::compiler
#endif
