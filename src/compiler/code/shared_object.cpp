// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LLD as a function from bytes to bytes. LLD needs file names, so input and output are anonymous memory files, which never
// leave a temporary file behind.
#include "compiler/code/code_generation.h"

#include "compiler/client/unique_fd.h"
#include "compiler/embedded/embedded_files.h"

#include "lld/Common/Driver.h"
#include "llvm/Support/raw_ostream.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

LLD_HAS_DRIVER(elf)

namespace upsweep::compiler {
namespace {

llvm::Error system_error(const char *what) {
  const std::error_code code(errno, std::generic_category());
  return llvm::createStringError(code, what + (": " + code.message()));
}

bool write_all(int fd, llvm::StringRef bytes) {
  while (!bytes.empty()) {
    ssize_t n = write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno != EINTR) return false;
    bytes = bytes.drop_front(n > 0 ? n : 0);
  }
  return true;
}

/// Redirects standard output during its lifetime: LLD writes its result there if its output is "-".
class StandardOutputTo {
public:
  explicit StandardOutputTo(int fd) : saved_(dup(STDOUT_FILENO)) { dup2(fd, STDOUT_FILENO); }
  ~StandardOutputTo() {
    llvm::outs().flush();
    if (saved_.get() >= 0)
      dup2(saved_.get(), STDOUT_FILENO);
    else
      close(STDOUT_FILENO);
  }
  StandardOutputTo(const StandardOutputTo &) = delete;
  StandardOutputTo &operator=(const StandardOutputTo &) = delete;

private:
  UniqueFd saved_;
};

llvm::Expected<llvm::SmallVector<char, 0>> read_all(int fd) {
  struct stat status = {};
  if (fstat(fd, &status) != 0) return system_error("the linker's output");
  llvm::SmallVector<char, 0> bytes;
  bytes.resize_for_overwrite(status.st_size);
  size_t have = 0;
  while (have < bytes.size()) {
    ssize_t n = pread(fd, bytes.data() + have, bytes.size() - have, have);
    if (n <= 0) return system_error("the linker's output");
    have += n;
  }
  return bytes;
}

/// The inputs of a link as memory files.
class InputFiles {
public:
  llvm::Error add(llvm::StringRef bytes) {
    UniqueFd file(memfd_create("upsweep-input", MFD_CLOEXEC));
    if (!file || !write_all(file.get(), bytes)) return system_error("a memory file for the linker");
    paths_.push_back("/proc/self/fd/" + std::to_string(file.get()));
    files_.push_back(std::move(file));
    return llvm::Error::success();
  }
  [[nodiscard]] const std::vector<std::string> &paths() const { return paths_; }

private:
  std::vector<UniqueFd> files_;
  std::vector<std::string> paths_;
};

}  // namespace

llvm::Expected<llvm::SmallVector<char, 0>> link_shared_object(llvm::ArrayRef<llvm::StringRef> objects) {
  InputFiles inputs;
  for (llvm::StringRef object : objects)
    if (llvm::Error error = inputs.add(object)) return std::move(error);
  for (std::string_view library : system_libraries())
    if (llvm::Error error = inputs.add(library)) return std::move(error);
  UniqueFd output(memfd_create("upsweep-shared-object", MFD_CLOEXEC));
  if (!output) return system_error("a memory file for the linker");
  // LLD uses one thread: a pool would cost more than it saves, and the server must be able to fork. An undefined symbol is a
  // compiler error or a function that the program never defines. Either way the build must fail here, not the load.
  std::vector<const char *> arguments = {"ld.lld",
                                         "-shared",
                                         "--threads=1",
                                         "-z",
                                         "defs",
                                         "-z",
                                         "now",
                                         "--hash-style=gnu",
                                         "--build-id=none",
                                         "--gc-sections",
                                         "--as-needed",
                                         "--no-dependent-libraries",
                                         "-o",
                                         "-"};
  for (const std::string &path : inputs.paths()) arguments.push_back(path.c_str());
  std::string log;
  llvm::raw_string_ostream messages(log);
  lld::Result result;
  {
    StandardOutputTo redirect(output.get());
    result = lld::lldMain(arguments, messages, messages, {{lld::Gnu, &lld::elf::link}});
  }
  if (result.retCode != 0) return llvm::createStringError(log);
  return read_all(output.get());
}

}  // namespace upsweep::compiler
