// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes the code of one sub-group: a value that varies over the lanes becomes a vector, a uniform value stays scalar.
//
// A varying <N x T> of one work-item becomes <lanes*N x T>, with the components of a lane contiguous, as in memory. Structs and
// arrays become structs and arrays of vectors. Values used in other blocks, phis and masks go through stack slots, which
// promote_slots turns into SSA form once the blocks are in their new order.
#ifndef UPSWEEP_PASSES_CPU_LANES_LANE_WRITER_H
#define UPSWEEP_PASSES_CPU_LANES_LANE_WRITER_H

#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <array>
#include <functional>
#include <optional>

#include "passes/common/intrinsics.h"
#include "passes/cpu/lanes/lane_control.h"
#include "passes/cpu/lanes/lane_shapes.h"

namespace upsweep::passes {

class LaneWriter {
public:
  LaneWriter(llvm::Function &item, llvm::Function &target, unsigned lanes, Cover cover, const LaneControl &control,
             const LaneShapes &shapes, const llvm::TargetTransformInfo &costs);
  void write();
  /// Makes remarks about the written code. A kernel has several units, of which only one makes remarks.
  void tell_remarks() { tells_ = true; }

private:
  using Value = llvm::Value;
  using Type = llvm::Type;

  // Values (lane_writer.cpp)
  Type *widened(Type *type) const;
  Value *scalar(Value *value);                     ///< of a uniform value; the first of a strict step
  Value *vector(Value *value);                     ///< all lanes
  Value *scalar_at(Value *value, Value *lane);     ///< one lane's value of a value with a step
  Value *spread(Value *scalar);                    ///< the same in all lanes
  Value *step_vector(Value *first, int64_t step);  ///< first + lane × step
  Value *lane_numbers(Type *element);
  Value *spread_mask(Value *mask, unsigned components);  ///< a mask bit per component
  Value *any(Value *mask);
  Value *mask_bits(Value *mask);   ///< i64
  Value *first_lane(Value *mask);  ///< i64, for a mask that is not empty
  Value *last_lane(Value *mask);
  Value *lane_element(Value *vector, Type *type, Value *lane);  ///< one lane's value of `type`; the lane is uniform
  Value *blend(Value *mask, Value *now, Value *before);
  void define(llvm::Instruction &instruction, Value *value);
  llvm::AllocaInst *slot(Type *type, const llvm::Twine &name);
  llvm::AllocaInst *memory(Type *type, uint64_t count, const llvm::Twine &name);
  Value *mask() const { return mask_; }
  bool all_lanes() const { return cover_ == Cover::kFull && plan_->entry_mask; }

  // Control flow (lane_writer.cpp)
  void prepare();
  llvm::SetVector<llvm::Instruction *> values_across_blocks();
  void write_entry();
  void write_block(const BlockPlan &plan);
  void write_terminator(const BlockPlan &plan);
  llvm::SmallVector<std::pair<llvm::PHINode *, Value *>, 8> edge_values(const llvm::BasicBlock &from, llvm::BasicBlock &to);
  void write_edge(const BlockPlan &plan, llvm::BasicBlock *to, Value *edge_mask, bool whole);
  void write_loop_test(const BlockPlan &plan);

  // Branches on which all lanes agree (lane_agreement.cpp)
  struct Agreement {
    Value *all = nullptr;   ///< an i1: the condition is true in every lane; null if unknown
    Value *none = nullptr;  ///< an i1: the condition is true in no lane; null if unknown
  };
  Value *all_compare(llvm::CmpInst::Predicate predicate, Value *base, const llvm::APInt &span, Value *limit);
  Agreement agreement_of(const llvm::ICmpInst &compare);
  Agreement agreement_of(Value *condition);
  llvm::BasicBlock *landing(const BlockPlan &plan, llvm::BasicBlock *target) const;
  void write_agreement(const BlockPlan &plan, const llvm::BranchInst &branch);
  llvm::AllocaInst *mask_slot(const llvm::BasicBlock *block);
  llvm::BasicBlock *entrance(const llvm::BasicBlock *block) const;

  // Instructions (lane_instructions.cpp)
  void write_instruction(llvm::Instruction &instruction);
  void write_remarked(llvm::Instruction &instruction);
  bool write_uniform(llvm::Instruction &instruction);
  void write_stepped(llvm::Instruction &instruction);
  Value *write_varying(llvm::Instruction &instruction);
  Value *write_division(llvm::BinaryOperator &division);
  Value *divide_wide(llvm::Instruction::BinaryOps opcode, Value *numerator, Value *denominator);
  Value *write_select(llvm::SelectInst &select);
  Value *address_offset(llvm::GetElementPtrInst &address, bool wide);
  Value *write_address(llvm::GetElementPtrInst &address);
  Value *write_components(llvm::Instruction &instruction);  ///< insert, extract and shuffle of vectors
  Value *write_variable(llvm::AllocaInst &variable);
  Value *write_call(llvm::CallBase &call);
  Value *write_intrinsic(llvm::IntrinsicInst &intrinsic);

