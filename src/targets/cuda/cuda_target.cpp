// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A GPU as a device. The enqueueing thread passes a command to a CUDA stream as soon as the events that it follows are issued.
// A waiting thread, or the stream's own thread, finishes the commands that the stream has passed.
#include "base/across_fork.h"
#include "base/log.h"
#include "base/options.h"
#include "runtime/commands/transfer_ends.h"
#include "runtime/memory/residency.h"
#include "runtime/target_kind.h"
#include "targets/cuda/code_object.h"
#include "targets/cuda/command_tree.h"
#include "targets/cuda/cuda_images.h"
#include "targets/cuda/cuda_memory.h"
#include "targets/cuda/helper_threads.h"
#include "targets/cuda/launch.h"
#include "targets/cuda/placement.h"
#include "targets/cuda/recorded_graphs.h"
#include "targets/cuda/stream_set.h"
#include "targets/cuda/stream_transfers.h"
#include <algorithm>
#include <atomic>
#include <exception>
#include <new>
#include <thread>

namespace upsweep {
namespace {

constexpr int kLeastCapability = 70;
/// Number of commands in a stream after which an enqueueing thread finishes commands that are done.
constexpr Stream::Number kTidyEvery = 64;

/// State of the calling thread in this file.
struct ThreadState {
  bool is_finishing = false;  ///< it is finishing commands, so it must not run dependent commands now
  const Event *awaited = nullptr;
  Ref<Command> *ready = nullptr;  ///< receives the awaited event's command when it is ready
};
thread_local ThreadState thread_state;

class Finishing {
public:
  Finishing() : before_(std::exchange(thread_state.is_finishing, true)) {}
  ~Finishing() { thread_state.is_finishing = before_; }

private:
  bool before_;
};

class CudaTarget final : public Target {
public:
  CudaTarget(const CudaDriver &driver, CUdevice device)
      : gpu_(driver, device), properties_(gpu_properties(gpu_)), marks_(gpu_), clock_(marks_),
        transfers_(gpu_, *this, host_copies_) {}

  const DeviceProperties &properties() const override { return properties_; }
  bool is_available() const override { return !is_lost_; }
  std::string code_target() const override {
    // Code for sm_90 needs PTX 8.0, which CUDA 12.0 introduced.
    int version = 0;
    gpu_.driver.driver_version(&version);
    return std::string(compiler::kGpuTargetPrefix) + "sm_" +
           std::to_string(std::min(gpu_.capability(), version < 12000 ? 89 : 90));
  }

  void submit(Command &command, Share) override;
  void assist(const Event &event) override;
  void request_completion(const Event &event) override {
    if (const uint64_t ticket = event.ticket()) streams_.position(ticket).stream->request_completion();
  }
  std::unique_ptr<QueueState> open_queue(cl_command_queue_properties properties) override {
    return std::make_unique<CudaQueue>(streams_, properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
                                       host_copies_.keep_memory());
  }
  bool can_follow(const Command &command, const Event &before) const override;
  bool runs_whole(const CommandGraph &graph) override { return RecordedGraphs::of(graph).prepare(graph); }
  std::shared_ptr<GraphState> open_graphs() override {
    return std::make_shared<RecordedGraphs>(gpu_, *this, memory_, transfers_.fill_kernel());
  }

  Result<Ref<CodeObject>> load_code(std::span<const uint8_t> image) override {
    CurrentContext current(gpu_);
    return CudaCode::load(gpu_, properties_.local_memory_bytes, image);
  }

  TargetMemory *memory() override { return &memory_; }
  TargetImages *images() override { return &images_; }

private:
  Result<void> check(CUresult result, cl_int code, const char *what) const { return gpu_.driver.check(result, code, what); }

  bool goes_on_stream(const Command &command) const;
  bool takes_time(const Command &command) const;
  void carry_out(Command &command, bool on_helper);
  void carry_out_on_helper(Command &command);
  void carry_out_or_refuse(Command &command, bool on_helper) noexcept;
  void carry_out_alone(Command &command, Stream &stream);
  void run_here(Command &command);
  Result<void> run_body(Command &command);
  Result<void> run_tree(Command &command, const Launch &launch);
  void issue(Command &command, Stream::IssuePoint point);
  Result<AfterStream> give_to_stream(const Command &command, CUstream stream);
  void hold_back(const Stream::IssuePoint &point, const Command &command);
  void tidy(Stream &stream, Stream::Number newest);

  bool reap_for(const Event &event);
  void reap(Stream &stream, Stream::Number number, bool is_blocking);
  void finish_through_locked(Stream &stream, Stream::Number number) noexcept;
  void finish_locked(const Issued &item);
  [[noreturn]] void look_after(Stream &stream);

