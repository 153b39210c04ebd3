// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Histograms of an array of which each rank has a part. Each rank receives the counts of all ranks: counts[b] is the number of
// samples in bin b.
//
//   histogram, histogram_even, histogram_of_levels, histogram_by   as in cpu/histogram.h
//
// `ranks`  communicator (communicator.h). cpu/histogram.h explains the other arguments, here of this rank's part. The bins
//          are the same on all ranks.
//
// Each sample is read once. A rank adds up a share of the bins, so that each rank sends and receives about twice the size of
// `counts`. Sums of floating-point weights are added in the order of ranks. Errors: on all ranks (communicator.h); see
// cpu/histogram.h.
#pragma once

#include <upsweep/common/cpp20.h>
#ifdef UPSWEEP_CPP20
#include <upsweep/cpu/histogram.h>
#include <upsweep/distributed/detail/call.h>
#include <upsweep/distributed/options.h>

namespace upsweep::distributed {

namespace detail {

// Adds up arrays of the same length on all ranks.
template <class Count>
class Adding {
public:
  // May throw; no rank is waited for.
  void allocate(unsigned ranks, unsigned rank, std::uint64_t n) {
    share_ = (n + ranks - 1) / ranks;
    n_ = n;
    lengths_.resize(ranks);
    for (unsigned r = 0; r < ranks; ++r) {
      lengths_.send[r] = share_of(r);
      lengths_.receive[r] = share_of(rank);
    }
    parts_.resize(share_of(rank) * ranks);
    sums_.assign(share_, Count(0));
    all_.resize(share_ * ranks);
  }

  template <class C>
  void add(Call<C> &call, Count *counts) {
    call.exchange(counts, parts_.data(), lengths_);
    const std::uint64_t own = share_of(call.rank());
    for (unsigned r = 0; r < call.size(); ++r) {
      for (std::uint64_t i = 0; i < own; ++i) {
        sums_[i] = static_cast<Count>(sums_[i] + parts_[r * own + i]);
      }
    }
    call.ranks().all_gather(sums_.data(), all_.data(), share_ * sizeof(Count));
    std::copy_n(all_.begin(), n_, counts);
  }

private:
  std::uint64_t share_of(std::uint64_t rank) const { return std::min(share_, n_ - std::min(n_, rank * share_)); }

  std::uint64_t share_ = 0, n_ = 0;
  Lengths lengths_;
  std::vector<Count> parts_, sums_, all_;
};

template <int kChannels, int kCounted>
constexpr std::uint64_t counted(channels_t<kChannels, kCounted>) {
  return kCounted;
}

template <class C, class Count, class Local, class... More>
void histogram_of_parts(C &ranks, const char *name, Count *counts, std::uint64_t bins, const Local &local,
                        const More &...more) {
  const std::uint64_t n = bins * counted(cpu::detail::channels_option(more...));
  Call<C> call(ranks, name, mix(types_hash<Count>(), n));
  Adding<Count> adding;
  call.agree([&] {
    local();
    adding.allocate(call.size(), call.rank(), n);
  });
  adding.add(call, counts);
}

}  // namespace detail

template <class C, class In, class Count, class N, class... More>
void histogram(C &ranks, In in, Count *counts, std::uint64_t bins, N n, More &&...more) {
  detail::histogram_of_parts(ranks, "histogram", counts, bins, [&] { cpu::histogram(in, counts, bins, n, more...); }, more...);
}

template <class C, class In, class Count, class N, class Bound, class... More>
void histogram_even(C &ranks, In in, Count *counts, N n, std::uint64_t bins, Bound lower, Bound upper, More &&...more) {
  detail::histogram_of_parts(
      ranks, "histogram_even", counts, bins, [&] { cpu::histogram_even(in, counts, n, bins, lower, upper, more...); }, more...);
}

template <class C, class In, class Count, class N, class Level, class... More>
void histogram_of_levels(C &ranks, In in, Count *counts, N n, std::uint64_t bins, const Level *levels, More &&...more) {
  detail::histogram_of_parts(
      ranks, "histogram_of_levels", counts, bins, [&] { cpu::histogram_of_levels(in, counts, n, bins, levels, more...); },
      more...);
}

template <class C, class In, class Count, class N, class F, class... More>
void histogram_by(C &ranks, In in, Count *counts, N n, std::uint64_t bins, F bin_of, More &&...more) {
  detail::histogram_of_parts(
      ranks, "histogram_by", counts, bins, [&] { cpu::histogram_by(in, counts, n, bins, bin_of, more...); }, more...);
}

}  // namespace upsweep::distributed
#endif
