// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The contract between generated CPU code and the driver that runs it. Plain C structs: the compiler mirrors them in LLVM IR
// (src/passes/cpu/group_layout.h), a code object exports one UpsweepCodeObject, the driver fills one UpsweepGroup per worker
// thread. After any change increment UPSWEEP_CPU_ABI, so that cached code objects are rebuilt.
#ifndef UPSWEEP_TARGETS_CPU_KERNEL_ABI_H
#define UPSWEEP_TARGETS_CPU_KERNEL_ABI_H

#include "base/check_abi.h"
#include "base/enqueue_abi.h"

#include <stdint.h>

#define UPSWEEP_CPU_ABI 15u
/// The dot avoids collisions with names of kernels and program-scope variables.
#define UPSWEEP_CODE_OBJECT_SYMBOL "upsweep.code_object"

/// Alignment of the memory that a group points to: that of double16 and long16, OpenCL C's largest types. Local memory is
/// aligned to a page, for variables and arguments with explicit alignment.
#define UPSWEEP_MEMORY_ALIGN 128u
#define UPSWEEP_LOCAL_ALIGN 4096u

/// Largest work-group, and the bytes of UpsweepGroup::scratch for its collectives (16 bytes per work-item: one slot per
/// sub-group, even if the sub-group size is 1).
#define UPSWEEP_MAX_WORK_GROUP_SIZE 4096u
#define UPSWEEP_SCRATCH_BYTES (64u + 16u * UPSWEEP_MAX_WORK_GROUP_SIZE)

/// Limit of work-items in joined work-groups.
#define UPSWEEP_MAX_JOINED_ITEMS (1u << 20)