  Gpu gpu_;
  DeviceProperties properties_;
  Marks marks_;
  StreamSet streams_{marks_, [this](Stream &stream) { look_after(stream); }};
  GpuClock clock_;
  HelperThreads helpers_;
  HostCopies host_copies_{marks_, helpers_};
  StreamTransfers transfers_;
  PrintfBuffers printf_buffers_{gpu_.driver};
  TreeMemories tree_memories_{gpu_, helpers_};
  std::atomic<bool> is_lost_{false};  ///< a kernel has faulted and nothing runs any more, or this is a child of fork()
  const AcrossFork across_fork_{nullptr, [this] { is_lost_ = true; }};  ///< CUDA does not survive fork()
  std::mutex finish_mutex_;  ///< held while commands are finished, to keep their order
  CudaMemory memory_{gpu_,
                     marks_,
                     helpers_,
                     host_copies_,
                     [] { return thread_state.is_finishing; },
                     is_lost_,
                     [this] { return images_.drop_copies(); }};
  CudaImages images_{gpu_, *this, memory_, marks_};
};

// Passing commands to a stream

bool CudaTarget::can_follow(const Command &command, const Event &before) const {
  if (&before.queue()->device().target() != this) return false;
  if (CudaQueue::of(command.queue()).streams().empty()) return false;
  return placement_of(command.body(), *this).follows;
}

bool CudaTarget::goes_on_stream(const Command &command) const {
  return placement_of(command.body(), *this).goes_on_stream(!command.followed().empty());
}

bool CudaTarget::takes_time(const Command &command) const {
  const Placement placement = placement_of(command.body(), *this);
  if (!placement.goes_on_stream(!command.followed().empty())) return !placement.is_quick;
  const auto *transfer = std::get_if<Transfer>(&command.body());
  return transfer && transfers_.may_block(*transfer);
}

void CudaTarget::submit(Command &command, Share) {
  if (thread_state.is_finishing) {
    if (thread_state.awaited != &command) return carry_out_on_helper(command);
    *thread_state.ready = Ref(&command);
    return;
  }
  if (!command.is_awaited_here() && takes_time(command)) return carry_out_on_helper(command);
  carry_out(command, false);
}

void CudaTarget::carry_out_on_helper(Command &command) {
  helpers_.run([this, kept = Ref(&command)] { carry_out_or_refuse(*kept, true); });
}

/// For a command that submit() has already accepted.
void CudaTarget::carry_out_or_refuse(Command &command, bool on_helper) noexcept {
  cl_int status = CL_OUT_OF_RESOURCES;
  try {
    return carry_out(command, on_helper);
  } catch (const std::bad_alloc &) {
    status = CL_OUT_OF_HOST_MEMORY;
  } catch (const std::exception &) {
    // no thread can be started
  }
  Finishing finishing;
  command.refuse(status);
}

/// Throws only before any part of the command is done.
void CudaTarget::carry_out(Command &command, bool on_helper) {
  CurrentContext current(gpu_);
  CudaQueue &queue = CudaQueue::of(command.queue());
  if (!goes_on_stream(command))
    run_here(command);
  else if (queue.streams().empty())
    command.finish(CL_OUT_OF_RESOURCES);
  else if (Stream *stream = on_helper && takes_time(command) ? streams_.take() : nullptr)
    carry_out_alone(command, *stream);
  else
    issue(command, queue.issue_point());
}

/// Runs a copy that blocks the thread until it is done, on its own stream so that it does not block its queue's.
void CudaTarget::carry_out_alone(Command &command, Stream &stream) {
  try {
    issue(command, stream.issue_point());
  } catch (...) {
    streams_.give_back(stream);
    throw;
  }
  try {
    if (const Stream::Number number = stream.newest()) reap(stream, number, true);
  } catch (const std::bad_alloc &) {
    // the stream's own thread finishes it
  }
  streams_.give_back(stream);
}

void CudaTarget::run_here(Command &command) {
  command.start();
  cl_int status = CL_COMPLETE;
  try {
    if (auto done = run_body(command); !done) status = done.error().code;
  } catch (...) {  // out of memory, or a callback's exception
    status = CL_OUT_OF_RESOURCES;
  }
  Finishing finishing;
  command.finish(status);
}

Result<void> CudaTarget::run_body(Command &command) {
  const CommandBody &body = command.body();
  if (const auto *launch = std::get_if<Launch>(&body)) return run_tree(command, *launch);
  if (const auto *work = std::get_if<HostWork>(&body)) return (*work)();
  const auto &transfer = std::get<Transfer>(body);
  return ends_of(transfer).moves_host_copy() ? make_current(transfer, this) : run_on_host(transfer);
}

/// A launch whose kernels may enqueue others; blocks this thread until all commands are complete.
Result<void> CudaTarget::run_tree(Command &command, const Launch &launch) {
  if (is_lost_) return fail(CL_OUT_OF_RESOURCES, "the GPU has failed");
  for (const MemoryUse &use : launch.call.memory)
    if (auto current = use.memory->make_current_on(*this, use.access, use.memory->whole()); !current) return current;
  auto memory = tree_memories_.take();
  if (!memory) return fail(memory);
  const auto &code = static_cast<const CudaCode &>(*launch.call.code);
  const bool prints = launch.call.kernel->prints || std::ranges::any_of(code.blocks(), &KernelDescription::prints);
  Result<CUdeviceptr> printf_buffer = 0;
  if (prints) printf_buffer = printf_buffers_.take((*memory)->stream(0));
  if (!printf_buffer) return fail(printf_buffer);
  auto done = CommandTree(gpu_, images_, command, **memory, *printf_buffer, properties_.local_memory_bytes).run();
  if (!done && !(*memory)->are_streams_idle()) {
    if (!is_lost_.exchange(true)) log_line("GPU", done.error().text);
    static_cast<void>(memory->release());  // the memory can never be reused
    return done;
  }
  if (prints)
    if (auto printed = printf_buffers_.print(*printf_buffer); !printed && done) done = printed;
  tree_memories_.give_back(*std::move(memory));
  return done;
}

void CudaTarget::hold_back(const Stream::IssuePoint &point, const Command &command) {
  for (const Ref<Event> &event : command.followed()) {
    if (StreamSet::is_in(point.stream(), event->ticket())) continue;
    const auto [other, number] = streams_.position(event->ticket());
    // A failure affects the whole GPU: every later wait reports it.
    if (auto behind = other->mark_behind(number); behind.mark) static_cast<void>(behind.mark->hold_back(point.handle()));
  }
}

void CudaTarget::issue(Command &command, Stream::IssuePoint point) {
  const Queue &queue = command.queue();
  const bool is_timed = command.takes_times();
  // After work is passed to the stream, listing the command must not fail for lack of memory.
  Issued item;
  item.command = Ref(&command);
  if (is_timed) {
    item.clock = clock_.base();
    item.begin = marks_.make(true);
    item.issued_ns = now_ns();
  }
  if (command.is_observed() || is_timed || queue.is_out_of_order()) item.end = marks_.make(is_timed);
  hold_back(point, command);
  if (item.begin) item.begin->record(point.handle());
  try {
    if (is_lost_) {
      item.status = CL_OUT_OF_RESOURCES;
    } else if (!command.wait_list_failed()) {
      auto given = give_to_stream(command, point.handle());
      if (given)
        item.after = *std::move(given);
      else
        item.status = given.error().code;
    }
  } catch (...) {
    item.status = CL_OUT_OF_HOST_MEMORY;
  }
  const bool is_issued = item.status == CL_COMPLETE;
  if (item.end) item.end->record(point.handle());
  Stream &stream = point.stream();
  const Stream::Number number = point.push(std::move(item));
  command.set_ticket(StreamSet::ticket(stream, number));
  is_issued ? command.issue() : stream.request_completion();
  if (number % kTidyEvery == 0) tidy(stream, number);
}

/// Finishes commands that are done, so that the thread that enqueues a long sequence also finishes it: two threads would
/// contend.
void CudaTarget::tidy(Stream &stream, Stream::Number newest) {
  try {
    stream.mark_behind(newest);
  } catch (const std::bad_alloc &) {
    return;  // another thread finishes them
  }
  Finishing finishing;
  std::unique_lock lock(finish_mutex_, std::try_to_lock);
  if (!lock) return;
  auto oldest = [&] { return stream.oldest_mark(kTidyEvery); };  // marks left by this function
  for (Stream::Behind behind = oldest(); behind.mark && behind.mark->is_over(); behind = oldest())
    finish_through_locked(stream, behind.last);
}

Result<AfterStream> CudaTarget::give_to_stream(const Command &command, CUstream stream) {
  const CommandBody &body = command.body();
  Result<void> given;
  if (const auto *launch = std::get_if<Launch>(&body)) {
    for (const MemoryUse &use : launch->call.memory)
      if (given) given = use.memory->make_current_on(*this, use.access, use.memory->whole());
    if (given) return issue_launch(gpu_, images_, printf_buffers_, *launch, stream);
  } else if (const auto *transfer = std::get_if<Transfer>(&body)) {
    if (!placement_of(body, *this).is_quick) return transfers_.issue(*transfer, !command.followed().empty(), stream);
    given = run_on_host(*transfer);  // an unmapping: the host no longer uses the memory
  } else if (const auto *graph = std::get_if<GraphBody>(&body)) {
    return RecordedGraphs::of(**graph).launch(**graph, !command.followed().empty(), stream);
  }
  if (!given) return fail(given);
  return AfterStream();
}

// Finishing commands

void CudaTarget::assist(const Event &event) {
  if (thread_state.is_finishing) return;
  CurrentContext current(gpu_);
  Ref<Command> ready;
  struct Assisting {
    explicit Assisting(ThreadState next) : before(std::exchange(thread_state, next)) {}
    ~Assisting() { thread_state = before; }
    const ThreadState before;
  } assisting({.awaited = &event, .ready = &ready});
  while (!event.is_done()) {
    if (!ready && !reap_for(event)) break;
    if (const Ref<Command> command = std::exchange(ready, nullptr)) carry_out_or_refuse(*command, false);
  }
}

/// Finishes the event's command, or the commands in its queue's streams; false if there are none.
bool CudaTarget::reap_for(const Event &event) {
  if (const uint64_t ticket = event.ticket()) {
    const auto [stream, number] = streams_.position(ticket);
    reap(*stream, number, false);
    return true;
  }
  for (Stream *stream : CudaQueue::of(*event.queue()).streams())
    if (const Stream::Number newest = stream->newest()) {
      reap(*stream, newest, false);
      return true;
    }
  return false;
}

void CudaTarget::reap(Stream &stream, Stream::Number number, bool is_blocking) {
  Stream::Behind behind{nullptr, number};
  if (is_blocking || !stream.is_unmarked_end(number) || !stream.ends_soon()) behind = stream.mark_behind(number);
  if (behind.mark)
    if (auto over = behind.mark->wait(is_blocking); !over && !is_lost_.exchange(true)) log_line("GPU", over.error().text);
  Finishing finishing;
  std::lock_guard lock(finish_mutex_);
  finish_through_locked(stream, behind.last);
}

void CudaTarget::finish_through_locked(Stream &stream, Stream::Number number) noexcept {
  while (const std::optional<Issued> item = stream.pop(number)) finish_locked(*item);
}

void CudaTarget::finish_locked(const Issued &item) {
  Command &command = *item.command;
  // The events that it follows in other streams are done as well, and must be finished first.
  for (const Ref<Event> &event : command.followed())
    while (!event->is_done()) {
      const auto [stream, number] = streams_.position(event->ticket());
      finish_through_locked(*stream, number);
    }
  if (!item.is_started) command.start();
  cl_int status = item.status == CL_COMPLETE && is_lost_ ? CL_OUT_OF_RESOURCES : item.status;
  try {
    if (status == CL_COMPLETE && item.after)
      if (auto done = item.after(); !done) status = done.error().code;
  } catch (const std::bad_alloc &) {
    status = CL_OUT_OF_HOST_MEMORY;
  }
  if (item.begin && !is_lost_)
    command.finish(status, std::max(item.clock.host_time(*item.begin), item.issued_ns), item.clock.host_time(*item.end));
  else
    command.finish(status);
}

void CudaTarget::look_after(Stream &stream) {
  for (;;) {
    const Stream::Number oldest = stream.wait_for_oldest();
    CurrentContext current(gpu_);
    {
      Finishing finishing;
      std::lock_guard lock(finish_mutex_);
      if (Ref<Command> command = stream.start(oldest)) command->start();
    }
    try {
      reap(stream, oldest, true);
    } catch (const std::bad_alloc &) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));  // until other threads free memory
    }
  }
}

std::unique_ptr<Target> make_target(const CudaDriver &driver, int ordinal) {
  CUdevice device = 0;
  if (driver.device(&device, ordinal) != 0 || Gpu(driver, device).capability() < kLeastCapability) return nullptr;
  return std::make_unique<CudaTarget>(driver, device);
}

}  // namespace

namespace {

/// A target for each usable GPU; none if there is no CUDA driver.
const TargetKind kKind(1, [] {
  std::vector<std::unique_ptr<Target>> targets;
  if (!options().cuda) return targets;
  const CudaDriver *driver = CudaDriver::get();
  int count = 0;
  if (!driver || driver->device_count(&count) != 0) return targets;
  for (int i = 0; i < count; ++i)
    if (auto target = make_target(*driver, i)) targets.push_back(std::move(target));
  return targets;
});

}  // namespace
}  // namespace upsweep
