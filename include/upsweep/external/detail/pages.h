// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays that begin and end with pages, as direct input and output needs them. Pages become memory when they are written.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <numeric>

namespace upsweep::external::detail {

inline constexpr std::uint64_t kPage = 4096;

constexpr std::uint64_t whole_pages(std::uint64_t bytes) { return (bytes + kPage - 1) / kPage * kPage; }

struct release_pages {
  void operator()(void *pages) const { std::free(pages); }
};

template <class T>
using pages_of = std::unique_ptr<T[], release_pages>;

// Uninitialised elements, with room behind them up to the end of the last page.
template <class T>
pages_of<T> make_pages(std::uint64_t n) {
  if (n > (~std::uint64_t(0) >> 1) / sizeof(T)) {
    throw std::bad_alloc();
  }
  void *pages = std::aligned_alloc(kPage, whole_pages(n * sizeof(T) + 1));
  if (pages == nullptr) {
    throw std::bad_alloc();
  }
  return pages_of<T>(static_cast<T *>(pages));
}

// Blocks have whole elements and whole pages.
template <class T>
inline constexpr std::uint64_t kGranule = kPage / std::gcd(kPage, static_cast<std::uint64_t>(sizeof(T)));

}  // namespace upsweep::external::detail
