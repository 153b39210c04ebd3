// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Text as a string of JSON.
#ifndef UPSWEEP_BASE_JSON_STRING_H
#define UPSWEEP_BASE_JSON_STRING_H

#include <string>
#include <string_view>

namespace upsweep {

/// With quotes around it.
std::string json_string(std::string_view text);

}  // namespace upsweep
#endif
