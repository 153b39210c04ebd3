// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The verbs on files as commands.
#ifndef UPSWEEP_CLI_FILES_COMMAND_LINE_H
#define UPSWEEP_CLI_FILES_COMMAND_LINE_H

#include "cli/result.h"

#include <functional>
#include <memory>

namespace CLI {
class App;
}

namespace upsweep::cli {

class FileCommands {
public:
  // Adds the commands. The object must outlive the parsing.
  explicit FileCommands(CLI::App &app);
  ~FileCommands();

  // Runs the parsed command; empty if it was another command.
  [[nodiscard]] std::function<Result<void>()> parsed() const;

private:
  struct Options;
  std::unique_ptr<Options> options_;
};

}  // namespace upsweep::cli
#endif
