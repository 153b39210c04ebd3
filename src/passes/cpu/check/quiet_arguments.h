// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arguments whose accesses cannot race: the kernel only reads them, or each work-item accesses an element of its own. The proof
// holds for launches that a condition selects, such as buffers that share no byte (docs/decisions/race-rows.md).
#ifndef UPSWEEP_PASSES_CPU_CHECK_QUIET_ARGUMENTS_H
#define UPSWEEP_PASSES_CPU_CHECK_QUIET_ARGUMENTS_H

#include "passes/cpu/check/provenance.h"
#include "passes/program.h"

#include <llvm/ADT/MapVector.h>

namespace upsweep::passes {

class QuietArguments {
public:
  QuietArguments(Kernel &kernel, ProvenanceFinder &finder);

  /// An i1 of the item's entry: no access of the argument can race in this launch. Null if that is never known.
  [[nodiscard]] llvm::Value *condition(int32_t argument) const { return conditions_.lookup(argument); }

private:
  /// An index that differs between work-items: ((a * u + b) * v + c), where a, b, c are global ids and u, v are uniform.
  struct Index {
    std::string text;                                    ///< equal for equal indices
    std::vector<unsigned> dimensions;                    ///< the highest digit first
    std::vector<std::pair<unsigned, llvm::Value *>> by;  ///< the position of a digit, and the factor of the digits before it
  };
  struct Use {
    bool has_write = false;
    bool is_plain = true;        ///< no atomic access, no copy, no access whose form is unknown
    std::optional<Index> index;  ///< of all accesses, if it is the same
    uint64_t scale = 0;          ///< bytes of an element
    int64_t low = 0, high = 0;   ///< the accesses' bytes within the element
  };
  void find_uses();
  llvm::Value *make_condition(const Use &use);
  void add_use(llvm::Value *pointer, uint64_t width, uint32_t access, bool is_plain);
  void add_element(Use &use, llvm::Value *pointer, uint64_t width);
  std::optional<Index> index_of(llvm::ArrayRef<llvm::Value *> values, unsigned depth);
  std::optional<Index> index_of_product(llvm::Value *product, unsigned low, unsigned depth);
  [[nodiscard]] std::optional<unsigned> global_id(llvm::ArrayRef<llvm::Value *> terms) const;
  std::optional<unsigned> group_start_of(llvm::Value *value) const;
  llvm::Value *at_entry(llvm::Value *value, std::string &text, unsigned depth = 0);
  llvm::Value *are_apart();
  llvm::Value *is_injective(const Index &index);
  llvm::Value *query(Ups intrinsic, unsigned dimension);

  llvm::Function &item_;
  const GroupSize &required_;
  ProvenanceFinder &finder_;
  llvm::IRBuilder<> builder_;  ///< in the entry
  llvm::MapVector<int32_t, Use> uses_;
  bool has_unknown_read_ = false, has_unknown_write_ = false;
  llvm::Value *apart_ = nullptr;
  llvm::DenseMap<int32_t, llvm::Value *> conditions_;
};

}  // namespace upsweep::passes
#endif
