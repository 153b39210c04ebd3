// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Any bytes as a module of SPIR-V: a module for the passes, or a log with the reason. libFuzzer changes instructions, not
// bytes.
#include "../spirv/module_changes.h"
#include "../spirv/valid_modules.h"
#include "compiler/spirv/read_module.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

using namespace upsweep;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::LLVMContext context;
  std::string log;
  const std::unique_ptr<llvm::Module> module = compiler::spirv::read_module(context, {{data, size}, {}}, {}, log);
  if ((module == nullptr) == log.empty()) std::abort();
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {
  using tests::Words;
  static const std::vector<Words> seeds = tests::valid_modules();
  tests::Random random(seed);
  Words module(size / 4);
  std::memcpy(module.data(), data, module.size() * 4);
  const Words &other = seeds[random() % seeds.size()];
  if (module.size() <= 5 || module[0] != spv::MagicNumber) module = other;
  const Words original = module;
  for (uint64_t changes = random() % 4 + 1; changes > 0; --changes)
    tests::change(module, random() % 2 ? other : original, random);
  const size_t bytes = std::min(module.size() * 4, most);
  std::memcpy(data, module.data(), bytes);
  return bytes;
}
