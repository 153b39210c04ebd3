// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernel checker's part of the contract between generated CPU code and the driver (docs/decisions/checker.md). Plain C
// structs; src/passes/cpu/check/sites.cpp and src/passes/cpu/group_layout.h mirror them. A change increments UPSWEEP_CPU_ABI.
#ifndef UPSWEEP_BASE_CHECK_ABI_H
#define UPSWEEP_BASE_CHECK_ABI_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The memory of an argument of a launch. A value's bounds are 0.
struct UpsweepBounds {
  uint64_t base;         ///< address of the object; 0 for a null pointer, and for local memory
  uint64_t start;        ///< the argument's distance from `base`
  uint64_t read_bytes;   ///< size of the object, or 0 if kernels must not read it
  uint64_t write_bytes;  ///< size of the object, or 0 if kernels must not write it
};

/// The result of a look-up by address.
struct UpsweepExtent {
  uint64_t start;  ///< the pointer's distance from the beginning of its object
  uint64_t bytes;  ///< size of the object, UPSWEEP_UNKNOWN_BYTES if unknown
};

/// A size that no object has. A pointer to an unknown object is in the middle of it, so that no access is outside.
#define UPSWEEP_UNKNOWN_BYTES (UINT64_C(1) << 62)
/// No object is below this address.
#define UPSWEEP_NULL_PAGE 4096u

/// Bits of UpsweepCheckSite::access.
enum UpsweepAccess { UPSWEEP_READS = 1, UPSWEEP_WRITES = 2 };
/// Further bits of it, for the check of initialisation: the value's effect.
enum UpsweepValueUse {
  UPSWEEP_DECIDES_BRANCH = 4,
  UPSWEEP_DECIDES_ADDRESS = 8,
  UPSWEEP_IS_OUTPUT = 16,  ///< printed
  UPSWEEP_IS_STORED = 32   ///< stored in memory that the host may read later
};

/// The distance from an address to its shadow, whose bits are 1 for bits that were never written. Addresses below
/// UPSWEEP_SHADOW_SPLIT have another distance, since no distance keeps all addresses of a process below 2^47. The shadows of
/// the ranges in which systems place programs, heaps and mappings overlap neither with these ranges nor with each other.
#define UPSWEEP_SHADOW_SPLIT (INT64_C(1) << 46)
#define UPSWEEP_SHADOW_LOW (INT64_C(0x2800) << 32)
#define UPSWEEP_SHADOW_HIGH (-(INT64_C(0x4000) << 32))

enum UpsweepObjectKind {
  UPSWEEP_OBJECT_UNKNOWN = 0,
  UPSWEEP_OBJECT_ARGUMENT = 1,        ///< the memory of a global or constant argument
  UPSWEEP_OBJECT_LOCAL_ARGUMENT = 2,  ///< local memory whose size the host sets
  UPSWEEP_OBJECT_LOCAL = 3,           ///< a local variable
  UPSWEEP_OBJECT_PRIVATE = 4,         ///< a private variable
  UPSWEEP_OBJECT_PROGRAM = 5,         ///< a variable at program scope
  UPSWEEP_OBJECT_ARRAY = 6,           ///< an array inside another object
  /// A coordinate's axis in an image; the object's bytes are the texels along it.
  UPSWEEP_OBJECT_IMAGE_X = 7,
  UPSWEEP_OBJECT_IMAGE_Y = 8,
  UPSWEEP_OBJECT_IMAGE_Z = 9,
  UPSWEEP_OBJECT_IMAGE_LAYER = 10,
  UPSWEEP_OBJECT_IMAGE = 11,       ///< a texel of an image
  UPSWEEP_OBJECT_ARITHMETIC = 12,  ///< no memory: an operation (base/arithmetic_abi.h)
};

/// The type of the value that an access writes.
enum UpsweepValueKind { UPSWEEP_VALUE_NONE = 0, UPSWEEP_VALUE_INTEGER = 1, UPSWEEP_VALUE_FLOAT = 2 };

/// Kinds of findings.
enum UpsweepFindingKind {
#define UPSWEEP_FINDING_KIND(id, name, check) UPSWEEP_##id,
#include "base/finding_kinds.def"
  UPSWEEP_NUM_FINDING_KINDS
};

/// A place in a kernel that is checked. Strings are never null.
struct UpsweepCheckSite {
  const char *kernel;
  const char *file;    ///< empty if unknown
  const char *object;  ///< name of the argument or variable; empty if unknown
  const char *calls;   ///< places of the calls that lead here, innermost first, such as "a.cl:12:3, a.cl:40:5"
  uint32_t line;
  uint32_t column;
  uint32_t access;   ///< UpsweepAccess
  uint32_t kind;     ///< UpsweepObjectKind
  int32_t argument;  ///< index, or -1
  uint32_t width;    ///< bytes of the access; 0 if they vary
  uint32_t align;
  uint32_t value;       ///< UpsweepValueKind
  uint32_t value_bits;  ///< of the written value
  uint32_t element;     ///< bytes of an element of an array, or 0
  uint32_t off;         ///< a bit for each kind that a pragma of the source turns off here
  uint32_t reserved;
  void *findings[UPSWEEP_NUM_FINDING_KINDS];  ///< the driver's counters, null at first; for UPSWEEP_RACE the site's number
};

