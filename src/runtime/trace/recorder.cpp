// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Starts the recorder with the platform, and empties the buffers.
#include "runtime/trace/recorder.h"
#include "base/never_destroyed.h"
#include "base/options.h"
#include "runtime/objects/event.h"
#include "runtime/trace/trace.h"
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <pthread.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace upsweep {

namespace trace {
constinit bool is_on = false;
}

namespace {

/// Time between two looks at the buffers.
constexpr auto kPause = std::chrono::milliseconds(20);
/// A command's record arrives in its thread's buffer this long after the command's end at the latest, unless the thread is
/// interrupted then. Later records are put in their place in the timeline all the same, but a gap may be counted that is none.
constexpr uint64_t kDelayNs = 5'000'000;
constexpr uint64_t kStatisticsNs = 100'000'000;

const MadeWithPlatform recorder_made([] {
  if (options().trace.empty() && options().profile.empty()) return;
  recorder().know_thread();  // its memory objects may come before its first other record
  trace::is_on = true;
  static_cast<void>(std::atexit([] {
    trace::is_on = false;
    recorder().finish();
  }));
});

uint32_t this_thread() { return static_cast<uint32_t>(::gettid()); }

}  // namespace

Recorder &recorder() {
  static NeverDestroyed<Recorder> made;
  return *made;
}

/// The calling thread's buffer. Objects may be released after the thread's other variables are destroyed, so the pointer has no
/// destructor.
struct Recorder::Own {
  static constinit thread_local TraceBuffer *buffer;
  struct Closer {
    void hold() const {}
    ~Closer() {
      if (TraceBuffer *last = std::exchange(buffer, nullptr)) last->is_free.store(true, std::memory_order_release);
    }
  };
};
constinit thread_local TraceBuffer *Recorder::Own::buffer = nullptr;

Recorder::Recorder() : timeline_(options().trace) { statistics_.begin(now_ns()); }

TraceBuffer &Recorder::buffer() {
  TraceBuffer *own = Own::buffer;
  return own ? *own : take_buffer();
}

TraceBuffer &Recorder::take_buffer() {
  static thread_local Own::Closer closer;
  closer.hold();
  std::lock_guard lock(mutex_);
  const auto found = std::ranges::find_if(
      buffers_, [](const TraceBuffer &buffer) { return buffer.is_free.load(std::memory_order_acquire) && !buffer.waiting(); });
  TraceBuffer &taken = found != buffers_.end() ? *found : buffers_.emplace_back();
  taken.is_free.store(false, std::memory_order_relaxed);
  taken.thread = this_thread();
  char name[16] = "";
  pthread_getname_np(pthread_self(), name, sizeof name);
  taken.name = taken.thread == static_cast<uint32_t>(::getpid()) ? "main" : name;
  return *(Own::buffer = &taken);
}

void Recorder::push(const TraceRecord &record) {
  if (!has_thread_.load(std::memory_order_relaxed)) [[unlikely]]
    start_thread();
  if (!buffer().push(record)) lost_.fetch_add(1, std::memory_order_relaxed);
}

void Recorder::push_if_known(const TraceRecord &record) {
  if (TraceBuffer *own = Own::buffer; own && !own->push(record)) lost_.fetch_add(1, std::memory_order_relaxed);
}

void Recorder::name_thread(std::string name) {
  TraceBuffer &own = buffer();
  std::lock_guard lock(mutex_);
  own.name = std::move(name);
}

const char *Recorder::keep(std::string_view text) {
  std::lock_guard lock(texts_mutex_);
  return texts_.emplace(text).first->c_str();
}

void Recorder::keep_up() {
  constexpr uint64_t kMany = uint64_t{1} << 16;
  const TraceBuffer *own = Own::buffer;
  if (!own || own->waiting() < kMany) return;
  std::lock_guard lock(mutex_);
  flush_locked(false);
}

void Recorder::start_thread() {
  if (has_thread_.exchange(true)) return;
  // The application's handlers of signals must not run on this thread.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  try {
    std::thread([this] { run(); }).detach();
  } catch (const std::exception &) {
    // keep_up() and finish() empty the buffers
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void Recorder::run() {
  pthread_setname_np(pthread_self(), "upsweep-trace");
  for (;;) {
    std::this_thread::sleep_for(kPause);
    std::lock_guard lock(mutex_);
    flush_locked(false);
  }
}

void Recorder::flush_locked(bool all) {
  if (is_finished_) return;  // threads that still run would replace the last sums
  const uint64_t now = now_ns();
  for (TraceBuffer &buffer : buffers_)
    buffer.empty([&](const TraceRecord &record) {
      statistics_.add(record, buffer.thread, buffer.name);
      if (record.kind == TraceKind::kCommand)
        ended_.push_back(record.command);
      else
        timeline_.add(record, buffer.thread, buffer.name);
    });
  const auto end_of = [](const TraceCommand &command) { return command.run.end_ns; };
  std::ranges::sort(ended_, {}, end_of);
  const auto last =
      all ? ended_.end()
          : std::ranges::partition_point(ended_, [&](const TraceCommand &command) { return end_of(command) + kDelayNs < now; });
  for (auto command = ended_.begin(); command != last; ++command) {
    timeline_.add(*command);
    statistics_.add_gap(*command);
  }
  ended_.erase(ended_.begin(), last);
  timeline_.write();
  if (options().profile.empty() || (!all && now < written_ns_ + kStatisticsNs)) return;
  statistics_.write(options().profile, now, {all, lost_.load(std::memory_order_relaxed), trace_peak_bytes()});
  written_ns_ = now_ns();
}

void Recorder::finish() {
  std::lock_guard lock(mutex_);
  flush_locked(true);
  timeline_.close();
  is_finished_ = true;
}

/// The child of a fork() records its own commands. The parent writes the records from before.
void Recorder::begin_anew() {
  for (TraceBuffer &buffer : buffers_) {
    buffer.empty([](const TraceRecord &) {});
    buffer.is_free.store(&buffer != Own::buffer, std::memory_order_relaxed);
  }
  if (TraceBuffer *own = Own::buffer) {
    own->thread = this_thread();
    own->name = "main";
  }
  ended_.clear();
  timeline_.begin_anew();
  statistics_ = {};
  statistics_.begin(now_ns());
  lost_ = 0;
  is_finished_ = false;
  has_thread_ = false;
}

}  // namespace upsweep
