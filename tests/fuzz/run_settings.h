// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The common options of all fuzzers of kernels: --seed, --count, --seconds, --batch, --options and --print.
#ifndef UPSWEEP_TESTS_FUZZ_RUN_SETTINGS_H
#define UPSWEEP_TESTS_FUZZ_RUN_SETTINGS_H

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <string>

namespace upsweep::fuzz {

/// A word of the command line, such as --seed=7.
struct Word {
  explicit Word(const std::string &word) : name(word.substr(0, word.find('='))) {
    if (name.size() < word.size()) value = word.substr(name.size() + 1);
  }
  [[nodiscard]] uint64_t number() const { return std::strtoull(value.c_str(), nullptr, 0); }
  std::string name, value;
};

struct RunSettings {
  uint64_t seed = 1, count = UINT64_MAX;
  uint64_t batch = 8;  ///< kernels in one program
  double seconds = 1e9;
  std::string options;
  bool print = false;

  /// False for an unknown option. --seed=time draws another seed each time.
  bool take(const Word &word) {
    if (word.name == "--seed")
      seed = word.value == "time" ? static_cast<uint64_t>(std::time(nullptr)) << 20 : word.number();
    else if (word.name == "--count")
      count = word.number();
    else if (word.name == "--batch")
      batch = std::max<uint64_t>(1, word.number());
    else if (word.name == "--seconds")
      seconds = std::strtod(word.value.c_str(), nullptr);
    else if (word.name == "--options")
      options = word.value;
    else if (word.name == "--print")
      print = true;
    else
      return false;
    return true;
  }
};

}  // namespace upsweep::fuzz
#endif