#ifdef __cplusplus
extern "C" {
#endif

struct UpsweepGroup;

/// Services that generated code calls.
struct UpsweepHooks {
  /// printf: `format` is the kernel's string; `arguments` holds each promoted argument at the next multiple of 8 bytes (vectors
  /// in their natural size, three components as four). Returns 0, or -1 if output is lost.
  int32_t (*print)(struct UpsweepGroup *group, const char *format, const void *arguments);
  /// __ups_enqueue, __ups_block_query and __ups_event of builtins/intrinsics.def. `kernel`: the block's number, 0 for a marker;
  /// `event`, if not null, receives the command's event. Returns an UpsweepEnqueueResult.
  int32_t (*enqueue)(struct UpsweepGroup *group, const struct UpsweepRange *range, uint64_t queue, uint32_t flags,
                     uint32_t num_events, const uint64_t *wait_list, uint64_t *event, uint64_t kernel,
                     const struct UpsweepBlock *block, uint32_t num_locals, const uint64_t *local_bytes);
  uint32_t (*query)(struct UpsweepGroup *group, const struct UpsweepRange *range, uint64_t kernel, uint32_t query);
  uint64_t (*event)(struct UpsweepGroup *group, uint64_t event, uint32_t action, uint64_t value);
  /// Checked code: an access of a work-item failed its check; and the object of a pointer that came from memory. `access`: an
  /// UpsweepAccess.
  void (*report)(struct UpsweepGroup *group, struct UpsweepCheckSite *site, const struct UpsweepFailure *failure,
                 const struct UpsweepItemPlace *place);
  struct UpsweepExtent (*find)(struct UpsweepGroup *group, const void *pointer, uint32_t access);
  /// Checked code: an event for the race check. `site` is null for events that are not accesses.
  void (*race)(struct UpsweepGroup *group, struct UpsweepCheckSite *site, const struct UpsweepRaceRow *row);
  /// __devicelib_assert_fail with the global and the local id. Ends the program.
  void (*assert_failed)(struct UpsweepGroup *group, const char *expression, const char *file, int32_t line,
                        const char *function, uint64_t g0, uint64_t g1, uint64_t g2, uint64_t l0, uint64_t l1, uint64_t l2);
  /// Code with checked barriers: work-items of a unit reach a barrier or a similar call; and the end of an entry.
  void (*meet)(struct UpsweepGroup *group, struct UpsweepMeetingSite *site, const struct UpsweepItemPlace *place,
               const struct UpsweepMeetingRow *row);
  void (*end_meetings)(struct UpsweepGroup *group);
};

/// State of a running work-group. Constant during one call of an entry; 64-byte aligned.
struct UpsweepGroup {
  uint64_t global_size[3];
  uint64_t global_offset[3];
  uint64_t enqueued_local_size[3];
  uint64_t num_groups[3];
  uint64_t group_id[3];
  uint64_t local_size[3];  ///< of this work-group; smaller than the enqueued size at a non-uniform edge
  uint64_t work_dim;       ///< 1 to 3; further sizes are 1, ids and offsets 0
  const void *arguments;   ///< argument block with the offsets of ArgumentDescription::offset; aligned to UPSWEEP_MEMORY_ALIGN
  char *local;             ///< local memory: the kernel's static variables, then dynamic local arguments; same alignment
  char *local_end;
  char *frames;  ///< frame_bytes per unit, same alignment; contents undefined at entry
  char *frames_end;
  void *scratch;    ///< UPSWEEP_SCRATCH_BYTES, same alignment; contents undefined at entry
  char *stack_low;  ///< bounds of the worker's stack, for to_private()
  char *stack_high;
  const struct UpsweepHooks *hooks;
  void *driver;                        ///< owned by the driver: the destination of printf, and the record of enqueued kernels
  uint64_t default_queue;              ///< get_default_queue()
  uint64_t arguments_apart;            ///< 1: the buffers of the arguments share no byte; 0: they may
  const struct UpsweepBounds *bounds;  ///< checked code: an element per argument, then one whose base is UINT64_MAX
  struct UpsweepCheckState *checks;    ///< checked code: of this thread
};

/// Runs one whole work-group, including all barriers.
typedef void (*UpsweepEntry)(struct UpsweepGroup *group);

/// Whether one call of an entry may run several work-groups that are adjacent along x. It then gets the first work-group's
/// UpsweepGroup with the joined work-items in local_size[0], UPSWEEP_MAX_JOINED_ITEMS at most.
enum UpsweepJoin {
  UPSWEEP_JOIN_NEVER = 0,
  UPSWEEP_JOIN_LINES = 1,  ///< work-groups of one row; the order of work-items does not change
  UPSWEEP_JOIN_ROWS = 2    ///< whole rows at a time; the kernel profits from long rows
};

/// Code of a kernel; base/kernel_description.h has the rest of its description.
struct UpsweepKernelCode {
  UpsweepEntry entry;
  UpsweepEntry large_entry;  ///< used if a memory object of the launch has `large_bytes` or more
  uint64_t large_bytes;      ///< UINT64_MAX if `entry` works for all sizes
  uint64_t frame_bytes;      ///< per unit; 0 if the kernel never waits
  uint32_t frame_unit;       ///< work-items per unit: the sub-group size in vector code, 1 in scalar code
  uint32_t joins;            ///< UpsweepJoin
  uint32_t polls;            ///< 1: a work-group may wait for another's store; 0: work-items wait at barriers only
  uint32_t reserved;         ///< 0
};

/// A name of a program-scope variable that the host may access.
struct UpsweepVariable {
  const char *name;
  void *address;
  uint64_t bytes;
  uint64_t access;  ///< 1: the host reads, 2: it writes, 3: both
};

struct UpsweepCodeObject {
  uint32_t abi;  ///< UPSWEEP_CPU_ABI
  uint32_t num_kernels;
  const struct UpsweepKernelCode *kernels;  ///< in source order
  const uint8_t *descriptions;              ///< of the kernels, one after another, encoded by base/kernel_description.h
  uint64_t description_bytes;
  uint64_t program_scope_bytes;  ///< CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE
  const struct UpsweepVariable *variables;
  uint64_t num_variables;
};

#ifdef __cplusplus
}
#endif
#endif
