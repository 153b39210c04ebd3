// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs the commands of a command buffer.
#include "targets/cpu/graph_job.h"
#include "base/options.h"
#include "runtime/commands/transfer_ends.h"
#include "runtime/memory/address_table.h"
#include "runtime/printf/printf_output.h"
#include "targets/cpu/assertion.h"
#include "targets/cpu/check_hooks.h"
#include "targets/cpu/code_object.h"
#include "targets/cpu/kernel_run.h"
#include "targets/cpu/launch_job.h"
#include "targets/cpu/meeting_hooks.h"
#include "targets/cpu/race_hooks.h"
#include "targets/cpu/work_ranges.h"
#include <algorithm>
#include <chrono>
#include <memory>
#include <new>
#include <optional>
#include <vector>
#include <x86intrin.h>

namespace upsweep {
namespace {

int32_t print_of_graph(UpsweepGroup *group, const char *format, const void *arguments) {
  return static_cast<PrintfOutput *>(group->driver)->print(group, format, arguments) ? 0 : -1;
}
constexpr UpsweepHooks kGraphHooks{.print = print_of_graph,
                                   .enqueue = nullptr,
                                   .query = nullptr,
                                   .event = nullptr,
                                   .report = report_failure,
                                   .find = find_object,
                                   .race = follow_race,
                                   .assert_failed = assert_failed,
                                   .meet = meet,
                                   .end_meetings = end_meetings};

/// A stage that takes this long although a short time was expected: its work-groups wait for others. Less would also fit a
/// leader whose processor runs other programs, and a second thread would then wait for a processor too.
constexpr uint64_t kStuckCycles = 20 * kWakingCycles;
/// A copy in the second-level cache; only an order of magnitude matters.
constexpr double kBytesPerCycle = 8;

const CpuCode &cpu_code(const Launch &launch) { return static_cast<const CpuCode &>(*launch.call.code); }
KernelPace &recorded_pace(const Launch &launch) { return cpu_code(launch).pace(*launch.call.kernel); }

double cycles_of(const CommandBody &body) {
  if (const auto *launch = std::get_if<Launch>(&body)) {
    const auto &[x, y, z] = launch->range.global;
    return recorded_pace(*launch).cycles() * static_cast<double>(x) * static_cast<double>(y) * static_cast<double>(z);
  }
  const auto *transfer = std::get_if<Transfer>(&body);
  return transfer ? static_cast<double>(ends_of(*transfer).bytes) / kBytesPerCycle : 0;
}

/// Work-groups of a launch; a transfer is one unit.
uint64_t units_of(const CommandBody &body) {
  if (const auto *launch = std::get_if<Launch>(&body)) return launch->range.total_groups();
  return std::holds_alternative<Transfer>(body);
}

/// Whether a work-group may wait for another.
bool has_waiting_groups(const CommandBody &body) {
  const auto *launch = std::get_if<Launch>(&body);
  return launch && cpu_code(*launch).code(*launch->call.kernel).polls && launch->range.total_groups() > 1;
}

bool fits_application_threads(const CommandGraph &graph) {
  return std::ranges::all_of(graph.commands(), [](const std::shared_ptr<const RecordedCommand> &command) {
    const auto *launch = std::get_if<Launch>(&command->body);
    return !launch || launch->call.kernel->stack_bytes <= kMaxAssistedBytes;
  });
}

}  // namespace

struct GraphJob::Estimate {
  uint64_t units = 0;
  double cycles = 0;
  uint32_t wanted = 1;  ///< threads that the time is worth
  bool may_wait = false;
};

struct GraphJob::Part {
  const CommandBody *body;
  uint64_t begin, end;  ///< units in the stage
};

struct GraphJob::Stage {
  Stage(const Estimate &expected, uint64_t row)
      : units(expected.units), wanted(expected.wanted), ranges(units, wanted, row, KernelRun::kMostGroups, expected.may_wait) {}

