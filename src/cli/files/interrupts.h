// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The end of the program by a signal: unfinished files are removed before.
#ifndef UPSWEEP_CLI_FILES_INTERRUPTS_H
#define UPSWEEP_CLI_FILES_INTERRUPTS_H

#include <string>

namespace upsweep::cli {

// SIGINT, SIGTERM, SIGHUP, and SIGBUS, which is how a mapped file tells that its bytes cannot be read. SIGXFSZ becomes the
// error of the write.
void handle_interrupts();

// A file that is removed by the signals while the object lives.
class Unfinished {
public:
  explicit Unfinished(const std::string &path);
  Unfinished(const Unfinished &) = delete;
  Unfinished &operator=(const Unfinished &) = delete;
  ~Unfinished();

private:
  int place_ = -1;
};

}  // namespace upsweep::cli
#endif
