// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs the work-groups of a launch.
#include "targets/cpu/launch_job.h"
#include "targets/cpu/assertion.h"
#include "targets/cpu/check_hooks.h"
#include "targets/cpu/meeting_hooks.h"
#include "targets/cpu/race_hooks.h"
#include <algorithm>
#include <exception>
#include <x86intrin.h>

namespace upsweep {
namespace {

int32_t print(UpsweepGroup *group, const char *format, const void *arguments) {
  return static_cast<PrintfOutput *>(group->driver)->print(group, format, arguments) ? 0 : -1;
}

// LaunchTree runs kernels that enqueue.
constexpr UpsweepHooks kHooks{.print = print,
                              .enqueue = nullptr,
                              .query = nullptr,
                              .event = nullptr,
                              .report = report_failure,
                              .find = find_object,
                              .race = follow_race,
                              .assert_failed = assert_failed,
                              .meet = meet,
                              .end_meetings = end_meetings};

/// The kernel's code, as loaded by the CPU's target.
const UpsweepKernelCode &code_of(const KernelCall &call) { return static_cast<const CpuCode &>(*call.code).code(*call.kernel); }

/// Whether an application thread's stack is large enough for the kernel.
bool may_be_assisted(const Command &command) {
  return std::get<Launch>(command.body()).call.kernel->stack_bytes <= kMaxAssistedBytes;
}

KernelPace &pace_of(const KernelCall &call) { return static_cast<const CpuCode &>(*call.code).pace(*call.kernel); }

}  // namespace

HostLaunch::HostLaunch(Ref<Command> command)
    : command_(std::move(command)), launch_(std::get<Launch>(command_->body())),
      run_(code_of(launch_.call), launch_.range, launch_.call.arguments.data(), launch_.call.local_bytes,
           launch_.call.largest_object),
      needs_memory_(
          std::ranges::any_of(launch_.call.memory, [](const MemoryUse &use) { return use.memory->can_have_copies(); })) {
  run_.arguments_apart = launch_.call.arguments_apart;
  run_.bounds = launch_.call.bounds.data();
}

void HostLaunch::begin() {
  if (!started_.load(std::memory_order_relaxed) && !started_.exchange(true)) command_->start();
  // Once, even if it fails. If one worker abandoned the launch and another ran work-groups, these might wait for work-groups
  // that no thread runs.
  if (needs_memory_) std::call_once(fetched_, [this] { fetch_memory(); });
}

void HostLaunch::fetch_memory() noexcept {
  try {
    for (const auto &[memory, access] : launch_.call.memory)
      if (!memory->make_current_on_host(access, memory->whole())) fail();
  } catch (const std::exception &) {  // out of memory
    fail();
  }
}

Job::Workers LaunchJob::workers_for(const Launch &launch, const Share &share) {
  const auto most = static_cast<uint32_t>(std::min<uint64_t>(launch.range.total_groups(), share.count));
  const auto &[x, y, z] = launch.range.global;
  const double cycles =
      pace_of(launch.call).cycles() * static_cast<double>(x) * static_cast<double>(y) * static_cast<double>(z);
  const auto worth = static_cast<uint64_t>(std::min(cycles / kWorkerCycles, 1e9));
  const bool is_long = cycles >= kWakingCycles;
  // A kernel that polls memory may wait for the application's thread. The compiler does not report it for work-groups of one
  // work-item.
  const auto &local = launch.range.local;
  const bool polls = code_of(launch.call).polls || local[0] * local[1] * local[2] == 1;
  return {.wanted = static_cast<uint32_t>(std::clamp<uint64_t>(worth, 1, most)),
          .most = most,
          .is_long = is_long,
          .is_for_any_waiter = cycles < kMostHelpCycles && !polls};
}

LaunchJob::LaunchJob(const Ref<Command> &command, Share share, WorkerPool &pool)
    : LaunchJob(command, share, pool, workers_for(std::get<Launch>(command->body()), share)) {}

LaunchJob::LaunchJob(Ref<Command> command, Share share, WorkerPool &pool, Workers workers)
    : Job(share, workers, may_be_assisted(*command) ? command.get() : nullptr), host_(std::move(command)), pool_(pool),
      may_widen_(workers.wanted < workers.most),
      ranges_(host_.run().total, workers.wanted, host_.run().num_groups[0], KernelRun::kMostGroups, host_.run().code->polls) {
  if (host_.launch().call.kernel->prints) output_.emplace();
}

void LaunchJob::work(WorkerMemory &memory, uint32_t rank) {
  TraceWorkScope traced(host_.command());
  host_.begin();
  const KernelRun &run = host_.run();
  alignas(64) UpsweepGroup group;
  group.hooks = &kHooks;
  group.driver = output_ ? &*output_ : nullptr;
  group.default_queue = 0;
  // A worker without memory takes no work-group. The other workers continue, because running work-groups may wait for
  // work-groups that are not taken yet.
  if (host_.has_failed()) return;
  if (!run.fill(group, memory)) return lacked_memory_.store(true, std::memory_order_relaxed);
  const uint64_t start = __rdtsc();
  uint64_t groups = 0;
  WorkRanges::Cursor cursor = ranges_.cursor_for(rank);
  for (auto range = ranges_.take(cursor); !range.is_empty(); range = ranges_.take(cursor)) {
    run.run(group, range.first, range.last, [] {});
    groups += range.last - range.first;
    // The launch takes longer than earlier launches did.
    if (may_widen_.load(std::memory_order_relaxed) && __rdtsc() - start > 2 * kWakingCycles && may_widen_.exchange(false))
      pool_.allow(*this);
  }
  if (!groups) return traced.forget();
  traced.set_groups(groups);
  const auto &local = run.range->local;
  pace_of(host_.launch().call).note(__rdtsc() - start, groups * local[0] * local[1] * local[2]);
}

void LaunchJob::complete() {
  output_.reset();  // writes the remaining output
  const bool is_all_run = !lacked_memory_.load(std::memory_order_relaxed) || ranges_.is_exhausted();
  host_.command().finish(host_.has_failed() || !is_all_run ? CL_OUT_OF_RESOURCES : CL_COMPLETE);
}

}  // namespace upsweep
