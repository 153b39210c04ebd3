// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The linker puts this function in the place of LLVM's (--wrap, see CMakeLists.txt). A directive may come out of an assembler's
// macro, so that no look at the text would find them all.
#include "compiler/assembly_files.h"

#include "llvm/Support/SourceMgr.h"

#include <string>

#define ADD_INCLUDE_FILE                                                                                                       \
  "_ZN4llvm9SourceMgr14AddIncludeFileERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEENS_5SMLocERS6_"

namespace upsweep::compiler {
namespace {
bool has_read_a_file = false;
}

unsigned llvm_add(llvm::SourceMgr *sources, const std::string &name, llvm::SMLoc where,
                  std::string &found) asm("__real_" ADD_INCLUDE_FILE);
unsigned add(llvm::SourceMgr *sources, const std::string &name, llvm::SMLoc where,
             std::string &found) asm("__wrap_" ADD_INCLUDE_FILE);

unsigned add(llvm::SourceMgr *sources, const std::string &name, llvm::SMLoc where, std::string &found) {
  has_read_a_file = true;
  return llvm_add(sources, name, where, found);
}

bool assembly_read_a_file() { return has_read_a_file; }

}  // namespace upsweep::compiler
