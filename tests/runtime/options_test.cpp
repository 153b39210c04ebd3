// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Environment options that are set to an empty text. A separate program, since a process reads its environment once.
#include "base/options.h"

#include <gtest/gtest.h>

#include <cctype>
#include <cstdlib>
#include <string>

namespace upsweep {
namespace {

TEST(OptionsTest, GivenEveryVariableEmpty_WhenRead_ThenEachCountsAsNotSet) {
  for (const OptionText &option : option_texts()) {
    std::string variable = "UPSWEEP_";
    for (const char *c = option.name; *c; ++c) variable += static_cast<char>(std::toupper(static_cast<unsigned char>(*c)));
    ASSERT_EQ(setenv(variable.c_str(), "", 1), 0);
  }
  const Options unset;
#define UPSWEEP_OPTION(name, type, fallback, reason) EXPECT_EQ(options().name, unset.name) << #name;
#include "base/options.def"
#undef UPSWEEP_OPTION
}

}  // namespace
}  // namespace upsweep
