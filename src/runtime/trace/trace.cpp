// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The hooks of a traced process.
#include "runtime/trace/trace.h"
#include "runtime/commands/command.h"
#include "runtime/commands/command_names.h"
#include "runtime/commands/transfer_ends.h"
#include "runtime/trace/recorder.h"
#include <algorithm>
#include <atomic>
#include <string>

namespace upsweep {
namespace {

thread_local TraceInterval latest_wait;
std::atomic<int64_t> memory_in_use{0}, memory_peak{0};

bool is_pointer(const ArgumentDescription &argument) {
  return argument.kind == ArgumentKind::kGlobal || argument.kind == ArgumentKind::kConstant ||
         argument.kind == ArgumentKind::kImage || argument.kind == ArgumentKind::kPipe;
}

void describe(TraceCommand &trace, const Launch &launch) {
  const KernelCall &call = launch.call;
  trace.kernel = recorder().keep(call.kernel->name);
  trace.global = launch.range.global;
  trace.local = launch.range.local;
  for (const MemoryUse &use : call.memory) trace.bytes += use.memory->size();
  trace.knows_bytes = static_cast<size_t>(std::ranges::count_if(call.kernel->arguments, is_pointer)) <= call.memory.size();
}

}  // namespace

std::unique_ptr<TraceCommand> begin_trace(const Command &command) {
  recorder().keep_up();
  auto trace = std::make_unique<TraceCommand>();
  trace->id = recorder().next_id();
  trace->queue = command.queue().number();
  trace->type = command.type();
  trace->device = recorder().keep(command.queue().device().properties().name);
  trace->on_cpu = (command.queue().device().properties().type & CL_DEVICE_TYPE_CPU) != 0;
  trace->queued_ns = command.time_ns(CL_QUEUED);
  trace->blocked = latest_wait;
  const CommandBody &body = command.body();
  trace->has_work = !std::holds_alternative<std::monostate>(body);
  if (const auto *launch = std::get_if<Launch>(&body)) describe(*trace, *launch);
  if (const auto *transfer = std::get_if<Transfer>(&body)) trace->bytes = ends_of(*transfer).bytes;
  return trace;
}

void end_trace(TraceCommand &trace) { recorder().push(TraceRecord(trace)); }

void trace_dependency(uint64_t from, uint64_t to) { recorder().push(TraceRecord(TraceDependency{from, to})); }

void TraceWorkScope::begin(const Command &command) {
  const TraceCommand *trace = command.trace();
  if (!trace) return;  // of before the trace
  work_ = {trace->id, trace->kernel ? trace->kernel : name_of_command(trace->type), 0, {now_ns(), 0}};
}

void TraceWorkScope::end() {
  work_.time.end_ns = now_ns();
  recorder().push(TraceRecord(work_));
}

void TraceWaitScope::begin(const char *call) { wait_ = {call, {now_ns(), 0}}; }

void TraceWaitScope::end() {
  wait_.time.end_ns = now_ns();
  // A call for events that are done blocks for less, and is no reason for a gap.
  constexpr uint64_t kLeastBlockedNs = 1000;
  if (wait_.time.ns() >= kLeastBlockedNs) latest_wait = wait_.time;
  recorder().push(TraceRecord(wait_));
}

void TraceBuildScope::begin(const char *call, const char *device) {
  build_ = {call, recorder().keep(device), false, false, {now_ns(), 0}};
}

void TraceBuildScope::end() {
  build_.time.end_ns = now_ns();
  recorder().push(TraceRecord(build_));
}

uint64_t trace_peak_bytes() { return static_cast<uint64_t>(memory_peak.load(std::memory_order_relaxed)); }

void name_trace_thread(const char *role, uint32_t number) {
  if (is_tracing()) recorder().name_thread(std::string(role) + " " + std::to_string(number));
}

void trace_memory_change(int64_t bytes) {
  const int64_t now = memory_in_use.fetch_add(bytes, std::memory_order_relaxed) + bytes;
  for (int64_t peak = memory_peak.load(std::memory_order_relaxed);
       now > peak && !memory_peak.compare_exchange_weak(peak, now);) {
  }
  recorder().push_if_known(TraceRecord(TraceMemory{now_ns(), static_cast<uint64_t>(std::max<int64_t>(now, 0))}));
}

}  // namespace upsweep
