// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NeverDestroyed<T>: a static object that stays valid after main() ends. Static destructors of the application may release
// OpenCL objects, and worker threads may still run then.
#ifndef UPSWEEP_BASE_NEVER_DESTROYED_H
#define UPSWEEP_BASE_NEVER_DESTROYED_H

#include <new>
#include <utility>

namespace upsweep {

template <typename T>
class NeverDestroyed {
public:
  template <typename... Arguments>
  explicit NeverDestroyed(Arguments &&...arguments) {
    object_ = new (storage_) T(std::forward<Arguments>(arguments)...);
  }
  T &operator*() { return *object_; }
  T *operator->() { return object_; }

private:
  alignas(T) unsigned char storage_[sizeof(T)];
  T *object_;  ///< leak checkers find the object's memory through this pointer
};

}  // namespace upsweep
#endif
