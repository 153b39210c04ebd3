// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Removes unfinished files when a signal ends the program.
#ifndef UPSWEEP_CLI_FILES_INTERRUPTS_H
#define UPSWEEP_CLI_FILES_INTERRUPTS_H

#include <string>

namespace upsweep::cli {

// Handles SIGINT, SIGTERM and SIGHUP, and SIGBUS, which reports that the bytes of a mapped file cannot be read. SIGXFSZ becomes
// an error of the write.
void handle_interrupts();

// Registers a file that the signal handlers remove during the object's lifetime.
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
