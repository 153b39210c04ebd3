// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counted and Ref<T>: intrusive reference counting for objects that commands keep alive.
#ifndef UPSWEEP_BASE_REFERENCE_H
#define UPSWEEP_BASE_REFERENCE_H

#include <atomic>
#include <cstdint>
#include <utility>

namespace upsweep {

/// Base of counted objects. The count starts at one; make_ref() passes this reference to its Ref.
class Counted {
public:
  Counted(const Counted &) = delete;
  Counted &operator=(const Counted &) = delete;

  void add_reference() const noexcept { references_.fetch_add(1, std::memory_order_relaxed); }
  void remove_reference() const noexcept {
    if (references_.fetch_sub(1, std::memory_order_acq_rel) == 1) const_cast<Counted *>(this)->dispose();
  }

protected:
  Counted() = default;
  virtual ~Counted() = default;
  /// Called when the last reference is dropped.
  virtual void dispose() noexcept { delete this; }

private:
  mutable std::atomic<uint32_t> references_{1};
};

template <typename T>
class Ref {
public:
  Ref() = default;
  Ref(std::nullptr_t) {}
  /// Shares ownership of `object`, which may be null.
  explicit Ref(T *object) : object_(object) {
    if (object_) object_->add_reference();
  }
  Ref(const Ref &other) : Ref(other.object_) {}
  Ref(Ref &&other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  template <typename U>
    requires std::is_convertible_v<U *, T *>
  Ref(const Ref<U> &other) : Ref(static_cast<T *>(other.get())) {}
  template <typename U>
    requires std::is_convertible_v<U *, T *>
  Ref(Ref<U> &&other) noexcept : object_(other.detach()) {}
  ~Ref() { reset(); }

  Ref &operator=(Ref other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }

  /// Takes over a reference from the caller.
  static Ref adopt(T *object) {
    Ref ref;
    ref.object_ = object;
    return ref;
  }
  /// Passes the reference to the caller.
  [[nodiscard]] T *detach() { return std::exchange(object_, nullptr); }
  void reset() {
    if (T *object = std::exchange(object_, nullptr)) object->remove_reference();
  }

  T *get() const { return object_; }
  T *operator->() const { return object_; }
  T &operator*() const { return *object_; }
  explicit operator bool() const { return object_ != nullptr; }
  friend bool operator==(const Ref &a, const Ref &b) { return a.object_ == b.object_; }

private:
  T *object_ = nullptr;
};

template <typename T, typename... Arguments>
Ref<T> make_ref(Arguments &&...arguments) {
  return Ref<T>::adopt(new T(std::forward<Arguments>(arguments)...));
}

}  // namespace upsweep
#endif
