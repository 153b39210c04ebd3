// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The page of `upsweep explain --html`: the source with its remarks beside the machine code.
#ifndef UPSWEEP_CLI_EXPLAIN_PAGE_H
#define UPSWEEP_CLI_EXPLAIN_PAGE_H

#include "cli/explain.h"
#include "cli/machine_code.h"

#include <string>
#include <string_view>
#include <vector>

namespace upsweep::cli {

// A whole document, which loads nothing.
std::string explain_page(const std::string &title, std::string_view source, const std::vector<Remark> &remarks,
                         const std::vector<MachineLine> &code);

}  // namespace upsweep::cli
#endif
