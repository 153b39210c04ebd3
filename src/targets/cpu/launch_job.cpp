// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs the work-groups of a launch.
#include "targets/cpu/launch_job.h"
#include "targets/cpu/code_object.h"
#include <algorithm>
#include <cstring>
#include <exception>

namespace upsweep {
namespace {

std::array<uint64_t, 3> count_groups(const NDRange &range) {
  return {range.num_groups(0), range.num_groups(1), range.num_groups(2)};
}

/// Work-groups that a worker takes at a time.
constexpr uint64_t kMostGroups = 256;
static_assert(kMostGroups * UPSWEEP_MAX_WORK_GROUP_SIZE <= UPSWEEP_MAX_JOINED_ITEMS);

/// Work-items along x that run as one where a whole row of work-groups cannot: few enough for the first-level cache to keep
/// some arrays' rows of them (docs/decisions/joined-groups.md).
constexpr uint64_t kJoinedItems = 512;

int32_t print(UpsweepGroup *group, const char *format, const void *arguments) {
  return static_cast<PrintfOutput *>(group->driver)->print(group, format, arguments) ? 0 : -1;
}
constexpr UpsweepHooks kHooks{.print = print};

/// What a CPU's target has loaded.
const UpsweepKernelCode &code_of(const KernelCall &call) { return static_cast<const CpuCode &>(*call.code).code(*call.kernel); }

uint64_t product(const std::array<uint64_t, 3> &sizes) { return sizes[0] * sizes[1] * sizes[2]; }

}  // namespace

LaunchJob::LaunchJob(Ref<Command> command, Share share)
    : Job(share, product(count_groups(std::get<Launch>(command->body()).range))), command_(std::move(command)),
      launch_(std::get<Launch>(command_->body())), code_(code_of(launch_.call)), num_groups_(count_groups(launch_.range)),
      total_(product(num_groups_)), workers_(share.count),
      needs_memory_(
          std::ranges::any_of(launch_.call.memory, [](const MemoryUse &use) { return use.memory->can_have_copies(); })) {
  if (launch_.call.kernel->prints) output_.emplace();
  if (arguments_.reserve(launch_.call.arguments.size())) {
    if (!launch_.call.arguments.empty())
      std::memcpy(arguments_.data(), launch_.call.arguments.data(), launch_.call.arguments.size());
  } else {
    failed_ = true;
  }
}

bool LaunchJob::fill(UpsweepGroup &group, WorkerMemory &memory) {
  const NDRange &range = launch_.range;
  for (int i = 0; i < 3; ++i) {
    group.global_size[i] = range.global[i];
    group.global_offset[i] = range.offset[i];
    group.enqueued_local_size[i] = range.local[i];
    group.num_groups[i] = num_groups_[i];
  }
  group.work_dim = range.work_dim;
  group.arguments = arguments_.data();
  group.hooks = &kHooks;
  group.driver = output_ ? &*output_ : nullptr;
  uint64_t unit = std::max<uint64_t>(1, code_.frame_unit);
  uint64_t units = (product(range.local) + unit - 1) / unit;
  uint64_t frame_bytes = 0;
  return !__builtin_mul_overflow(units, code_.frame_bytes, &frame_bytes) &&
         memory.lend(group, launch_.call.local_bytes, frame_bytes);
}

void LaunchJob::work(WorkerMemory &memory) {
  if (!started_.exchange(true)) command_->start();
  try {
    if (needs_memory_) fetch_memory();
  } catch (const std::exception &) {  // out of memory
    failed_ = true;
  }
  alignas(64) UpsweepGroup group;
  if (!fill(group, memory)) failed_ = true;
  while (!failed_.load(std::memory_order_relaxed)) {
    uint64_t run = next_run();
    uint64_t first = next_.fetch_add(run, std::memory_order_relaxed);
    if (first >= total_) break;
    run_groups(group, first, std::min(first + run, total_));
  }
}

void LaunchJob::fetch_memory() {
  std::call_once(fetched_, [this] {
    for (const auto &[memory, access] : launch_.call.memory)
      if (!memory->make_current_on_host(access, memory->whole())) failed_ = true;
  });
}

uint64_t LaunchJob::next_run() const {
  // Runs shorten towards the end, so that all workers stop at about the same time however long a work-group takes. Beyond 256
  // the counter's cost is nothing already.
  uint64_t taken = std::min(next_.load(std::memory_order_relaxed), total_);
  uint64_t run = std::clamp<uint64_t>((total_ - taken) / (8 * workers_), 1, kMostGroups);
  return run > num_groups_[0] ? run - run % num_groups_[0] : run;  // whole rows, for joined_groups()
}

/// How many of the `left` work-groups from number `x` of a row on one call runs.
uint64_t LaunchJob::joined_groups(uint64_t x, uint64_t left) const {
  const auto &local = launch_.range.local;
  const uint32_t joins = code_.joins;
  if (joins == UPSWEEP_JOIN_NEVER) return 1;
  const uint64_t in_row = std::min(num_groups_[0] - x, left);
  if (local[1] * local[2] == 1 || (joins == UPSWEEP_JOIN_ROWS && in_row == num_groups_[0])) return in_row;
  if (joins != UPSWEEP_JOIN_ROWS) return 1;
  return std::clamp<uint64_t>(kJoinedItems / local[0], 1, in_row);
}

void LaunchJob::run_groups(UpsweepGroup &group, uint64_t first, uint64_t last) const {
  const NDRange &range = launch_.range;
  const UpsweepEntry entry = launch_.call.largest_object < code_.large_bytes ? code_.entry : code_.large_entry;
  uint64_t x = first % num_groups_[0];
  uint64_t y = first / num_groups_[0] % num_groups_[1];
  uint64_t z = first / num_groups_[0] / num_groups_[1];
  for (uint64_t i = first; i < last;) {
    const uint64_t joined = joined_groups(x, last - i);
    group.group_id[0] = x;
    group.group_id[1] = y;
    group.group_id[2] = z;
    for (int dim = 0; dim < 3; ++dim)
      group.local_size[dim] =
          std::min(range.local[dim] * (dim == 0 ? joined : 1), range.global[dim] - group.group_id[dim] * range.local[dim]);
    entry(&group);
    i += joined;
    x += joined;
    if (x < num_groups_[0]) continue;
    x = 0;
    if (++y < num_groups_[1]) continue;
    y = 0;
    ++z;
  }
}

bool LaunchJob::may_assist(const Event &event) const {
  // Kernels with large private arrays need a worker's stack. The bound leaves room for what code generation adds.
  constexpr uint64_t kMaxPrivateBytes = 128 << 10;
  return launch_.call.kernel->stack_bytes <= kMaxPrivateBytes && command_->precedes(event);
}

void LaunchJob::complete() {
  output_.reset();  // writes the rest
  command_->finish(failed_ ? CL_OUT_OF_RESOURCES : CL_COMPLETE);
}

}  // namespace upsweep