/// A work-item's place in the code of a unit: the first work-item's local id, and the lane along `axis`.
struct UpsweepItemPlace {
  uint32_t x, y, z;
  uint32_t lane;
  uint32_t axis;
  uint32_t first;  ///< linear local id of the unit's first work-item
};

/// The events that the race check follows.
enum UpsweepRaceKind {
  UPSWEEP_RACE_PLAIN = 0,        ///< before an access
  UPSWEEP_RACE_COPY = 1,         ///< before an access of an async copy
  UPSWEEP_RACE_ATOMIC = 2,       ///< before an atomic access
  UPSWEEP_RACE_ATOMIC_DONE = 3,  ///< after it
  UPSWEEP_RACE_FENCE = 4,
  UPSWEEP_RACE_BARRIER = 5,    ///< after a barrier of the work-group
  UPSWEEP_RACE_COPY_WAIT = 6,  ///< after wait_group_events
  UPSWEEP_RACE_SUB_GROUP = 7   ///< after a barrier or collective of the sub-group
};

/// An event of the active lanes of a unit.
struct UpsweepRaceRow {
  uint64_t pointer;          ///< of lane 0
  int64_t step;              ///< bytes between the pointers of adjacent lanes
  const uint64_t *pointers;  ///< if not null, a pointer per lane
  uint64_t value;            ///< bits of the written value
  const uint64_t *values;    ///< if not null, a value per lane
  uint64_t mask;             ///< the active lanes
  uint64_t width;            ///< bytes of the access
  uint32_t kind;             ///< UpsweepRaceKind
  uint32_t order;            ///< memory_order of OpenCL C
  uint32_t scope;            ///< memory_scope of OpenCL C
  uint32_t spaces;           ///< cl_mem_fence_flags of a barrier
  uint32_t sub_group_size;
  uint32_t x, y, z, axis;  ///< as in UpsweepItemPlace
  uint32_t reserved;
};

/// An access that failed its check: `start` and `bytes` as in UpsweepExtent, `address` 0 if unknown.
struct UpsweepFailure {
  uint64_t address;
  uint64_t start;
  uint64_t bytes;
  uint64_t width;
  uint64_t value;
};

/// Bits of UpsweepMeetingSite::flags.
enum UpsweepMeetingFlags {
  UPSWEEP_MEETS_SUB_GROUP = 1,  ///< the work-items of a sub-group meet, not those of the work-group
  UPSWEEP_STARTS_COPY = 2,      ///< an async copy
  UPSWEEP_AWAITS_COPIES = 4,    ///< wait_group_events()
  UPSWEEP_POLLS = 8,            ///< no meeting: a loop that reads memory until another work-item writes it
  UPSWEEP_IS_CONDITIONAL = 16   ///< a condition that may differ between work-items decides about the call
};

/// Most arguments of a call that are compared between work-items.
#define UPSWEEP_MOST_MEETING_ARGUMENTS 5u

/// A call that all work-items of a group must reach. The function's name is the place's `object`.
struct UpsweepMeetingSite {
  struct UpsweepCheckSite *place;
  const char *conditions;  ///< places of the conditions that decide about it, such as "a.cl:12:3, a.cl:40:5"
  const char *arguments;   ///< names of the arguments that are compared, with commas
  uint32_t num_arguments;
  uint32_t flags;  ///< UpsweepMeetingFlags
};

/// The work-items of a unit that reach such a call. Bit i of `lanes`: lane i reaches it. `values`: for each argument the values
/// of `stride` lanes, or one value of all lanes if `stride` is 0; for a poll, the loop's iterations.
struct UpsweepMeetingRow {
  uint64_t lanes;
  const uint64_t *values;
  uint32_t stride;
  uint16_t sub_group_size;
  uint16_t unit_lanes;  ///< 1 in the code of single work-items
};

/// The newest call that whole units of a work-group reach in the order of their ids. Generated code compares arguments that are
/// the same for a unit, and calls the hook for all others.
struct UpsweepMeetingState {
  struct UpsweepMeetingSite *site;  ///< null between work-groups
  uint32_t next;                    ///< linear local id of the first work-item of the unit that reaches the call next
  uint32_t reserved;
  uint64_t values[UPSWEEP_MOST_MEETING_ARGUMENTS];
};

/// The state of the checks on a thread that runs work-groups.
struct UpsweepCheckState {
  struct UpsweepMeetingState meeting;
  const struct UpsweepLocalShadow *local;  ///< race_abi.h; of the running work-group
};

#ifdef __cplusplus
}
#endif
#endif
