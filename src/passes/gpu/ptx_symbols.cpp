// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/gpu/ptx_symbols.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>

using namespace llvm;

namespace upsweep::passes {
namespace {

bool is_ptx_character(char c) { return isAlnum(c) || c == '_' || c == '$'; }

/// PTX: "identifier: [a-zA-Z]{followsym}* | {[_$%]{followsym}+", where followsym is a letter, a digit, _ or $.
bool is_ptx_name(StringRef name) {
  if (name.empty() || name == "WARP_SZ" || !all_of(name.drop_front(), is_ptx_character)) return false;
  return isAlpha(name[0]) || (name.size() > 1 && (name[0] == '_' || name[0] == '$' || name[0] == '%'));
}

std::string with_ptx_characters(StringRef name) {
  std::string text;
  for (const char c : name) text += is_ptx_character(c) ? c : '_';
  return text;
}

}  // namespace

void name_for_ptx(Module &module) {
  for (GlobalObject &object : module.global_objects()) {
    if (is_ptx_name(object.getName()) || object.getName().starts_with("llvm.")) continue;
    const std::string text = with_ptx_characters(object.getName());
    object.setName(is_ptx_name(text) ? text : "symbol_" + text);
  }
}

}  // namespace upsweep::passes
