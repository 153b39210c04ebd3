// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The types behind cl_context, cl_mem, …: the structs that the ICD loader reads, and Object, the base of their classes.
#ifndef UPSWEEP_BASE_HANDLE_H
#define UPSWEEP_BASE_HANDLE_H

#include "base/reference.h"
#include "base/result.h"
#include <CL/cl_icd.h>
#include <optional>

namespace upsweep {

/// The driver's one dispatch table (src/api/dispatch.cpp).
extern const cl_icd_dispatch dispatch_table;

/// The loader finds the dispatch table in the first field of every handle.
struct HandleBase {
  const cl_icd_dispatch *dispatch = &dispatch_table;
};

/// A kind of handle is known by the error that a bad one of it gives: CL_INVALID_CONTEXT, CL_INVALID_EVENT, ….
using HandleKind = cl_int;

/// The handles that exist. A null, freed or foreign pointer, and a handle of another kind, is not found here, so a check never
/// reads memory that may not be ours.
void register_handle(const HandleBase *handle, HandleKind kind);
void unregister_handle(const HandleBase *handle);
[[nodiscard]] bool is_live_handle(const void *handle, HandleKind kind);
/// Why a handle is not live, for a message.
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

namespace upsweep {

/// While the thread is in a clRelease… that takes the application's last reference to an object.
class LastRelease {
public:
  LastRelease();
  ~LastRelease();
  static bool is_in_progress();
};

/// Base of the class behind a handle. The application's count (clRetain, clRelease) is apart from the references that the
/// driver holds: while it is not zero it owns one of those. A handle is valid as long as its object exists, since queries such
/// as CL_QUEUE_CONTEXT may return it after the application's last release.
template <typename Derived, typename Handle, HandleKind kKind>
class Object : public Counted, public Handle {
public:
  /// The object behind an application's handle, or the error that the specification lists for a bad one.
  static Result<Derived *> from(Handle *handle) {
    if (!is_live_handle(handle, kKind)) return fail(kKind, why_not_live(handle, kKind));
    return static_cast<Derived *>(handle);
  }

  cl_uint application_count() const { return application_count_.load(std::memory_order_relaxed); }

  void retain() {
    if (application_count_.fetch_add(1, std::memory_order_relaxed) == 0) this->add_reference();
  }

  /// Gives up one of the application's references; an error when it has none left.
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

  /// Called when the application's count falls to zero; a class may define its own.
  void on_last_release() {}

protected:
  bool is_known() const { return is_known_; }
  /// `is_known`: the application may get the handle. One that stays inside the driver is never valid.
  explicit Object(bool is_known = true) : is_known_(is_known) {
    if (is_known_) register_handle(this, kKind);
  }
  ~Object() override { invalidate(); }
  /// Of an object that is about to go: the application's handle is no longer one.
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
