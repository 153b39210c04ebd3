// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The objects that a pointer of an item may point into, as far as the source distinguishes them: variables and the kernel's
// arguments. Two arguments count as two objects, although a launch may pass the same buffer twice: no practical kernel is known
// that waits through one argument for a store through another.
#ifndef UPSWEEP_PASSES_COMMON_POINTED_OBJECTS_H
#define UPSWEEP_PASSES_COMMON_POINTED_OBJECTS_H

#include <llvm/ADT/SmallSet.h>
#include <llvm/IR/Value.h>

#include <cstdint>
#include <utility>

namespace upsweep::passes {

class PointedObjects {
public:
  explicit PointedObjects(const llvm::Value &pointer);

  /// For example, the pointer comes from memory.
  [[nodiscard]] bool are_unknown() const { return unknown_; }
  /// Whether other work-items cannot change them: private variables and constants.
  [[nodiscard]] bool are_own() const { return !unknown_ && !shared_; }
  /// Whether the two may share memory.
  [[nodiscard]] bool have_common(const PointedObjects &others) const;
  /// Whether both certainly refer to one object, or to the same unknown object. Also for private variables.
  [[nodiscard]] bool name_same(const PointedObjects &others) const;

private:
  void add(const llvm::Value &object);

  bool unknown_ = false;
  /// A variable; an offset in a block; or a value of unknown origin.
  llvm::SmallSet<std::pair<const llvm::Value *, int64_t>, 2> objects_;
  bool shared_ = false;  ///< some object is neither private nor constant
};

}  // namespace upsweep::passes
#endif
