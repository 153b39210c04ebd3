// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorts in place for sorts.py, by this library and by each installed peer: x86-simd-sort, ips4o, parlaylib, and Highway's
// vqsort. Functions are named LIBRARY_TYPE.
#include <upsweep/cpu/sort.h>

#if __has_include(<x86simdsort-static-incl.h>) && defined(__AVX2__)
#define UPSWEEP_BENCH_SIMD_SORT
#include <x86simdsort-static-incl.h>
#endif
#if __has_include(<ips4o.hpp>)
#define UPSWEEP_BENCH_IPS4O
#include <ips4o.hpp>
#endif
#if __has_include(<parlay/primitives.h>)
#define UPSWEEP_BENCH_PARLAY
#include <parlay/primitives.h>
#endif
#ifdef UPSWEEP_BENCH_VQSORT
#include <hwy/contrib/sort/vqsort.h>
#endif

#include <cstdint>
#include <functional>
#include <type_traits>

namespace {

template <class Key>
void sort_upsweep(Key *keys, std::uint64_t n) {
  upsweep::cpu::sort_keys(keys, keys, n);
}
template <class Key>
void sort_indices(const Key *keys, Key *sorted, std::uint64_t *indices, std::uint64_t n) {
  upsweep::cpu::arg_sort(keys, sorted, indices, n);
}
#ifdef UPSWEEP_BENCH_SIMD_SORT
template <class Key>
void sort_simd(Key *keys, std::uint64_t n) {
  x86simdsortStatic::qsort(keys, n, std::is_floating_point_v<Key>);
}
#endif
#ifdef UPSWEEP_BENCH_IPS4O
template <class Key>
void sort_ips4o(Key *keys, std::uint64_t n) {
  ips4o::parallel::sort(keys, keys + n, std::less<>{});
}
#endif
#ifdef UPSWEEP_BENCH_PARLAY
template <class Key>
void sort_parlay(Key *keys, std::uint64_t n) {
  const auto all = parlay::make_slice(keys, keys + n);
  if constexpr (std::is_unsigned_v<Key>) {
    parlay::integer_sort_inplace(all);
  } else {
    parlay::sort_inplace(all);
  }
}
#endif
#ifdef UPSWEEP_BENCH_VQSORT
template <class Key>
void sort_vqsort(Key *keys, std::uint64_t n) {
  static hwy::Sorter sorter;
  sorter(keys, n, hwy::SortAscending());
}
#endif

}  // namespace

extern "C" {
#define UPSWEEP_BENCH_TYPE(name, type)                                                                                         \
  void upsweep_##name(type *keys, std::uint64_t n) { sort_upsweep(keys, n); }                                                  \
  void indices_##name(const type *keys, type *sorted, std::uint64_t *indices, std::uint64_t n) {                               \
    sort_indices(keys, sorted, indices, n);                                                                                    \
  }
#define UPSWEEP_BENCH_TYPES(TYPE)                                                                                              \
  TYPE(uint32, std::uint32_t) TYPE(uint64, std::uint64_t) TYPE(float32, float) TYPE(float64, double)
UPSWEEP_BENCH_TYPES(UPSWEEP_BENCH_TYPE)
#define UPSWEEP_BENCH_PEER(peer, name, type)                                                                                   \
  void peer##_##name(type *keys, std::uint64_t n) { sort_##peer(keys, n); }
#ifdef UPSWEEP_BENCH_SIMD_SORT
#define UPSWEEP_BENCH_SIMD(name, type) UPSWEEP_BENCH_PEER(simd, name, type)
UPSWEEP_BENCH_TYPES(UPSWEEP_BENCH_SIMD)
#endif
#ifdef UPSWEEP_BENCH_IPS4O
#define UPSWEEP_BENCH_IPS4O_OF(name, type) UPSWEEP_BENCH_PEER(ips4o, name, type)
UPSWEEP_BENCH_TYPES(UPSWEEP_BENCH_IPS4O_OF)
#endif
#ifdef UPSWEEP_BENCH_PARLAY
#define UPSWEEP_BENCH_PARLAY_OF(name, type) UPSWEEP_BENCH_PEER(parlay, name, type)
UPSWEEP_BENCH_TYPES(UPSWEEP_BENCH_PARLAY_OF)
#endif
#ifdef UPSWEEP_BENCH_VQSORT
#define UPSWEEP_BENCH_VQSORT_OF(name, type) UPSWEEP_BENCH_PEER(vqsort, name, type)
UPSWEEP_BENCH_TYPES(UPSWEEP_BENCH_VQSORT_OF)
#endif
}
