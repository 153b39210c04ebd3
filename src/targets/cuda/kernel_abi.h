// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The contract between code generated for NVIDIA GPUs and who launches it. A kernel has the parameters of the OpenCL kernel,
// each as CUDA lays it out (local pointers are 32-bit offsets into the block's dynamic shared memory), and an UpsweepGrid after
// them. A launch is one or more grids: blocks of a grid have one size, which edges of a non-uniform launch differ in, and a
// grid has at most 2^31 - 1 blocks in x and 65535 in y and z.
#ifndef UPSWEEP_TARGETS_CUDA_KERNEL_ABI_H
#define UPSWEEP_TARGETS_CUDA_KERNEL_ABI_H

#include <stdint.h>

#define UPSWEEP_CUDA_ABI 8u
/// Behind the name of a kernel whose code is for whole work-groups of the size that it requires: for smaller ones.
#define UPSWEEP_CUDA_EDGES_SUFFIX "$edges"
/// Behind the name of a kernel that reads images: for launches whose images have textures. Its UpsweepGrid is followed by an
/// UpsweepTexture for each UpsweepTextureUse (texture_abi.h), and its work-groups may have any size.
#define UPSWEEP_CUDA_TEXTURES_SUFFIX "$textures"
/// The same for launches some of whose images have an UpsweepTexture::order that is not 0.
#define UPSWEEP_CUDA_ORDERS_SUFFIX "$orders"
/// Of the largest work-group, and of a sub-group.
#define UPSWEEP_CUDA_MAX_WORK_GROUP_SIZE 1024u
#define UPSWEEP_CUDA_SUB_GROUP_SIZE 32u

/// Of the records of printf. Their buffer is a uint64_t, which counts the bytes that were asked for and starts with 0, and the
/// records behind it: as long as the counter says, or up to a record of 0 bytes where it says more than there is room for.
#define UPSWEEP_CUDA_PRINTF_BYTES (1u << 20)

struct UpsweepPrintfRecord {
  uint64_t bytes;   ///< with the arguments that follow, packed as UpsweepHooks::print says
  uint64_t format;  ///< an address on the device, as those of strings are
};

struct UpsweepGrid {
  uint64_t first_id[3];    ///< global id of the grid's first work-item, with the launch's offset
  uint64_t group_base[3];  ///< id of the grid's first work-group
  uint64_t global_size[3];
  uint64_t global_offset[3];
  uint64_t num_groups[3];  ///< of the launch
  uint32_t enqueued_local_size[3];
  uint32_t work_dim;
  uint64_t printf_buffer;  ///< its address where the kernel prints
  uint64_t tree;           ///< of an UpsweepTree (tree_abi.h) where the kernel enqueues others
  uint64_t command;        ///< there, what the host knows the command by
};

/// Commands of one kernel of a block run as one grid: each is an item of it, with blocks of its own.
struct UpsweepItem {
  UpsweepGrid grid;
  uint32_t first_block;  ///< of the CUDA grid
  uint32_t width;        ///< blocks in x
  uint32_t height;       ///< blocks in y
  uint32_t unused;
};

/// Which item a block of a grid belongs to.
struct UpsweepItemOfBlock {
  uint32_t number;
  uint32_t arguments;  ///< where its argument block is, which the literal follows, behind UpsweepItems::arguments
};

/// The only parameter of a block's kernel. What it points to may be in the host's memory: from its address on, a block reads an
/// item and its arguments at once. A grid of several items is one-dimensional, and its blocks count an item's
/// work-groups x first; that of one item has the item's dimensions.
struct UpsweepItems {
  uint64_t items;       ///< address; 0: nothing runs
  uint64_t item_of;     ///< address of each block's UpsweepItemOfBlock
  uint64_t arguments;   ///< address
  uint32_t block_mask;  ///< ~0; 0 where there is one item: the first, whose arguments are the first ones
  uint32_t end;         ///< the grid's number in UpsweepTree::ends, and 1. That of the launch's own kernel is 0
};

#endif
