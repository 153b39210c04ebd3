// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// llvm-split deals out functions and variables by their names' MD5; so does find().
#include "passes/library.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Support/MD5.h>

using namespace llvm;

namespace upsweep::passes {
namespace {

size_t part_of(StringRef name, size_t parts) {
  MD5::MD5Result hash = MD5::hash(arrayRefFromStringRef(name));
  return (hash[0] | hash[1] << 8) % parts;
}

}  // namespace

Expected<std::unique_ptr<Library>> Library::open(StringRef archive, LLVMContext &context) {
  auto members = object::Archive::create(MemoryBufferRef(archive, "builtins"));
  if (!members) return members.takeError();
  std::unique_ptr<Library> library(new Library(context));
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
  if (parts_.empty()) return nullptr;
  size_t part = part_of(name, parts_.size());
  if (!modules_[part])
    if (Error error = load(part)) return std::move(error);
  auto *object = dyn_cast_or_null<GlobalObject>(modules_[part]->getNamedValue(name));
  return object && !object->isDeclaration() ? object : nullptr;
}

Expected<bool> Library::load_ahead() {
  while (next_ahead_ < parts_.size() && modules_[next_ahead_]) ++next_ahead_;
  if (next_ahead_ == parts_.size()) return false;
  if (Error error = load(next_ahead_)) return std::move(error);
  return true;
}

}  // namespace upsweep::passes
