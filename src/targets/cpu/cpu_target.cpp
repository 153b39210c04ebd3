// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CPU as a device: commands become jobs of the worker pool.
#include "targets/cpu/cpu_target.h"
#include "base/across_fork.h"
#include "runtime/commands/transfer_ends.h"
#include "runtime/target_kind.h"
#include "targets/cpu/code_object.h"
#include "targets/cpu/cpu_images.h"
#include "targets/cpu/graph_job.h"
#include "targets/cpu/launch_job.h"
#include "targets/cpu/launch_tree.h"
#include "targets/cpu/properties.h"
#include "targets/cpu/worker_pool.h"
#include <algorithm>
#include <atomic>
#include <mutex>
#include <vector>

namespace upsweep {
namespace {

/// A command that one thread runs: a transfer or a host function.
class HostJob final : public Job {
public:
  HostJob(Ref<Command> command, Share share)
      : Job(share, {.is_long = is_long(command->body()), .is_for_any_waiter = !is_long(command->body())},
            may_be_assisted(*command) ? command.get() : nullptr),
        command_(std::move(command)) {}

  void work(WorkerMemory &, uint32_t) override {
    const TraceWorkScope traced(*command_);
    command_->start();
    // Exceptions of a native kernel, or of a copy that runs out of memory, must not end the process.
    try {
      const auto *transfer = std::get_if<Transfer>(&command_->body());
      auto result = transfer ? run_on_host(*transfer) : std::get<HostWork>(command_->body())();
      status_ = result ? CL_COMPLETE : result.error().code;
    } catch (...) {
      status_ = CL_OUT_OF_RESOURCES;
    }
  }
  void complete() override { command_->finish(status_); }

private:
  /// Everything except transfers of few bytes.
  static bool is_long(const CommandBody &body) {
    constexpr size_t kFewBytes = size_t{256} << 10;
    const auto *transfer = std::get_if<Transfer>(&body);
    return !transfer || ends_of(*transfer).bytes > kFewBytes;
  }
  /// Only workers run the application's functions, since a waiting application thread may hold locks.
  static bool may_be_assisted(const Command &command) {
    return command.type() != CL_COMMAND_NATIVE_KERNEL && command.type() != CL_COMMAND_SVM_FREE;
  }

  Ref<Command> command_;
  cl_int status_ = CL_COMPLETE;
};

class CpuTarget final : public Target {
public:
  explicit CpuTarget(MeasuredCpu cpu) : properties_(std::move(cpu.properties)), worker_cpus_(std::move(cpu.worker_cpus)) {
    static_cast<void>(make_pool());
    // Offers the workers for long copies of any caller. The target lives as long as the process.
    share_parts_with([this](uint64_t count, uint64_t workers, bool is_long, const PartWork &work) {
      pool().run_parts(count, workers, is_long, work);
    });
  }

  const DeviceProperties &properties() const override { return properties_; }

  void submit(Command &command, Share share) override {
    Ref<Job> job;
    if (const auto *launch = std::get_if<Launch>(&command.body()); launch && launch->call.kernel->enqueues)
      job = make_ref<LaunchTree>(Ref(&command), share, pool());
    else if (std::holds_alternative<GraphBody>(command.body()))
      job = make_ref<GraphJob>(Ref(&command), share, pool());
    else if (launch)
      job = make_ref<LaunchJob>(Ref(&command), share, pool());
    else
      job = make_ref<HostJob>(Ref(&command), share);
    bool caller_assists = command.is_awaited_here() && job->admits(command);
    pool().submit(*job, caller_assists);
  }

  /// Kernels that enqueue kernels need a launch tree, which is a command.
  bool runs_whole(const CommandGraph &graph) override {
    return std::ranges::none_of(graph.commands(), [](const std::shared_ptr<const RecordedCommand> &command) {
      const auto *launch = std::get_if<Launch>(&command->body);
      return launch && launch->call.kernel->enqueues;
    });
  }

  Result<Ref<CodeObject>> load_code(std::span<const uint8_t> image) override { return load_code_object(image); }

  /// Retry to start threads that could not be started when the device was created.
  std::unique_ptr<QueueState> open_queue(cl_command_queue_properties) override {
    pool().start_missing();
    return nullptr;
  }

  TargetImages *images() override { return &images_; }

  void confine(Share share) override {
    {
      std::lock_guard lock(mutex_);
      confined_.push_back(share);
    }
    pool().confine(share);
  }

  void assist(const Event &event) override { pool().assist(event); }

private:
  WorkerPool &pool() {
    WorkerPool *made = pool_.load(std::memory_order_acquire);
    return made ? *made : make_pool();
  }
  /// Also runs in a child of fork(), which has none of the threads of the parent's pool.
  WorkerPool &make_pool() {
    std::lock_guard lock(mutex_);
    if (!pool_.load(std::memory_order_relaxed)) {
      auto *made = new WorkerPool(properties_.compute_units, worker_cpus_);  // lives as long as the process
      for (const Share &share : confined_) made->confine(share);
      pool_.store(made, std::memory_order_release);
    }
    return *pool_.load(std::memory_order_relaxed);
  }

  DeviceProperties properties_;
  CpuImages images_;
  const std::vector<int> worker_cpus_;
  std::mutex mutex_;  ///< guards the creation of the pool, and confined_
  std::vector<Share> confined_;
  std::atomic<WorkerPool *> pool_{nullptr};
  const AcrossFork across_fork_{&mutex_, [this] { pool_.store(nullptr, std::memory_order_relaxed); }};
};

}  // namespace

std::unique_ptr<Target> make_cpu_target() { return std::make_unique<CpuTarget>(measure_cpu()); }

namespace {

const TargetKind kKind(0, [] {
  std::vector<std::unique_ptr<Target>> targets;
  targets.push_back(make_cpu_target());
  return targets;
});

}  // namespace

}  // namespace upsweep
