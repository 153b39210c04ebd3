// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds a function's part by the same rule as split_library.cpp, and loads it.
#include "passes/common/library.h"

#include "builtins/library_parts.h"
#include "passes/common/intrinsics.h"

#include <llvm/Bitcode/BitcodeReader.h>

using namespace llvm;

namespace upsweep::passes {

Expected<std::unique_ptr<Library>> Library::open(StringRef archive, LLVMContext &context, bool has_intrinsics) {
  auto members = object::Archive::create(MemoryBufferRef(archive, "builtins"));
  if (!members) return members.takeError();
  std::unique_ptr<Library> library(new Library(context, has_intrinsics));
  Error error = Error::success();
  for (const object::Archive::Child &member : (*members)->children(error)) {
    Expected<MemoryBufferRef> part = member.getMemoryBufferRef();
    if (!part) return joinErrors(part.takeError(), std::move(error));
    library->parts_.push_back(*part);
  }
  if (error) return std::move(error);
  library->modules_.resize(library->parts_.size());
  return std::move(library);
}

Error Library::load(size_t part) {
  auto module = getLazyBitcodeModule(parts_[part], context_, /*ShouldLazyLoadMetadata=*/true);
  if (!module) return module.takeError();
  modules_[part] = std::move(*module);
  return Error::success();
}

Expected<GlobalObject *> Library::find(StringRef name) {
  // Skip names that the library only declares; a look-up would load a part.
  if (parts_.empty() || (!has_intrinsics_ && ups_function(name).id != Ups::kNone) || name.starts_with("llvm.")) return nullptr;
  size_t part = library_part(name, parts_.size());
  if (!modules_[part])
    if (Error error = load(part)) return std::move(error);
  auto *object = dyn_cast_or_null<GlobalObject>(modules_[part]->getNamedValue(name));
  return object && !object->isDeclaration() ? object : nullptr;
}

}  // namespace upsweep::passes
