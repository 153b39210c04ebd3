// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/client/source_copies.h"

#include "base/log.h"
#include "compiler/client/hash.h"
#include "compiler/client/unique_fd.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace fs = std::filesystem;

namespace upsweep::compiler {
namespace {

bool write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = write(file, text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    text.remove_prefix(static_cast<size_t>(n));
  }
  return true;
}

/// Another process that reads the file sees all of it or none.
bool write_once(const fs::path &path, std::string_view text) {
  if (access(path.c_str(), F_OK) == 0) return true;
  std::string temporary = path.string() + ".XXXXXX";
  const UniqueFd file(mkostemp(temporary.data(), O_CLOEXEC));
  if (!file) return false;
  const bool is_written = write_all(file.get(), text) && rename(temporary.c_str(), path.c_str()) == 0;
  if (!is_written) unlink(temporary.c_str());
  return is_written;
}

/// A path in the form of C's string literals.
std::string string_literal(std::string_view path) {
  std::string text = "\"";
  for (const char each : path) {
    if (each == '"' || each == '\\') text += '\\';
    text += each;
  }
  return text + "\"";
}

}  // namespace

std::string kept_source(const fs::path &folder, std::string source) {
  std::error_code error;
  fs::create_directories(folder, error);
  const fs::path path = fs::absolute(folder, error) /
                        (hash_bytes({reinterpret_cast<const uint8_t *>(source.data()), source.size()}).hex() + ".cl");
  if (path.string().find('\n') != std::string::npos || !write_once(path, source)) {
    log_line("sources", path.string() + " cannot be written: " + std::strerror(errno));
    return source;
  }
  return "#line 1 " + string_literal(path.string()) + "\n" + std::move(source);
}

}  // namespace upsweep::compiler
