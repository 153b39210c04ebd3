// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A launch costs the host some microseconds, an item of a launch only a fraction. No function here waits: commands for which
// there is no room are started later.
#include "targets/cuda/tree_grids.h"
#include "runtime/objects/event.h"
#include <algorithm>
#include <cstring>

namespace upsweep {
namespace {

/// Batches of up to this many bytes are read directly from host memory: a copy to the GPU takes longer.
constexpr uint64_t kMappedBytes = 16 << 10;
/// Limits of blocks in a grid of several items, and in each of these items. Each block needs a number in memory, and large
/// items gain nothing from merging.
constexpr uint64_t kMergedBlocks = 1 << 16, kMergedItemBlocks = 1 << 10;
constexpr uint64_t kMostBatchBytes = TreeChunk::kBytes / 2;
constexpr uint64_t kPieceAlignment = UPSWEEP_BLOCK_ALIGNMENT;

uint64_t align_to(uint64_t value, uint64_t alignment) { return (value + alignment - 1) / alignment * alignment; }

}  // namespace

TreeGrids::TreeGrids(const Gpu &gpu, const CudaCode &code, TreeMemory &memory, CUdeviceptr printf_buffer)
    : gpu_(gpu), code_(code), memory_(memory), printf_buffer_(printf_buffer), chunk_(&memory.chunks()[0]) {}

void TreeGrids::run(size_t stream, std::vector<GpuCommand *> commands, TreeChunk *chunk) {
  running_[stream] = {std::move(commands), chunk};
  if (chunk) ++chunk->grids;
  ++num_running_;
}

void TreeGrids::add_launch(GpuCommand &command) {
  memory_.end_of(0).store(TreeMemory::kRunning, std::memory_order_relaxed);
  command.grids = 1;
  run(0, {&command}, nullptr);
}

// Listing commands

/// Includes an UpsweepItemOfBlock for each block unless the grid has only one item.
uint64_t TreeGrids::Batch::bytes() const {
  const uint64_t listed_blocks = items.size() == 1 ? 0 : total_blocks;
  return align_to(items.size() * sizeof(UpsweepItem) + listed_blocks * sizeof(UpsweepItemOfBlock), kPieceAlignment) +
         argument_bytes;
}

bool TreeGrids::Batch::has_room(uint64_t more_blocks, const GpuCommand &command) const {
  if (more_blocks > kMergedItemBlocks || (items.size() == 1 && total_blocks > kMergedItemBlocks)) return false;
  const uint64_t more_bytes = sizeof(UpsweepItem) +
                              (more_blocks + (items.size() == 1 ? total_blocks : 0)) * sizeof(UpsweepItemOfBlock) +
                              command.argument_bytes + kPieceAlignment;
  return total_blocks + more_blocks <= kMergedBlocks && bytes() + more_bytes <= kMostBatchBytes;
}

TreeGrids::Batch &TreeGrids::batch_for(const Key &key, uint64_t blocks, const GpuCommand &command) {
  for (auto batch = batches_.rbegin(); batch != batches_.rend(); ++batch)
    if (batch->key == key && batch->has_room(blocks, command)) return *batch;
  Batch &batch = batches_.emplace_back();
  batch.key = key;
  return batch;
}

void TreeGrids::add(GpuCommand &command) {
  const CudaCode::Functions &functions = code_.functions(*command.kernel);
  Grids grids(command.range);
  while (const Grid *grid = grids.next()) {
    const CudaCode::Function &function = grid->is_whole ? functions.whole : functions.edges;
    const Key key{function.handle, grid->threads, command.local_bytes - functions.declared_local_bytes()};
    const uint64_t blocks = uint64_t{grid->blocks[0]} * grid->blocks[1] * grid->blocks[2];
    Batch &batch = batch_for(key, blocks, command);
    batch.argument_bytes = align_to(batch.argument_bytes, command.argument_alignment);
    UpsweepItem item;
    item.grid = grid->parameter;
    item.grid.printf_buffer = printf_buffer_;
    item.grid.tree = memory_.tree();
    item.grid.command = reinterpret_cast<uint64_t>(&command);
    // Wraps around for a grid of one large item, but is not read then.
    item.first_block = static_cast<uint32_t>(batch.total_blocks);
    item.width = grid->blocks[0];
    item.height = grid->blocks[1];
    item.unused = 0;
    batch.items.push_back(item);
    batch.commands.push_back(&command);
    batch.arguments.push_back(static_cast<uint32_t>(batch.argument_bytes));
    batch.blocks = grid->blocks;
    batch.argument_bytes += command.argument_bytes;
    batch.total_blocks += blocks;
    ++command.grids;
  }
}

// Starting grids

TreeChunk *TreeGrids::chunk_for(uint64_t bytes) {
  const auto has_room = [&](TreeChunk &chunk) {
    if (chunk.grids == 0) chunk.used = 0;
    return chunk.used + bytes <= TreeChunk::kBytes;
  };
  if (has_room(*chunk_)) return chunk_;
  for (TreeChunk &chunk : memory_.chunks())
    if (chunk.grids == 0 && has_room(chunk)) return chunk_ = &chunk;
  return nullptr;
}

/// Writes the batch to memory: items, the item of each block, arguments.
void TreeGrids::fill(const Batch &batch, char *host) {
  auto *items = reinterpret_cast<UpsweepItem *>(host);
  auto *item_of = reinterpret_cast<UpsweepItemOfBlock *>(items + batch.items.size());
  char *const arguments = host + batch.bytes() - batch.argument_bytes;
  std::ranges::copy(batch.items, items);
  for (size_t i = 0; i < batch.items.size(); ++i) {
    GpuCommand &command = *batch.commands[i];
    std::memcpy(arguments + batch.arguments[i], command.arguments(), command.argument_bytes);
    if (batch.items.size() == 1) break;
    const uint64_t end = i + 1 < batch.items.size() ? batch.items[i + 1].first_block : batch.total_blocks;
    std::fill(item_of + batch.items[i].first_block, item_of + end,
              UpsweepItemOfBlock{static_cast<uint32_t>(i), batch.arguments[i]});
  }
}

/// False if there is no room now. A stream runs one grid at a time: a second grid would only block commands that become ready
/// in the meantime.
bool TreeGrids::start(Batch &batch) {
  const auto idle = std::ranges::find_if(running_, [](const Running &grid) { return grid.commands.empty(); });
  const uint64_t bytes = align_to(batch.bytes(), kPieceAlignment);
  TreeChunk *const chunk = idle == running_.end() ? nullptr : chunk_for(bytes);
  if (!chunk) return false;
  const auto number = static_cast<uint32_t>(idle - running_.begin());
  const CudaDriver &driver = gpu_.driver;
  CUstream stream = memory_.stream(number);
  char *const host = chunk->host + chunk->used;
  const bool is_copied = bytes > kMappedBytes;
  const uint64_t address = is_copied ? chunk->device + chunk->used : reinterpret_cast<uint64_t>(host);
  fill(batch, host);
  const bool is_merged = batch.items.size() > 1;
  UpsweepItems parameter{.items = address,
                         .item_of = address + batch.items.size() * sizeof(UpsweepItem),
                         .arguments = address + batch.bytes() - batch.argument_bytes,
                         .block_mask = is_merged ? ~0u : 0u,
                         .end = number + 1};
  const auto [x, y, z] = is_merged ? std::array<unsigned, 3>{static_cast<unsigned>(batch.total_blocks), 1, 1} : batch.blocks;
  const auto [tx, ty, tz] = batch.key.threads;
  void *parameters[] = {&parameter};
  const uint64_t now = now_ns();
  for (GpuCommand *command : batch.commands)
    if (command->event && !command->event->times.start) command->event->times.start = now;
  memory_.end_of(number).store(TreeMemory::kRunning, std::memory_order_relaxed);
  CUresult result = is_copied ? driver.copy_to_device(address, host, bytes, stream) : 0;
  if (result == 0)
    result = driver.launch(batch.key.function, x, y, z, tx, ty, tz, static_cast<unsigned>(batch.key.dynamic_bytes), stream,
                           parameters, nullptr);
  if (!gpu_.driver.check(result, CL_OUT_OF_RESOURCES, "a kernel that a kernel enqueued could not be started")) {
    for (GpuCommand *command : batch.commands) command->fail(CL_OUT_OF_RESOURCES);
    ended_.insert(ended_.end(), batch.commands.begin(), batch.commands.end());
    return true;
  }
  chunk->used += bytes;
  run(number, std::move(batch.commands), chunk);
  return true;
}

void TreeGrids::start() {
  size_t started = 0;
  while (started < batches_.size() && start(batches_[started])) ++started;
  batches_.erase(batches_.begin(), batches_.begin() + static_cast<std::ptrdiff_t>(started));
}

// Ends of grids

/// Moves a grid that has ended to `ended_`.
bool TreeGrids::collect() {
  for (size_t stream = 0; stream < running_.size(); ++stream) {
    Running &grid = running_[stream];
    if (grid.commands.empty()) continue;
    const uint64_t slots = memory_.end_of(stream).load(std::memory_order_acquire);
    if (slots == TreeMemory::kRunning || memory_.ring().returned_slots() < slots) continue;
    ended_.swap(grid.commands);
    if (grid.chunk) --grid.chunk->grids;
    --num_running_;
    return true;
  }
  return false;
}

GpuCommand *TreeGrids::next_ended() {
  do {
    while (!ended_.empty()) {
      GpuCommand *command = ended_.back();
      ended_.pop_back();
      if (--command->grids == 0) return command;
    }
  } while (collect());
  return nullptr;
}

}  // namespace upsweep
