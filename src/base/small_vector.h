// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SmallVector<T, n>: a vector that stores its first n elements inside itself, for lists that almost every command keeps short.
#ifndef UPSWEEP_BASE_SMALL_VECTOR_H
#define UPSWEEP_BASE_SMALL_VECTOR_H

#include <cassert>
#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

namespace upsweep {

/// Movable, not copyable. A moved-from vector is empty.
template <typename T, size_t kInline>
class SmallVector {
  static_assert(std::is_nothrow_move_constructible_v<T>);

public:
  SmallVector() = default;
  SmallVector(SmallVector &&other) noexcept { take(other); }
  SmallVector &operator=(SmallVector &&other) noexcept {
    if (this == &other) return *this;
    release();
    take(other);
    return *this;
  }
  ~SmallVector() { release(); }

  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T *data() { return first_; }
  const T *data() const { return first_; }
  T *begin() { return first_; }
  T *end() { return first_ + size_; }
  const T *begin() const { return first_; }
  const T *end() const { return first_ + size_; }
  T &front() {
    assert(size_);
    return *first_;
  }

  /// Reserves space for `count` elements in total, so that adding them neither allocates nor moves elements.
  void reserve(size_t count) {
    if (count > capacity_) grow(count);
  }

  template <typename... Arguments>
  T &emplace_back(Arguments &&...arguments) {
    if (size_ == capacity_) grow(2 * capacity_);
    T *added = std::construct_at(first_ + size_, std::forward<Arguments>(arguments)...);
    ++size_;
    return *added;
  }
  /// Replaces the contents by copies of [first, last).
  void assign(const T *first, const T *last) {
    clear();
    const auto count = static_cast<size_t>(last - first);
    if (count > capacity_) grow(count);
    std::uninitialized_copy(first, last, first_);
    size_ = count;
  }
  void clear() {
    std::destroy_n(first_, size_);
    size_ = 0;
  }

private:
  bool is_inline() const { return first_ == inline_first(); }
  T *inline_first() const { return const_cast<T *>(reinterpret_cast<const T *>(inline_)); }

  void grow(size_t capacity) {
    T *larger = std::allocator<T>().allocate(capacity);
    std::uninitialized_move_n(first_, size_, larger);
    const size_t size = size_;
    release();
    first_ = larger;
    size_ = size;
    capacity_ = capacity;
  }
  /// Destroys the elements and returns to the initial state.
  void release() {
    clear();
    if (!is_inline()) std::allocator<T>().deallocate(first_, capacity_);
    first_ = inline_first();
    capacity_ = kInline;
  }
  /// Takes over the elements of `other`. Call it only in the initial state.
  void take(SmallVector &other) noexcept {
    if (other.is_inline()) {
      std::uninitialized_move_n(other.first_, other.size_, first_);
      size_ = other.size_;
      other.clear();
      return;
    }
    first_ = std::exchange(other.first_, other.inline_first());
    size_ = std::exchange(other.size_, 0);
    capacity_ = std::exchange(other.capacity_, kInline);
  }

  T *first_ = inline_first();
  size_t size_ = 0;
  size_t capacity_ = kInline;
  alignas(T) std::byte inline_[kInline * sizeof(T)];
};

}  // namespace upsweep
#endif
