// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs the sorts.
#include "cli/files/sort_keys.h"

#include "cli/files/device_sort.h"
#include "cli/files/watched_pool.h"

#include <type_traits>
#include <upsweep/cpu/sort.h>

namespace upsweep::cli {

template <class F>
void Keys::with_keys(F f) {
  codec_.with_type([&](auto key) { f(reinterpret_cast<decltype(key) *>(keys_.data())); });
}

Keys::Keys(const Array &array, bool is_descending)
    : codec_(array.type, is_descending), is_descending_(is_descending), count_(array.count), keys_(count_ * codec_.bytes()) {
  Reader reader(array);
  codec_.load(reader, 0, count_, keys_.data());
}

Result<void> Keys::sort(WorkDevice *device, Progress &progress) {
  Result<void> done;
  WatchedPool pool(progress);
  with_keys([&](auto *keys) {
    constexpr bool kIsReal = std::is_floating_point_v<std::remove_pointer_t<decltype(keys)>>;
    if (device) {
      done = sort_on_device(*device, keys, count_, kIsReal && is_descending_);
      return;
    }
    if constexpr (kIsReal)
      if (is_descending_) return cpu::sort_keys(keys, keys, count_, pool, cpu::descending);
    cpu::sort_keys(keys, keys, count_, pool);
  });
  return done;
}

template <class Index>
Result<void> Keys::sort_indices(std::vector<Index> &indices, WorkDevice *device, Progress &progress) {
  indices.resize(count_);
  Result<void> done;
  WatchedPool pool(progress);
  with_keys([&](auto *keys) {
    constexpr bool kIsReal = std::is_floating_point_v<std::remove_pointer_t<decltype(keys)>>;
    if (device) {
      done = arg_sort_on_device(*device, keys, indices.data(), count_, kIsReal && is_descending_);
      return;
    }
    if constexpr (kIsReal)
      if (is_descending_) return cpu::arg_sort(keys, keys, indices.data(), count_, pool, cpu::descending);
    cpu::arg_sort(keys, keys, indices.data(), count_, pool);
  });
  return done;
}

Result<void> Keys::sort(std::vector<uint32_t> &indices, WorkDevice *device, Progress &progress) {
  return sort_indices(indices, device, progress);
}
Result<void> Keys::sort(std::vector<uint64_t> &indices, WorkDevice *device, Progress &progress) {
  return sort_indices(indices, device, progress);
}

void Keys::take(size_t begin, size_t n, std::byte *to) const { codec_.store(keys_.data() + begin * codec_.bytes(), n, to); }

}  // namespace upsweep::cli
