// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The contract between generated code for NVIDIA GPUs and the driver. A kernel has the parameters of the OpenCL kernel in
// CUDA's layout (local pointers are 32-bit offsets into the block's dynamic shared memory), followed by an UpsweepGrid. A
// launch is one or more grids. All blocks of a grid have the same size, so the edges of a non-uniform launch are separate
// grids. A grid has at most 2^31 - 1 blocks in x and 65535 in y and z.
#ifndef UPSWEEP_TARGETS_CUDA_KERNEL_ABI_H
#define UPSWEEP_TARGETS_CUDA_KERNEL_ABI_H

#include <stdint.h>

#define UPSWEEP_CUDA_ABI 11u
/// Suffix of a kernel's version for smaller work-groups, if the kernel itself is compiled for whole work-groups of its required
/// size.
#define UPSWEEP_CUDA_EDGES_SUFFIX "$edges"
/// Suffix of a kernel's version for launches whose images have textures. Its UpsweepGrid is followed by an UpsweepTexture for
/// each UpsweepTextureUse (texture_abi.h). Its work-groups may have any size.
#define UPSWEEP_CUDA_TEXTURES_SUFFIX "$textures"
/// Suffix of the version for launches in which some image has an UpsweepTexture::order other than 0.
#define UPSWEEP_CUDA_ORDERS_SUFFIX "$orders"
/// Sizes of the largest work-group and of a sub-group.
#define UPSWEEP_CUDA_MAX_WORK_GROUP_SIZE 1024u
#define UPSWEEP_CUDA_SUB_GROUP_SIZE 32u

/// Records of printf. The buffer starts with a uint64_t, initially 0, that counts the requested bytes; the records follow. They
/// end at the count, or at a record of 0 bytes if the count exceeds the buffer.
#define UPSWEEP_CUDA_PRINTF_BYTES (16u << 20)

struct UpsweepPrintfRecord {
  uint64_t bytes;   ///< including the arguments that follow, packed as UpsweepHooks::print describes
  uint64_t format;  ///< address on the device, as for strings
};

struct UpsweepGrid {
  uint64_t first_id[3];    ///< global id of the grid's first work-item, including the launch's offset
  uint64_t group_base[3];  ///< id of the grid's first work-group
  uint64_t global_size[3];
  uint64_t global_offset[3];
  uint64_t num_groups[3];  ///< of the launch
  uint32_t enqueued_local_size[3];
  uint32_t work_dim;
  uint64_t printf_buffer;  ///< its address if the kernel prints
  uint64_t tree;           ///< address of an UpsweepTree (tree_abi.h) if the kernel enqueues others
  uint64_t command;        ///< the host's identifier for the command, if the kernel enqueues others
};

/// Commands of one block's kernel run as one grid. Each command is an item of it and has its own blocks.
struct UpsweepItem {
  UpsweepGrid grid;
  uint32_t first_block;  ///< in the CUDA grid
  uint32_t width;        ///< blocks in x
  uint32_t height;       ///< blocks in y
  uint32_t unused;
};

/// The item to which a block of a grid belongs.
struct UpsweepItemOfBlock {
  uint32_t number;
  uint32_t arguments;  ///< offset of its argument block, followed by the literal, in UpsweepItems::arguments
};

/// The only parameter of a block's kernel. The addresses may be in host memory; a block reads its item and arguments at the
/// same time. A grid of several items is one-dimensional and counts an item's work-groups x first; a grid of one item has the
/// item's dimensions.
struct UpsweepItems {
  uint64_t items;       ///< address; 0: there is nothing to run
  uint64_t item_of;     ///< address of each block's UpsweepItemOfBlock
  uint64_t arguments;   ///< address
  uint32_t block_mask;  ///< ~0; 0 if there is one item, whose arguments are the first
  uint32_t end;         ///< the grid's number in UpsweepTree::ends, plus 1; 0 for the launch's own kernel
};

#endif
