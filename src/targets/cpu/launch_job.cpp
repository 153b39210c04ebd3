// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs the work-groups of a launch.
#include "targets/cpu/launch_job.h"
#include <algorithm>
#include <cstring>
#include <exception>

namespace upsweep {
namespace {

int32_t print(UpsweepGroup *group, const char *format, const void *arguments) {
  return static_cast<PrintfOutput *>(group->driver)->print(group, format, arguments) ? 0 : -1;
}

// Kernels that enqueue are LaunchTree's.
constexpr UpsweepHooks kHooks{.print = print, .enqueue = nullptr, .query = nullptr, .event = nullptr};

/// What a CPU's target has loaded.
const UpsweepKernelCode &code_of(const KernelCall &call) { return static_cast<const CpuCode &>(*call.code).code(*call.kernel); }

const void *copy_arguments(AlignedBlock &block, const KernelCall &call) {
  if (!block.reserve(call.arguments.size())) return nullptr;
  if (!call.arguments.empty()) std::memcpy(block.data(), call.arguments.data(), call.arguments.size());
  return block.data();
}

}  // namespace

HostLaunch::HostLaunch(Ref<Command> command)
    : command_(std::move(command)), launch_(std::get<Launch>(command_->body())),
      run_(code_of(launch_.call), launch_.range, copy_arguments(arguments_, launch_.call), launch_.call.local_bytes,
           launch_.call.largest_object),
      needs_memory_(
          std::ranges::any_of(launch_.call.memory, [](const MemoryUse &use) { return use.memory->can_have_copies(); })),
      failed_(run_.arguments == nullptr) {
  run_.arguments_apart = launch_.call.arguments_apart;
}

void HostLaunch::begin() {
  if (!started_.exchange(true)) command_->start();
  try {
    if (needs_memory_) fetch_memory();
  } catch (const std::exception &) {  // out of memory
    fail();
  }
}

void HostLaunch::fetch_memory() {
  std::call_once(fetched_, [this] {
    for (const auto &[memory, access] : launch_.call.memory)
      if (!memory->make_current_on_host(access, memory->whole())) fail();
  });
}

LaunchJob::LaunchJob(Ref<Command> command, Share share)
    : Job(share, std::get<Launch>(command->body()).range.total_groups()), host_(std::move(command)), workers_(share.count) {
  if (host_.launch().call.kernel->prints) output_.emplace();
}

void LaunchJob::work(WorkerMemory &memory) {
  host_.begin();
  const KernelRun &run = host_.run();
  alignas(64) UpsweepGroup group;
  group.hooks = &kHooks;
  group.driver = output_ ? &*output_ : nullptr;
  group.default_queue = 0;
  if (!run.fill(group, memory)) host_.fail();
  while (!host_.has_failed()) {
    const uint64_t count = run.next_run(next_.load(std::memory_order_relaxed), workers_);
    const uint64_t first = next_.fetch_add(count, std::memory_order_relaxed);
    if (first >= run.total) break;
    run.run(group, first, std::min(first + count, run.total), [] {});
  }
}

bool LaunchJob::may_assist(const Event &event) const {
  return host_.launch().call.kernel->stack_bytes <= kMaxAssistedBytes && host_.command().precedes(event);
}

void LaunchJob::complete() {
  output_.reset();  // writes the rest
  host_.command().finish(host_.has_failed() ? CL_OUT_OF_RESOURCES : CL_COMPLETE);
}

}  // namespace upsweep
