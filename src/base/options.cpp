// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the environment options.
#include "base/options.h"
#include "base/never_destroyed.h"
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <string_view>
#include <sys/auxv.h>

namespace upsweep {
namespace {

void parse(std::string_view text, int64_t &value) {
  int64_t parsed = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), parsed);
  if (error == std::errc() && end == text.data() + text.size()) value = parsed;
}

void parse(std::string_view text, bool &value) {
  if (text == "0" || text == "1") value = text == "1";
}

[[maybe_unused]] void parse(std::string_view text, std::string &value) { value = text; }

template <typename T>
void read(std::string_view name, T &value) {
  std::string variable = "UPSWEEP_";
  for (char c : name) variable += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  if (const char *text = environment(variable.c_str()); text && *text) parse(text, value);
}

Options read_all() {
  Options options;
#define UPSWEEP_OPTION(name, type, fallback, reason) read(#name, options.name);
#include "base/options.def"
#undef UPSWEEP_OPTION
  return options;
}

constexpr OptionText kTexts[] = {
#define UPSWEEP_OPTION(name, type, fallback, reason) {#name, #type, #fallback, reason},
#include "base/options.def"
#undef UPSWEEP_OPTION
};

}  // namespace

const char *environment(const char *name) { return ::secure_getenv(name); }

bool has_raised_rights() { return ::getauxval(AT_SECURE) != 0; }

const Options &options() {
  static NeverDestroyed<Options> read_once(read_all());
  return *read_once;
}

std::span<const OptionText> option_texts() { return kTexts; }

}  // namespace upsweep