  const uint64_t units;
  const uint32_t wanted;
  WorkRanges ranges;
  std::atomic<uint64_t> done{0};
  std::atomic<bool> is_taken{false};  ///< no units are left to take
  std::vector<Part> parts;
  std::optional<PrintfOutput> output;  ///< if a kernel prints
};

struct GraphJob::Thread {
  Thread(WorkerMemory &its_memory, uint32_t rank) : memory(its_memory), part(rank) {
    group.hooks = &kGraphHooks;
    group.driver = nullptr;
    group.default_queue = 0;
  }
  WorkerMemory &memory;
  uint32_t part;             ///< where it starts in the next stage: its part of the last stage, whose data may be in its caches
  uint64_t now = __rdtsc();  ///< when its last launch ended
  alignas(64) UpsweepGroup group{};
  const Launch *prepared = nullptr;  ///< the launch of `run`, for which `group` is filled
  std::optional<KernelRun> run;
};

GraphJob::GraphJob(const Ref<Command> &command, Share share, WorkerPool &pool)
    : GraphJob(command, *std::get<GraphBody>(command->body()), share, pool) {}

GraphJob::GraphJob(Ref<Command> command, const CommandGraph &graph, Share share, WorkerPool &pool)
    : Job(share, workers_for(graph, share), fits_application_threads(graph) ? command.get() : nullptr),
      command_(std::move(command)), graph_(graph), pool_(pool) {}

GraphJob::~GraphJob() = default;

GraphJob::Estimate GraphJob::estimate(const CommandGraph &graph, std::span<const uint32_t> commands, const Share &share) {
  Estimate all;
  for (const uint32_t index : commands) {
    const CommandBody &body = graph.commands()[index]->body;
    all.units += units_of(body);
    all.cycles += cycles_of(body);
    all.may_wait |= has_waiting_groups(body);
  }
  const auto worth = static_cast<uint64_t>(std::min(all.cycles / kWorkerCycles, 1e9));
  const uint64_t most = std::max<uint64_t>(1, std::min<uint64_t>(all.units, share.count));
  all.wanted = static_cast<uint32_t>(std::clamp<uint64_t>(worth, 1, most));
  return all;
}

Job::Workers GraphJob::workers_for(const CommandGraph &graph, const Share &share) {
  Workers workers;
  double cycles = 0;
  for (size_t i = 0; i < graph.stages().size(); ++i) {
    const Estimate stage = estimate(graph, graph.stages()[i], share);
    const auto most = static_cast<uint32_t>(std::min<uint64_t>(stage.units, share.count));
    workers.most = std::max(workers.most, most);
    workers.wanted = std::max(workers.wanted, stage.may_wait ? std::min(most, std::max(2u, stage.wanted)) : stage.wanted);
    cycles += stage.cycles;
  }
  workers.is_long = cycles >= kWakingCycles;
  return workers;
}

void GraphJob::work(WorkerMemory &memory, uint32_t rank) {
  const TraceWorkScope traced(*command_);
  threads_.fetch_add(1);
  Thread thread(memory, rank);
  bool leads = !begun_.exchange(true);
  if (leads) command_->start();
  for (;;) {
    if (leads) {
      Stage *stage = lead(thread);
      if (!stage) break;
      leads = take_part(thread, *stage);
    } else if (leads = help(thread); !leads) {
      break;
    }
  }
  threads_.fetch_sub(1);
}

/// Takes part in the stages that another thread opens. True if this thread leads from now on, false if it should leave.
bool GraphJob::help(Thread &thread) {
  Stage *last = nullptr;
  uint64_t opened = __rdtsc(), worked = opened;
  const auto patience = static_cast<uint64_t>(options().spin_us) * kMicrosecond;
  for (;;) {
    if (ended_.load(std::memory_order_acquire)) return false;
    Stage *stage = open_.load(std::memory_order_acquire);
    const uint64_t now = __rdtsc();
    if (stage != last) {
      last = stage;
      opened = now;
    }
    // A stage that is expected to be short is left to its leader, unless it takes longer: then work-groups may wait for others.
    const bool has_units = stage && !stage->is_taken.load(std::memory_order_relaxed);
    if (has_units && (stage->wanted > 1 || now - opened > kStuckCycles)) {
      if (take_part(thread, *stage)) return true;
      worked = __rdtsc();
    } else if (now - worked > patience) {
      // While work-groups may wait for others, an idle thread stays, without taking a processor.
      if (!stays_one_.load(std::memory_order_relaxed) || threads_.load() > 2) return false;
      nap();
    }
    _mm_pause();
  }
}

/// Sleeps for a while, or until the end.
void GraphJob::nap() {
  std::unique_lock lock(mutex_);
  has_ended_.wait_for(lock, std::chrono::microseconds(100), [this] { return ended_.load(std::memory_order_relaxed); });
}

void GraphJob::end() {
  if (!stays_one_.load(std::memory_order_relaxed)) return ended_.store(true, std::memory_order_release);
  {
    const std::lock_guard lock(mutex_);
    ended_.store(true, std::memory_order_release);
  }
  has_ended_.notify_all();
}

/// Runs short stages; returns the next stage for several threads, or null when all are run.
GraphJob::Stage *GraphJob::lead(Thread &thread) {
  if (Stage *stage = open_.load(std::memory_order_relaxed)) {
    open_.store(nullptr, std::memory_order_relaxed);
    stage->output.reset();  // writes the remaining output
  }
  const Stages &stages = graph_.stages();
  while (next_stage_ < stages.size() && !has_failed()) {
    const std::span<const uint32_t> commands = stages[next_stage_++];
    const Estimate expected = estimate(graph_, commands, share());
    if (expected.wanted > 1 || expected.may_wait) {
      try {
        return &open(commands, expected);
      } catch (const std::bad_alloc &) {
        fail(CL_OUT_OF_HOST_MEMORY);
        break;
      }
    }
    for (const uint32_t index : commands) run_alone(thread, graph_.commands()[index]->body);
  }
  end();
  return nullptr;
}

GraphJob::Stage &GraphJob::open(std::span<const uint32_t> commands, const Estimate &expected) {
  const auto *launch = std::get_if<Launch>(&graph_.commands()[commands.front()]->body);
  const uint64_t row = commands.size() == 1 && launch ? launch->range.num_groups(0) : 1;
  Stage &stage = *opened_.emplace_back(std::make_unique<Stage>(expected, row));
  stage.parts.reserve(commands.size());
  uint64_t units = 0;
  for (const uint32_t index : commands) {
    const CommandBody &body = graph_.commands()[index]->body;
    if (!units_of(body)) continue;
    stage.parts.push_back({&body, units, units + units_of(body)});
    units = stage.parts.back().end;
    fetch_memory(body);
    const auto *its_launch = std::get_if<Launch>(&body);
    if (its_launch && its_launch->call.kernel->prints && !stage.output) stage.output.emplace();
  }
  if (expected.may_wait) stays_one_.store(true, std::memory_order_relaxed);
  // Either this thread sees that another has left, or that thread sees the stage in rest().
  open_.store(&stage);
  const uint32_t needed = expected.may_wait ? std::max(2u, expected.wanted) : expected.wanted;
  const uint32_t present = threads_.load();
  // Waking a thread pays off for long stages only. A work-group that waits for others needs one in any case.
  if (present < needed) pool_.offer(*this, expected.cycles >= kWakingCycles || (expected.may_wait && present == 1));
  return stage;
}

/// True if this thread completes the stage.
bool GraphJob::take_part(Thread &thread, Stage &stage) {
  thread.now = __rdtsc();
  const uint64_t start = thread.now;
  WorkRanges::Cursor cursor = stage.ranges.cursor_for(thread.part);
  auto range = stage.ranges.take(cursor);
  if (!range.is_empty()) thread.part = cursor.at;
  for (; !range.is_empty(); range = stage.ranges.take(cursor)) {
    run_units(thread, stage, range.first, range.last);
    const uint64_t count = range.last - range.first;
    if (stage.done.fetch_add(count, std::memory_order_acq_rel) + count == stage.units) return true;
    // The stage takes longer than its launches did earlier.
    if (may_widen_.load(std::memory_order_relaxed) && thread.now - start > 2 * kWakingCycles && may_widen_.exchange(false))
      pool_.allow(*this);
  }
  stage.is_taken.store(true, std::memory_order_relaxed);
  return false;
}

void GraphJob::run_units(Thread &thread, Stage &stage, uint64_t first, uint64_t last) {
  if (has_failed()) return;
  auto part = std::ranges::upper_bound(stage.parts, first, {}, &Part::end);
  for (; first < last; ++part) {
    const uint64_t end = std::min(last, part->end);
    if (const auto *launch = std::get_if<Launch>(part->body))
      run_groups(thread, *launch, first - part->begin, end - part->begin, stage.output ? &*stage.output : nullptr);
    else
      run_transfer(std::get<Transfer>(*part->body));
    first = end;
  }
}

void GraphJob::run_alone(Thread &thread, const CommandBody &body) {
  if (has_failed()) return;
  if (const auto *transfer = std::get_if<Transfer>(&body)) return run_transfer(*transfer);
  const auto *launch = std::get_if<Launch>(&body);
  if (!launch) return;
  fetch_memory(body);
  if (has_failed()) return;
  std::optional<PrintfOutput> output;
  if (launch->call.kernel->prints) output.emplace();
  run_groups(thread, *launch, 0, launch->range.total_groups(), output ? &*output : nullptr);
}

/// Makes the thread ready for a launch, of which it often runs many ranges. False if memory runs out.
bool GraphJob::prepare(Thread &thread, const Launch &launch) {
  const KernelCall &call = launch.call;
  // Memory that was allocated after the recording may be reached through pointers.
  const uint64_t largest = std::max(call.largest_object, address_table().largest());
  thread.run.emplace(cpu_code(launch).code(*call.kernel), launch.range, call.arguments.data(), call.local_bytes, largest);
  thread.run->arguments_apart = call.arguments_apart;
  thread.run->bounds = call.bounds.data();
  thread.prepared = thread.run->fill(thread.group, thread.memory) ? &launch : nullptr;
  return thread.prepared;
}

/// Runs work-groups [first, last). Within a stage the threads start each launch from its lowest work-groups (WorkRanges).
void GraphJob::run_groups(Thread &thread, const Launch &launch, uint64_t first, uint64_t last, void *output) {
  if (thread.prepared != &launch && !prepare(thread, launch)) return fail(CL_OUT_OF_RESOURCES);
  thread.group.driver = output;
  thread.run->run(thread.group, first, last, [] {});
  const uint64_t start = thread.now;
  thread.now = __rdtsc();
  const auto &local = launch.range.local;
  recorded_pace(launch).note(thread.now - start, (last - first) * local[0] * local[1] * local[2]);
}

void GraphJob::run_transfer(const Transfer &transfer) {
  // Exceptions of a copy that runs out of memory must not end the process.
  try {
    if (auto result = run_on_host(transfer); !result) fail(result.error().code);
  } catch (...) {
    fail(CL_OUT_OF_RESOURCES);
  }
}

void GraphJob::fetch_memory(const CommandBody &body) noexcept {
  const auto *launch = std::get_if<Launch>(&body);
  if (!launch) return;
  try {
    for (const auto &[memory, access] : launch->call.memory)
      if (memory->can_have_copies() && !memory->make_current_on_host(access, memory->whole())) fail(CL_OUT_OF_RESOURCES);
  } catch (const std::exception &) {  // out of memory
    fail(CL_OUT_OF_RESOURCES);
  }
}

bool GraphJob::rest() {
  const Stage *stage = open_.load();
  return stage && !ended_.load(std::memory_order_acquire) && !stage->is_taken.load(std::memory_order_relaxed);
}

void GraphJob::complete() { command_->finish(status_.load(std::memory_order_relaxed)); }

}  // namespace upsweep
