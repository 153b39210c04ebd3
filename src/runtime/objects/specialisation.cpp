// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A walk over the module's instructions. An instruction that is too short or too long ends it.
#include "runtime/objects/specialisation.h"

#include <map>
#include <vector>

namespace upsweep {
namespace {

constexpr uint32_t kMagic = 0x07230203;
constexpr size_t kHeaderWords = 5;

enum : uint32_t {
  kTypeBool = 20,
  kTypeInt = 21,
  kTypeFloat = 22,
  kSpecConstantTrue = 48,
  kSpecConstantFalse = 49,
  kSpecConstant = 50,
  kFunction = 54,
  kDecorate = 71,
  kGroupDecorate = 74,
};
constexpr uint32_t kSpecId = 1;

std::vector<uint32_t> words_of(ByteSpan module) {
  std::vector<uint32_t> words(module.size() / 4);
  std::memcpy(words.data(), module.data(), words.size() * 4);
  if (!words.empty() && words[0] == __builtin_bswap32(kMagic))
    for (uint32_t &word : words) word = __builtin_bswap32(word);
  return words;
}

}  // namespace

bool is_spirv_header(ByteSpan module) {
  if (module.size() < kHeaderWords * 4 || module.size() % 4 != 0) return false;
  const std::vector<uint32_t> header = words_of(module.first(kHeaderWords * 4));
  return header[0] == kMagic && header[1] >= 0x10000 && header[1] <= 0x10600 && (header[1] & 0xff) == 0;
}

std::optional<size_t> bytes_of_specialisation(ByteSpan module, uint32_t id) {
  const std::vector<uint32_t> words = words_of(module);
  std::map<uint32_t, size_t> bytes_of_type;
  std::map<uint32_t, bool> is_wanted;
  for (size_t i = kHeaderWords; i < words.size();) {
    const uint32_t op = words[i] & 0xffff, count = words[i] >> 16;
    if (count == 0 || count > words.size() - i || op == kFunction) break;
    const auto at = [&](size_t k) { return k < count ? words[i + k] : 0; };
    if (op == kDecorate && at(2) == kSpecId && at(3) == id) is_wanted[at(1)] = true;
    if (op == kGroupDecorate && is_wanted.contains(at(1)))
      for (uint32_t k = 2; k < count; ++k) is_wanted[at(k)] = true;
    if (op == kTypeBool) bytes_of_type[at(1)] = sizeof(uint8_t);
    if (op == kTypeInt || op == kTypeFloat) bytes_of_type[at(1)] = at(2) / 8;
    if ((op == kSpecConstant || op == kSpecConstantTrue || op == kSpecConstantFalse) && is_wanted.contains(at(2)))
      return bytes_of_type[at(1)];
    i += count;
  }
  return std::nullopt;
}

}  // namespace upsweep
