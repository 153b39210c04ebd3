// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The object that a pointer belongs to, as two SSA numbers beside the pointer (docs/decisions/checker.md).
#ifndef UPSWEEP_PASSES_CPU_CHECK_PROVENANCE_H
#define UPSWEEP_PASSES_CPU_CHECK_PROVENANCE_H

#include "passes/cpu/check/sites.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/IRBuilder.h>

#include <optional>

namespace upsweep::passes {

struct Provenance {
  llvm::Value *start = nullptr;  ///< i64, the pointer's distance from the beginning of its object
  llvm::Value *bytes = nullptr;  ///< i64, the object's size for the access
};

/// The facts about an object that are known when a kernel is compiled.
struct Origin {
  UpsweepObjectKind kind = UPSWEEP_OBJECT_UNKNOWN;
  std::string name;
  int32_t argument = -1;
  std::optional<uint64_t> bytes;  ///< of variables
  llvm::Align align;              ///< of the object
  bool is_trusted = false;        ///< memory of the library or the driver, which needs no check
  bool hands_on = false;          ///< such memory in which the library hands on values of work-items: scratch memory, pipes
  bool is_constant = false;       ///< a variable whose loads LLVM may fold
};

class ProvenanceFinder {
public:
  ProvenanceFinder(llvm::Function &item, const KernelDescription &kernel);

  /// The start and size for an access (UpsweepAccess), computed where the pointer is defined; empty if no check is needed. An
  /// argument whose address is not a multiple of `align` has no bytes.
  std::optional<Provenance> of(llvm::Value *pointer, uint32_t access, llvm::Align align = {});
  /// The only object that the pointer may belong to; empty if there are several, or if it comes from memory.
  std::optional<Origin> origin(llvm::Value *pointer);
  /// The known alignment of an address, if arguments are aligned to kLargestAlign.
  llvm::Align alignment(llvm::Value *pointer, unsigned depth = 0);

private:
  /// The rights that an access needs, and the alignment that it needs of arguments.
  struct Need {
    uint32_t access;
    llvm::Align align;
  };
  using Key = std::pair<llvm::Value *, uint32_t>;
  static Key key(llvm::Value *pointer, const Need &need) { return {pointer, need.access | Log2(need.align) << 8}; }

  std::optional<Origin> origin_of_root(llvm::Value *root);
  std::optional<Origin> origin_of_argument(const llvm::LoadInst &load);
  std::optional<Origin> origin_in_block(const llvm::Value &address);
  const ArgumentDescription *argument_at(const llvm::LoadInst &load, int32_t &index) const;
  bool is_root(llvm::Value *value) const;
  llvm::Value *root_of(llvm::Value *pointer);
  Provenance start(llvm::Value *pointer, const Need &need, unsigned depth);
  Provenance start_of_root(llvm::Value *root, const Need &need);
  Provenance start_of_phi(llvm::PHINode &phi, const Need &need, unsigned depth);
  Provenance look_up(llvm::Value *pointer, uint32_t access);
  llvm::Value *bound(int32_t argument, size_t field, llvm::Align align = {});
  void go_to(llvm::IRBuilder<> &builder, llvm::Value *pointer);

  llvm::Function &item_;
  const KernelDescription &kernel_;
  const llvm::DataLayout &layout_;
  llvm::DenseMap<Key, Provenance> known_;
  llvm::DenseMap<llvm::Value *, llvm::Value *> roots_;
  llvm::DenseMap<std::pair<int32_t, size_t>, llvm::Value *> bounds_;  ///< the second is the field, plus 256 * log2(align)
};

}  // namespace upsweep::passes
#endif
