// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Typical calls over ranks, for several types of elements. It is compiled for the compilers' warnings, and never runs.
#include <upsweep/distributed/communicator.h>
#include <upsweep/distributed/compensated.h>
#include <upsweep/distributed/histogram.h>
#include <upsweep/distributed/merge.h>
#include <upsweep/distributed/options.h>
#include <upsweep/distributed/place.h>
#include <upsweep/distributed/reduce.h>
#include <upsweep/distributed/reduce_by_key.h>
#include <upsweep/distributed/run_length.h>
#include <upsweep/distributed/scan.h>
#include <upsweep/distributed/select.h>
#include <upsweep/distributed/sort.h>
#include <upsweep/distributed/threads.h>
#include <upsweep/distributed/top_k.h>

#include <cstdint>
#include <vector>

namespace up = upsweep::distributed;

namespace {

struct Particle {
  std::int32_t cell;
  float energy;
};

template <class T>
void call_all(up::thread_communicator &ranks) {
  std::vector<T> in(100), out(100), more(100);
  std::vector<std::uint32_t> counts(100);
  std::uint64_t kept = 0;
  up::thread_pool pool(2);
  up::inclusive_sum(ranks, in.data(), out.data(), 100, pool);
  up::exclusive_scan(ranks, in.data(), out.data(), 100, up::maximum{}, T(1), up::backward, up::total_to(more.data()));
  up::inclusive_scan(ranks, in.begin(), out.begin(), 100U, [](T a, T b) { return a < b ? a : b; });
  up::inclusive_scan_by_key(ranks, in.data(), in.data(), out.data(), 100, up::plus{}, pool);
  up::exclusive_scan_by_flag(ranks, counts.data(), in.data(), out.data(), 100, up::plus{}, T(0));
  up::reduce(ranks, in.data(), out.data(), 100, up::minimum{}, T(5), up::accumulator<T>);
  up::indexed<T> best;
  up::arg_min(ranks, in.data(), &best, 100);
  up::select_if(ranks, in.data(), out.data(), &kept, 100, [](T x) { return x > T(0); }, up::total_to(&kept));
  up::unique(ranks, in.data(), out.data(), &kept, 100);
  up::run_length_encode(ranks, in.data(), out.data(), counts.data(), &kept, 100);
  up::reduce_by_key(ranks, in.data(), in.data(), out.data(), more.data(), &kept, 100, up::plus{});
  up::histogram_even(ranks, in.data(), counts.data(), 100, 10, T(0), T(10), pool);
  up::sort_keys(ranks, in.data(), out.data(), 100, up::descending, up::part_of(up::equal_part(ranks, 100)));
  up::sort_pairs(ranks, in.data(), out.data(), in.data(), more.data(), 100, pool);
  up::arg_sort(ranks, in.data(), out.data(), counts.data(), 100);
  up::merge_sort(ranks, in.data(), out.data(), 100, [](T a, T b) { return b < a; });
  up::merge(ranks, in.data(), more.data(), out.data(), 50, 50);
  up::top_k_keys(ranks, in.data(), out.data(), 100, 10);
  up::nth_element(ranks, in.data(), out.data(), 100, 10, pool);
  up::rebalance(ranks, in.data(), out.data(), 100, 100);
}

}  // namespace

void distributed_calls() {
  up::run_ranks(2, [](up::thread_communicator &ranks) {
    call_all<float>(ranks);
    call_all<std::int16_t>(ranks);
    call_all<std::uint64_t>(ranks);
    std::vector<double> doubles(100);
    double sum = 0;
    up::inclusive_sum(ranks, doubles.data(), doubles.data(), 100, up::reproducible);
    up::inclusive_compensated_sum(ranks, doubles.data(), doubles.data(), 100, up::reproducible, up::backward);
    up::compensated_sum(ranks, doubles.data(), &sum, 100);
    up::sum(ranks, doubles.data(), &sum, 100, up::reproducible);
    std::vector<Particle> particles(100);
    up::sort_keys(ranks, particles.data(), particles.data(), 100, up::by_members<&Particle::cell, &Particle::energy>{});
    std::vector<std::uint32_t> words(100);
    up::sort_keys(ranks, words.data(), words.data(), 100, up::key_bits(4, 12));
  });
}
