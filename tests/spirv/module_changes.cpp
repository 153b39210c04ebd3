// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "module_changes.h"

#include <algorithm>

namespace upsweep::tests {
namespace {

/// The words at which instructions begin.
std::vector<size_t> starts_of(const Words &module) {
  std::vector<size_t> starts;
  for (size_t at = 5; at < module.size(); at += std::max(module[at] >> 16, 1U)) starts.push_back(at);
  return starts;
}

size_t length_at(const Words &module, size_t at) {
  return std::min<size_t>(std::max(module[at] >> 16, 1U), module.size() - at);
}

}  // namespace

void change(Words &module, const Words &other, Random &random) {
  const std::vector<size_t> starts = starts_of(module);
  if (starts.empty()) return;
  const auto below = [&](size_t bound) { return random() % bound; };
  const auto signed_at = [&](size_t at) { return module.begin() + static_cast<long>(at); };
  const size_t at = starts[below(starts.size())], length = length_at(module, at);
  const size_t operand = at + (length > 1 ? 1 + below(length - 1) : 0);
  switch (below(8)) {
  case 0: module[operand] = static_cast<uint32_t>(below(size_t{module[3]} + 2)); break;  // names another id
  case 1: module[operand] ^= 1U << below(32); break;
  case 2: module[operand] = static_cast<uint32_t>(random()); break;
  case 3: module.erase(signed_at(at), signed_at(at + length)); break;  // removes an instruction
  case 4: {                                                            // copies an instruction of another module
    const std::vector<size_t> others = starts_of(other);
    const size_t from = others[below(others.size())];
    const Words copied(other.begin() + static_cast<long>(from),
                       other.begin() + static_cast<long>(from + length_at(other, from)));
    module.insert(signed_at(at), copied.begin(), copied.end());
    break;
  }
  case 5: module[at] = (module[at] & 0xffff0000) | static_cast<uint32_t>(below(450)); break;  // changes the opcode
  case 6: {                                                                                   // adds or removes an operand
    const bool is_longer = below(2) != 0;
    if (!is_longer && length < 2) break;
    if (is_longer)
      module.insert(signed_at(at + length), static_cast<uint32_t>(below(size_t{module[3]} + 1)));
    else
      module.erase(signed_at(operand));
    module[at] = static_cast<uint32_t>(is_longer ? length + 1 : length - 1) << 16 | (module[at] & 0xffff);
    break;
  }
  default: {  // exchanges two instructions
    const size_t next = at + length;
    if (next < module.size()) std::rotate(signed_at(at), signed_at(next), signed_at(next + length_at(module, next)));
  }
  }
}

}  // namespace upsweep::tests
