// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The contract between code generated for the CPU and the driver that runs it. Plain C structs: the compiler mirrors
// them in LLVM IR (src/passes/cpu/group_layout.h), a code object exports one UpsweepCodeObject, the driver fills one
// UpsweepGroup per worker thread. Change any of it and UPSWEEP_CPU_ABI goes up, so that cached code objects of another contract
// are rebuilt.
#ifndef UPSWEEP_TARGETS_CPU_KERNEL_ABI_H
#define UPSWEEP_TARGETS_CPU_KERNEL_ABI_H

#include "base/enqueue_abi.h"

#include <stdint.h>

#define UPSWEEP_CPU_ABI 10u
/// The dot keeps it apart from every name that a kernel or a program-scope variable may have.
#define UPSWEEP_CODE_OBJECT_SYMBOL "upsweep.code_object"

/// Alignment of the memory that a group points to: that of double16 and long16, the largest of OpenCL C's types. Local memory
/// has that of a page, for variables and arguments with an alignment of their own.
#define UPSWEEP_MEMORY_ALIGN 128u
#define UPSWEEP_LOCAL_ALIGN 4096u

/// Largest work-group, and the bytes of UpsweepGroup::scratch that its collectives need (16 bytes per work-item: a slot per
/// sub-group whatever the sub-group size is, even 1).
#define UPSWEEP_MAX_WORK_GROUP_SIZE 4096u
#define UPSWEEP_SCRATCH_BYTES (64u + 16u * UPSWEEP_MAX_WORK_GROUP_SIZE)

/// Work-items of work-groups that run as one.
#define UPSWEEP_MAX_JOINED_ITEMS (1u << 20)

#ifdef __cplusplus
extern "C" {
#endif

struct UpsweepGroup;

/// Services that generated code calls.
struct UpsweepHooks {
  /// printf: `format` is the kernel's string, `arguments` packs each promoted argument at the next multiple of 8 bytes (vectors
  /// in their natural size, three components as four). Returns 0, or -1 when the output is lost.
  int32_t (*print)(struct UpsweepGroup *group, const char *format, const void *arguments);
  /// __ups_enqueue, __ups_block_query and __ups_event of builtins/intrinsics.def. `kernel`: the number of a block's, 0 for a
  /// marker; `event`, if not null, gets the command's event. Returns an UpsweepEnqueueResult.
  int32_t (*enqueue)(struct UpsweepGroup *group, const struct UpsweepRange *range, uint64_t queue, uint32_t flags,
                     uint32_t num_events, const uint64_t *wait_list, uint64_t *event, uint64_t kernel,
                     const struct UpsweepBlock *block, uint32_t num_locals, const uint64_t *local_bytes);
  uint32_t (*query)(struct UpsweepGroup *group, const struct UpsweepRange *range, uint64_t kernel, uint32_t query);
  uint64_t (*event)(struct UpsweepGroup *group, uint64_t event, uint32_t action, uint64_t value);
};

/// All that a running work-group knows. Constant during one call of an entry; 64-byte aligned.
struct UpsweepGroup {
  uint64_t global_size[3];
  uint64_t global_offset[3];
  uint64_t enqueued_local_size[3];
  uint64_t num_groups[3];
  uint64_t group_id[3];
  uint64_t local_size[3];  ///< of this work-group; smaller than enqueued at a non-uniform edge
  uint64_t work_dim;       ///< 1 to 3; sizes beyond it are 1, ids and offsets 0
  const void *arguments;   ///< argument block, laid out as ArgumentDescription::offset says; aligned to UPSWEEP_MEMORY_ALIGN
  char *local;  ///< local memory: the kernel's static variables first, then dynamic local arguments; aligned likewise
  char *local_end;
  char *frames;  ///< frame_bytes per unit, aligned likewise; contents undefined at entry
  char *frames_end;
  void *scratch;    ///< UPSWEEP_SCRATCH_BYTES, aligned likewise; contents undefined at entry
  char *stack_low;  ///< bounds of the worker's stack, to answer to_private()
  char *stack_high;
  const struct UpsweepHooks *hooks;
  void *driver;              ///< the driver's own: where printf goes, and the record of enqueued kernels
  uint64_t default_queue;    ///< get_default_queue()
  uint64_t arguments_apart;  ///< 1: the buffers of the arguments have no byte in common; 0: they may
};

/// Runs one whole work-group, all barriers included.
typedef void (*UpsweepEntry)(struct UpsweepGroup *group);

/// Whether one call of an entry may run neighbouring work-groups along x. It then gets the group of the first one, with their
/// work-items together in local_size[0]; local_size has at most UPSWEEP_MAX_JOINED_ITEMS then.
enum UpsweepJoin {
  UPSWEEP_JOIN_NEVER = 0,
  UPSWEEP_JOIN_LINES = 1,  ///< work-groups of one row: their work-items run in the same order as without
  UPSWEEP_JOIN_ROWS = 2    ///< all: row by row, the kernel gains from long rows
};

/// What running a kernel takes; base/kernel_description.h says the rest of it.
struct UpsweepKernelCode {
  UpsweepEntry entry;
  UpsweepEntry large_entry;  ///< instead, when a memory object of the launch has `large_bytes` or more
  uint64_t large_bytes;      ///< UINT64_MAX where `entry` is for all
  uint64_t frame_bytes;      ///< per unit; 0 when the kernel never waits
  uint32_t frame_unit;       ///< work-items per unit: the sub-group size in vector code, 1 in scalar code
  uint32_t joins;            ///< UpsweepJoin
};

struct UpsweepCodeObject {
  uint32_t abi;  ///< UPSWEEP_CPU_ABI
  uint32_t num_kernels;
  const struct UpsweepKernelCode *kernels;  ///< in source order
  const uint8_t *descriptions;              ///< of the kernels, one after the other, as base/kernel_description.h encodes them
  uint64_t description_bytes;
  uint64_t program_scope_bytes;  ///< CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE
};

#ifdef __cplusplus
}
#endif
#endif