  // Memory (lane_memory.cpp)
  struct Access {
    Type *type;
    llvm::Align align;
    Value *pointer;       // in the kernel
    unsigned components;  // vector width of the type, or 1
    uint64_t bytes;       // distance of an array's elements
  };
  Access access_of(llvm::Instruction &instruction);
  bool packs(const Access &access) const;
  bool joins_atomic(const Access &access, llvm::AtomicOrdering ordering, bool store) const;
  bool is_likely_row(const Access &access) const;
  llvm::Align common_align(const Access &access, int64_t step) const;
  llvm::Constant *first_three();
  Value *contiguous_pointer(const Access &access, int64_t step);
  Value *load_from_table(llvm::LoadInst &load);
  Value *write_load(llvm::LoadInst &load);
  void write_store(llvm::StoreInst &store);
  Value *load_contiguous(const Access &access, Value *first);
  void store_contiguous(const Access &access, Value *first, Value *data);
  unsigned strided_gap(const Access &access, int64_t step, bool store) const;
  Value *strided_mask(unsigned gap);
  Value *load_strided(const Access &access, int64_t step);
  void store_strided(const Access &access, int64_t step, Value *data);
  Value *load_reversed(const Access &access);
  Value *load_lanes(const Access &access, llvm::LoadInst &load);
  void store_lanes(const Access &access, llvm::StoreInst &store);
  llvm::AllocaInst *inactive_place(const Access &access, bool store);
  Value *safe_pointers(const Access &access, bool store);
  void write_fill(llvm::MemSetInst &fill);
  bool masked_memory_is_legal(Type *element, llvm::Align align, bool store) const;

  // One lane after another (lane_loop.cpp)
  Value *write_lane_loop(llvm::Instruction &instruction);
  Value *write_atomic(llvm::AtomicRMWInst &atomic);

  // Checked accesses (lane_checks.cpp)
  struct Available {
    llvm::DenseMap<const Value *, Value *> scalars, vectors;
  };
  Available available() const;
  void restore(const Available &before);
  Value *all_pass(llvm::CallInst &check);
  Value *all_are_aligned(llvm::CallInst &check);
  bool is_uniform_access(llvm::Instruction *access, llvm::ArrayRef<llvm::CallInst *> checks) const;
  void report_uniform(llvm::CallInst &check, llvm::Instruction *access);
  void write_meeting(llvm::CallInst &meeting);
  void write_checked(llvm::Instruction *access, llvm::ArrayRef<llvm::CallInst *> checks);
  Value *write_checked_lanes(llvm::Instruction *access, llvm::ArrayRef<llvm::CallInst *> checks);  ///< lane_loop.cpp

  // The race check's events (lane_races.cpp)
  Value *race_array(llvm::AllocaInst *&array, Value *numbers);
  void write_race(llvm::CallInst &call);

  // Sub-group functions (lane_collectives.cpp)
  Value *write_collective(llvm::CallBase &call, const UpsFunction &function);
  Value *common(Value *value);
  Value *broadcast(Value *data, Value *index);
  Value *hidden_zero(llvm::Type *type);
  Value *masked_or_identity(Operation operation, Value *data);
  Value *reduce(Operation operation, Value *data);
  Value *scan(Operation operation, Value *data, bool inclusive);
  Value *clustered_reduce(Operation operation, Value *data, Value *cluster);
  Value *permute(Value *data, Value *index);
  Value *permute_words(Value *data, Value *index);

  // Reads and writes of texels (lane_images.cpp)
  using Channels = std::array<Value *, 4>;
  Value *write_image_access(llvm::CallBase &call, const UpsFunction &function);
  struct ImageArguments {
    llvm::SmallVector<Value *, 4> shared;                      ///< image and sampler, as scalars
    llvm::SmallVector<std::pair<unsigned, Value *>, 8> slots;  ///< vectors and their indices in the frame
    Value *colours = nullptr;                                  ///< interleaved
    bool spread = false;                                       ///< the texels are not known to be adjacent in a row
  };
  std::optional<Channels> channels_of(Value *colour);
  std::optional<ImageArguments> image_arguments(llvm::CallBase &call);
  Value *component(Value *vectors, unsigned width, unsigned number);
  Value *lanes_from(Value *vector, unsigned first, unsigned count);

  /// Bytes between lanes from which a row is tested lane by lane, so that no sum overflows.
  static constexpr int64_t kFarthestCheckedStep = int64_t{1} << 40;

  llvm::Function &item_;
  llvm::Function &target_;
  unsigned lanes_;
  Cover cover_;
  const LaneControl &control_;
  const LaneShapes &shapes_;
  const llvm::TargetTransformInfo &costs_;
  const llvm::DataLayout &layout_;
  llvm::LLVMContext &context_;
  llvm::IRBuilder<> b_;

  bool tells_ = false;
  const BlockPlan *plan_ = nullptr;
  Value *mask_ = nullptr;  // of the current block
  Value *entry_mask_ = nullptr;
  Value *local_id_[3] = {};  // scalars in full sub-groups, otherwise vectors of i64
  llvm::BasicBlock *entry_ = nullptr;
  llvm::DenseMap<const Value *, llvm::AllocaInst *> slots_;
  llvm::DenseMap<const llvm::BasicBlock *, llvm::AllocaInst *> mask_slots_;
  llvm::DenseMap<const llvm::BasicBlock *, llvm::BasicBlock *> checks_, bodies_;
  llvm::DenseMap<const Value *, Value *> scalars_, vectors_;  // available in the current block
  llvm::SmallVector<llvm::AllocaInst *, 32> promotable_;
  llvm::SmallVector<llvm::CallInst *, 2> checks_of_next_;  ///< of the next access
  llvm::DenseMap<std::pair<llvm::Type *, uint64_t>, llvm::SmallVector<llvm::AllocaInst *, 4>> checked_arrays_;
  llvm::AllocaInst *image_frame_ = nullptr;
  llvm::AllocaInst *race_pointers_ = nullptr, *race_values_ = nullptr;
  std::array<llvm::AllocaInst *, 2> inactive_places_{};  ///< of loads, of stores
  llvm::DenseMap<const Value *, Channels> channels_;     ///< of colours that were read and of which only the channels are used
};

}  // namespace upsweep::passes

#endif
