// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The exchange of totals among the work-groups of a launch: decoupled look-back (Merrill and Garland 2016) in two levels.
//
// Every tile publishes its total. The last tile of each block of UPS_BLOCK tiles publishes the prefix of the next block. A
// tile's prefix is its block's prefix and the totals of earlier tiles in the block. Brackets depend on tile numbers alone, so
// that results do not depend on the order in which work-groups run.
//
// A state is published as words of 64 bits. A word holds 32 bits of the state, and the same value plus 1 in the high half.
// Relaxed atomics suffice, since no other memory must be ordered with them. All words are 0 before the launch, which is no
// such pair. A torn word, with an old and a new half, is no such pair either, unless it equals the new word.

// The atomics of OpenCL C 1.x are relaxed, with the device's scope; 2.0 has them too. They have no load. A volatile load costs
// much less than adding 0 in every waiting work-group, and the test of progress shows that it sees new values.
#if __OPENCL_C_VERSION__ >= 300 && defined(__opencl_c_atomic_scope_device) && defined(cl_khr_int64_extended_atomics)
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
void ups_store_word(volatile global ulong *at, ulong word) {
  atomic_store_explicit((volatile global atomic_ulong *)at, word, memory_order_relaxed, memory_scope_device);
}
ulong ups_load_word(volatile global ulong *at) {
  return atomic_load_explicit((volatile global atomic_ulong *)at, memory_order_relaxed, memory_scope_device);
}
#else
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
void ups_store_word(volatile global ulong *at, ulong word) { atom_xchg(at, word); }
ulong ups_load_word(volatile global ulong *at) { return *at; }
#endif

#define UPS_WORDS ((uint)((sizeof(ups_state) + 3) / 4))
#define UPS_BLOCK (UPS_GROUP == 1 ? 16u : UPS_GROUP)

typedef union {
  ups_state state;
  uint words[(sizeof(ups_state) + 3) / 4];
} ups_parts;

void ups_publish(volatile global ulong *at, ups_state state) {
  ups_parts parts;
  parts.words[UPS_WORDS - 1] = 0;
  parts.state = state;
  for (uint k = 0; k < UPS_WORDS; ++k) {
    const ulong word = parts.words[k];  // read once: padding may have another value each time
    ups_store_word(at + k, (word << 32) + word + (1UL << 32));
  }
}

bool ups_look_for(volatile global ulong *at, ups_state *state) {
  ups_parts parts;
  bool is_there = true;
  for (uint k = 0; k < UPS_WORDS; ++k) {
    const ulong seen = ups_load_word(at + k);
    parts.words[k] = (uint)seen;
    is_there = is_there && (uint)(seen >> 32) == (uint)seen + 1;
  }
  *state = parts.state;
  return is_there;
}

ups_state ups_wait_for(volatile global ulong *at) {
  ups_state state;
  while (!ups_look_for(at, &state)) {
  }
  return state;
}

// The last tile of a block publishes the next block's prefix instead.
void ups_publish_tile(volatile global ulong *words, ulong tile, ups_state total) {
  if (get_local_id(0) == 0 && tile % UPS_BLOCK < UPS_BLOCK - 1) ups_publish(words + tile * UPS_WORDS, total);
}

// The total of the tiles before `tile`, whose own is `total`. `words` has UPS_WORDS words for each tile, then for each block.
// All work-items of a work-group call it. It ends when all earlier tiles, which have begun, are published.
ups_state ups_look_back(volatile global ulong *words, ulong tiles, ulong tile, ups_state total, local ups_state *memory) {
  const uint place = (uint)(tile % UPS_BLOCK), item = get_local_id(0);
  const ulong block = tile / UPS_BLOCK, first = tile - place;
  volatile global ulong *blocks = words + tiles * UPS_WORDS;
  ups_state in_block = ups_none();
#if UPS_GROUP == 1
  for (uint i = 0; i < place; ++i) in_block = ups_combine(in_block, ups_wait_for(words + (first + i) * UPS_WORDS));
  const ups_state block_prefix = block == 0 ? ups_none() : ups_wait_for(blocks + block * UPS_WORDS);
#else
  // The last work-item has no tile to wait for. It waits for the block's prefix and publishes the next block's, for which all
  // tiles of that block wait.
  const bool is_last = item == UPS_GROUP - 1;
  ups_state block_prefix = ups_none();
  const bool is_there = block == 0 || !is_last || ups_look_for(blocks + block * UPS_WORDS, &block_prefix);
  const ups_state mine = item < place ? ups_wait_for(words + (first + item) * UPS_WORDS) : ups_none();
  ups_group_scan(mine, memory, &in_block);
  if (is_last) {
    if (!is_there) block_prefix = ups_wait_for(blocks + block * UPS_WORDS);
    memory[0] = block_prefix;
  }
#endif
  if (item == UPS_GROUP - 1 && place == UPS_BLOCK - 1) {
    ups_publish(blocks + (block + 1) * UPS_WORDS, ups_combine(block_prefix, ups_combine(in_block, total)));
  }
#if UPS_GROUP != 1
  barrier(CLK_LOCAL_MEM_FENCE);
  block_prefix = memory[0];
  barrier(CLK_LOCAL_MEM_FENCE);
#endif
  return ups_combine(block_prefix, in_block);
}
