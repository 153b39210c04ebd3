// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The objects that a pointer of an item may point into, as far as a source tells them apart: variables and the kernel's
// arguments. Two arguments count as two objects, although a launch may set both to one buffer: a kernel that waits by one name
// for a store by another is not known in practice.
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

  /// The pointer comes from memory, for example.
  [[nodiscard]] bool are_unknown() const { return unknown_; }
  /// No other work-item can change them: private variables and constants.
  [[nodiscard]] bool are_own() const { return !unknown_ && !shared_; }
  /// Whether some memory may belong to both.
  [[nodiscard]] bool have_common(const PointedObjects &others) const;
  /// Whether both surely name one object, or the same unknown one. Also of private variables.
  [[nodiscard]] bool name_same(const PointedObjects &others) const;

private:
  void add(const llvm::Value &object);

  bool unknown_ = false;
  /// A variable, a block and the place in it, or a value that comes from anywhere.
  llvm::SmallSet<std::pair<const llvm::Value *, int64_t>, 2> objects_;
  bool shared_ = false;  ///< an object is neither private nor constant
};

}  // namespace upsweep::passes
#endif
