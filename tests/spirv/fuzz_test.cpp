// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random changes of modules: the reader refuses or reads them, but neither crashes nor hangs.
#include "mistakes.h"
#include "module_changes.h"
#include "read_log.h"
#include "valid_modules.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>

namespace upsweep::tests {
namespace {

/// UPSWEEP_FUZZ_SECONDS and UPSWEEP_FUZZ_SEED replace the short run of one seed.
uint64_t setting(const char *name, uint64_t otherwise) {
  const char *text = std::getenv(name);
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

TEST(SpirvFuzz, GivenRandomChangesOfModules_WhenRead_ThenTheReaderReturns) {
  const std::vector<Words> seeds = valid_modules();
  for (const Words &each : seeds) EXPECT_EQ(read_log(each), "");
  std::vector<Words> modules = seeds;
  for (const Mistake &each : mistakes()) modules.push_back(module_of(each));
  const uint64_t seed = setting("UPSWEEP_FUZZ_SEED", 1);
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(setting("UPSWEEP_FUZZ_SECONDS", 5));
  uint64_t count = 0, num_read = 0;
  for (; std::chrono::steady_clock::now() < end; ++count) {
    Random random(seed + count);
    Words module = random() % 8 ? seeds[random() % seeds.size()] : modules[random() % modules.size()];
    for (uint64_t changes = random() % 4 + 1; changes > 0; --changes)
      change(module, modules[random() % modules.size()], random);
    if (read_log(module).empty()) ++num_read;
  }
  RecordProperty("modules", std::to_string(count));
  RecordProperty("modules_read", std::to_string(num_read));
}

}  // namespace
}  // namespace upsweep::tests
