// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The machine code of a kernel's file, with the source's lines.
#ifndef UPSWEEP_CLI_MACHINE_CODE_H
#define UPSWEEP_CLI_MACHINE_CODE_H

#include "cli/result.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace upsweep::cli {

struct MachineLine {
  size_t line = 0;   // of the source; 0: of a header, or of no line
  std::string text;  // an instruction, or a label with its colon
};

// Instructions and labels of assembly for GNU's assembler. `file` is the source's name in the assembly. Directives are left
// out, as are labels that no instruction names, and data.
std::vector<MachineLine> parse_assembly(std::string_view assembly, const std::string &file);

// Compiles for this machine's processor, by the program upsweepc.
Result<std::vector<MachineLine>> machine_code_of(const std::filesystem::path &file, const std::string &build_options);

}  // namespace upsweep::cli
#endif
