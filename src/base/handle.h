// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The types behind cl_context, cl_mem etc.: the structs that the ICD loader reads, and Object, the base of their classes.
#ifndef UPSWEEP_BASE_HANDLE_H
#define UPSWEEP_BASE_HANDLE_H

#include "base/command_buffers.h"
#include "base/opencl_3_1.h"
#include "base/reference.h"
#include "base/result.h"
#include <CL/cl.h>
#include <optional>

namespace upsweep {

/// The driver's only dispatch table (src/api/dispatch.cpp).
struct DispatchTable;
extern const DispatchTable dispatch_table;

/// The ICD loader reads the dispatch table from the first field of every handle.
struct HandleBase {
  const DispatchTable *dispatch = &dispatch_table;
};

/// The error code for a bad handle of a type also identifies the type: CL_INVALID_CONTEXT, CL_INVALID_EVENT etc.
using HandleKind = cl_int;

/// The set of live handles. It rejects null, freed and foreign pointers and handles of another type without reading the memory
/// behind them.
void register_handle(const HandleBase *handle, HandleKind kind);
void unregister_handle(const HandleBase *handle);
[[nodiscard]] bool is_live_handle(const void *handle, HandleKind kind);
/// The reason why a handle is not live, for a message.
const char *why_not_live(const void *handle, HandleKind kind);

}  // namespace upsweep

struct _cl_platform_id : upsweep::HandleBase {};
struct _cl_device_id : upsweep::HandleBase {};
struct _cl_context : upsweep::HandleBase {};
struct _cl_command_queue : upsweep::HandleBase {};
struct _cl_mem : upsweep::HandleBase {};
struct _cl_program : upsweep::HandleBase {};
struct _cl_kernel : upsweep::HandleBase {};
struct _cl_event : upsweep::HandleBase {};
struct _cl_sampler : upsweep::HandleBase {};
struct _cl_command_buffer_khr : upsweep::HandleBase {};
struct _cl_mutable_command_khr : upsweep::HandleBase {};

namespace upsweep {

/// Exists while the thread is in a clRelease… that drops the application's last reference to an object.
class LastRelease {
public:
  LastRelease();
  ~LastRelease();
  static bool is_in_progress();
};

/// Base of the classes behind handles. The application's count (clRetain, clRelease) is separate from the driver's references;
/// while it is not zero, it owns one reference. A handle is valid as long as its object exists, since queries such as
/// CL_QUEUE_CONTEXT may return it after the application's last release.
template <typename Derived, typename Handle, HandleKind kKind>
class Object : public Counted, public Handle {
public:
  /// The object behind an application's handle, or the error that the specification lists for a bad handle.
  static Result<Derived *> from(Handle *handle) {
    if (!is_live_handle(handle, kKind)) return fail(kKind, why_not_live(handle, kKind));
    return static_cast<Derived *>(handle);
  }

  cl_uint application_count() const { return application_count_.load(std::memory_order_relaxed); }

  void retain() {
    if (application_count_.fetch_add(1, std::memory_order_relaxed) == 0) this->add_reference();
  }

  /// Releases a reference of the application; fails if it holds none.
  Result<void> release() {
    cl_uint count = application_count_.load(std::memory_order_relaxed);
    do {
      if (count == 0) return fail(kKind, "released more often than retained");
    } while (!application_count_.compare_exchange_weak(count, count - 1, std::memory_order_acq_rel));
    if (count == 1) {
      const LastRelease release;
      static_cast<Derived *>(this)->on_last_release();
      this->remove_reference();
    }
    return {};
  }

  /// Called when the application's count reaches zero; a class may define its own.
  void on_last_release() {}

protected:
  bool is_known() const { return is_known_; }
  /// `is_known`: the application may get the handle. The handle of an internal object is never valid.
  explicit Object(bool is_known = true) : is_known_(is_known) {
    if (is_known_) register_handle(this, kKind);
  }
  ~Object() override { invalidate(); }
  /// Makes the handle invalid just before the object is destroyed.
  void invalidate() {
    if (std::exchange(is_known_, false)) unregister_handle(this);
  }

private:
  bool is_known_;
  std::atomic<cl_uint> application_count_{0};
};

/// The handle of a new object, with the application's first reference.
template <typename T>
T *hand_out(const Ref<T> &object) {
  object->retain();
  return object.get();
}

}  // namespace upsweep
#endif
