// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NeverDestroyed<T>: a static object that outlives the end of main(). Applications release OpenCL objects in their own static
// destructors, and worker threads may still run then.
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
  T *object_;  ///< leak checkers find what the object owns through it
};

}  // namespace upsweep
#endif
