// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LLVM's assembler opens the files of .include and .incbin itself. Kernels need neither, so the linker replaces LLVM's
// functions by these (--wrap, see CMakeLists.txt). They find no file, whatever the directive looks like.
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

#define ADD_FILE "_ZN4llvm9SourceMgr14AddIncludeFileERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEENS_5SMLocERS6_"
#define OPEN_FILE "_ZN4llvm9SourceMgr15OpenIncludeFileERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEERS6_"

namespace llvm {

using Buffer = ErrorOr<std::unique_ptr<MemoryBuffer>>;

unsigned add_file(SourceMgr &, const std::string &, SMLoc, std::string &) asm("__wrap_" ADD_FILE);
Buffer open_file(SourceMgr &, const std::string &, std::string &) asm("__wrap_" OPEN_FILE);

unsigned add_file(SourceMgr &, const std::string &, SMLoc, std::string &) { return 0; }

Buffer open_file(SourceMgr &, const std::string &, std::string &) {
  return std::make_error_code(std::errc::operation_not_permitted);
}

}  // namespace llvm
