// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The contract between code generated for the CPU and the driver that runs it. Plain C structs: the compiler mirrors
// them in LLVM IR (src/passes/group_layout.h), a code object exports one UpsweepCodeObject, the driver fills one UpsweepGroup
// per worker thread. Change any of it and UPSWEEP_CPU_ABI goes up, so that cached code objects of another contract are rebuilt.
#ifndef UPSWEEP_TARGETS_CPU_KERNEL_ABI_H
#define UPSWEEP_TARGETS_CPU_KERNEL_ABI_H

#include <stdint.h>

#define UPSWEEP_CPU_ABI 5u
/// The dot keeps it apart from every name that a kernel or a program-scope variable may have.
#define UPSWEEP_CODE_OBJECT_SYMBOL "upsweep.code_object"

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
  const void *arguments;   ///< argument block, laid out as UpsweepArgument::offset says
  char *local;             ///< local memory: the kernel's static variables first, then dynamic local arguments
  char *local_end;
  char *frames;  ///< frame_bytes per unit, aligned to 64 bytes; contents undefined at entry
  char *frames_end;
  void *scratch;    ///< UPSWEEP_SCRATCH_BYTES, aligned to 64; contents undefined at entry
  char *stack_low;  ///< bounds of the worker's stack, to answer to_private()
  char *stack_high;
  const struct UpsweepHooks *hooks;
  void *driver;  ///< the driver's own
};

/// Runs one whole work-group, all barriers included.
typedef void (*UpsweepEntry)(struct UpsweepGroup *group);

enum UpsweepArgumentKind {
  UPSWEEP_ARGUMENT_VALUE = 0,     ///< `size` bytes copied into the block
  UPSWEEP_ARGUMENT_GLOBAL = 1,    ///< a pointer to global memory
  UPSWEEP_ARGUMENT_CONSTANT = 2,  ///< a pointer to constant memory
  UPSWEEP_ARGUMENT_LOCAL = 3,     ///< the block holds a byte offset into UpsweepGroup::local as uint64_t
  UPSWEEP_ARGUMENT_IMAGE = 4,
  UPSWEEP_ARGUMENT_SAMPLER = 5,
  UPSWEEP_ARGUMENT_PIPE = 6,
  UPSWEEP_ARGUMENT_QUEUE = 7
};

struct UpsweepArgument {
  const char *name;            ///< "" when unknown
  const char *type_name;       ///< as CL_KERNEL_ARG_TYPE_NAME wants it: "float*", "uint4"
  uint32_t kind;               ///< UpsweepArgumentKind
  uint32_t address_qualifier;  ///< the cl_kernel_arg_address_qualifier value
  uint32_t access_qualifier;   ///< the cl_kernel_arg_access_qualifier value
  uint32_t type_qualifier;     ///< the cl_kernel_arg_type_qualifier bits
  uint32_t offset;             ///< in the argument block
  uint32_t size;               ///< bytes that clSetKernelArg takes (8 for pointers)
  uint32_t align;              ///< local arguments: alignment of the pointee
  uint32_t reserved;
};

/// Whether one call of an entry may run neighbouring work-groups along x. It then gets the group of the first one, with their
/// work-items together in local_size[0]; local_size has at most UPSWEEP_MAX_JOINED_ITEMS then.
enum UpsweepJoin {
  UPSWEEP_JOIN_NEVER = 0,
  UPSWEEP_JOIN_LINES = 1,  ///< work-groups of one row: their work-items run in the same order as without
  UPSWEEP_JOIN_ROWS = 2    ///< all: row by row, the kernel gains from long rows
};

struct UpsweepKernel {
  const char *name;
  const char *attributes;  ///< CL_KERNEL_ATTRIBUTES
  UpsweepEntry entry;
  const struct UpsweepArgument *arguments;
  uint32_t num_arguments;
  uint32_t argument_block_bytes;
  uint64_t local_bytes;              ///< static local variables
  uint64_t private_bytes;            ///< per work-item, an estimate for CL_KERNEL_PRIVATE_MEM_SIZE
  uint64_t stack_bytes;              ///< of private memory at a time (CPU: on the worker's stack), an estimate
  uint64_t frame_bytes;              ///< per unit; 0 when the kernel never waits
  uint32_t frame_unit;               ///< work-items per unit: the sub-group size in vector code, 1 in scalar code
  uint32_t sub_group_size;           ///< lanes
  uint32_t required_local_size[3];   ///< reqd_work_group_size, or zeros
  uint32_t local_size_hint[3];       ///< work_group_size_hint, or zeros
  uint32_t required_sub_group_size;  ///< intel_reqd_sub_group_size, or 0
  uint32_t uniform_work_group_size;  ///< 1 when built with -cl-uniform-work-group-size or -cl-std below CL2.0
  uint32_t has_argument_info;        ///< argument names and types are real (-cl-kernel-arg-info)
  uint32_t joins;                    ///< UpsweepJoin
  uint32_t max_work_group_size;      ///< where it is less than the device's, or 0
};

struct UpsweepCodeObject {
  uint32_t abi;  ///< UPSWEEP_CPU_ABI
  uint32_t num_kernels;
  const struct UpsweepKernel *kernels;  ///< in source order
  uint64_t program_scope_bytes;         ///< CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE
};

#ifdef __cplusplus
}
#endif
#endif
