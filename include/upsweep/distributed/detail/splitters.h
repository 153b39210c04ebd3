// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The places that divide sorted runs of all ranks so that each division has an exact number of elements. Equal elements are in
// the order of runs, and then of places, so that no two elements are alike: many equal keys need no special case, and the
// division is stable.
//
// Limits in each run enclose a place. In each round, the ranks gather some elements between the limits, and choose two of them
// on either side of the place. The exact numbers of elements before these two set new limits, which enclose a fraction of about
// 2 / kProbes.
// Source: Saukas and Song 1999, "A Note on Parallel Selection on Coarse-Grained Multicomputers", with more than one candidate.
#pragma once

#include <upsweep/distributed/detail/divisions.h>

#include <array>
#include <cmath>

namespace upsweep::distributed::detail {

template <class C, class Key, class Less>
class Splitters {
  static_assert(std::is_trivially_copyable_v<Key>, "elements that are exchanged must be trivially copyable");

public:
  // A sorted run of this rank. `order`: its place among the runs of all ranks.
  struct Run {
    const Key *keys;
    std::uint64_t n;
    unsigned order;
  };

  // Rank r has the runs with the orders r, size() + r and so on.
  Splitters(Call<C> &call, const std::vector<Run> &runs, const Less &less) : call_(call), runs_(runs), less_(less) {}

  // Returns, for each target, the numbers of elements of each own run among the first `target` elements of all. Throws on all
  // ranks if the runs are not sorted.
  std::vector<std::vector<std::uint64_t>> find(const std::vector<std::uint64_t> &targets, std::uint64_t all) {
    call_.agree([&] {
      limits_.assign(targets.size(), std::vector<Limits>(runs_.size()));
      for (std::size_t s = 0; s < targets.size(); ++s) {
        for (std::size_t k = 0; k < runs_.size(); ++k) {
          limits_[s][k] = {targets[s] == all ? runs_[k].n : 0, targets[s] == 0 ? 0 : runs_[k].n};
        }
      }
    });
    const bool has_owners = call_.size() > kMostWithoutOwners && targets.size() <= call_.size();
    while (has_owners ? narrow_by_owners(targets) : narrow_by_all(targets)) {
    }
    return checked(targets);
  }

private:
  // The place of a target in a run is between these limits.
  struct Limits {
    std::uint64_t low, high;
  };
  // An element that stands for `weight` elements around it.
  struct Probe {
    Key key{};
    std::uint64_t place = 0, weight = 0, low = 0;
    unsigned order = 0;
  };
  static constexpr std::uint64_t kProbes = 8;  // of a run
  // With more ranks, what all ranks gather for all targets grows too large.
  static constexpr unsigned kMostWithoutOwners = 64;
  using Pivots = std::vector<std::array<Probe, 2>>;                       // of each target
  using Places = std::vector<std::vector<std::array<std::uint64_t, 2>>>;  // of the pivots, in each own run

  // A round in which each rank chooses the pivots of all targets: two messages, which grow with the square of the ranks. False
  // if no limits are apart.
  bool narrow_by_all(const std::vector<std::uint64_t> &targets) {
    const auto probes = call_.gather_vectors([&] { return own_probes(); });
    if (std::all_of(probes.begin(), probes.end(), [](const Probe &probe) { return probe.weight == 0; })) {
      return false;
    }
    Pivots pivots;
    Places places;
    const auto counts = call_.gather_vectors([&] {
      pivots = choose(probes, targets);
      return count(pivots, places);
    });
    const auto of_rank = 2 * targets.size();
    narrow(pivots, places, targets, [&](std::size_t i) {
      std::uint64_t before = 0;
      for (unsigned r = 0; r < call_.size(); ++r) {
        before += counts[r * of_rank + i];
      }
      return before;
    });
    return true;
  }

  // A round in which rank s alone chooses the pivots of target s: four messages, which grow with the number of ranks.
  bool narrow_by_owners(const std::vector<std::uint64_t> &targets) {
    const std::size_t of_target = runs_.size() * kProbes;
    const bool is_owner = call_.rank() < targets.size();
    Lengths of_probes, of_counts;
    std::vector<Probe> own, received;
    call_.agree([&] {
      own = own_probes();
      prepare(of_probes, received, of_target, targets.size());
    });
    call_.exchange(own.data(), received.data(), of_probes);
    const auto chosen = call_.gather_vectors([&] {
      std::vector<Probe> two(2);
      if (is_owner) {
        const auto pivots = choose_one(received.data(), of_target, targets[call_.rank()]);
        two = {pivots[0], pivots[1]};
      }
      return two;
    });
    if (std::all_of(chosen.begin(), chosen.end(), [](const Probe &probe) { return probe.weight == 0; })) {
      return false;
    }
    Pivots pivots;
    Places places;
    std::vector<std::uint64_t> counts, of_ranks;
    call_.agree([&] {
      for (std::size_t s = 0; s < targets.size(); ++s) {
        pivots.push_back({chosen[2 * s], chosen[2 * s + 1]});
      }
      counts = count(pivots, places);
      prepare(of_counts, of_ranks, 2, targets.size());
    });
    call_.exchange(counts.data(), of_ranks.data(), of_counts);
    const auto before = call_.gather_vectors([&] { return sums_of(of_ranks, 2); });
    narrow(pivots, places, targets, [&](std::size_t i) { return before[i]; });
    return true;
  }

  // `each` elements for each target, from all ranks to the target's owner.
  template <class T>
  void prepare(Lengths &lengths, std::vector<T> &received, std::size_t each, std::size_t targets) const {
    lengths.resize(call_.size());
    for (unsigned r = 0; r < call_.size(); ++r) {
      lengths.send[r] = r < targets ? each : 0;
      lengths.receive[r] = call_.rank() < targets ? each : 0;
    }
    received.resize(call_.rank() < targets ? each * call_.size() : 0);
  }
  // Adds up the numbers of all ranks, `each` of a rank; zeros if there are none.
  static std::vector<std::uint64_t> sums_of(const std::vector<std::uint64_t> &numbers, std::size_t each) {
    std::vector<std::uint64_t> sums(each);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      sums[i % each] += numbers[i];
    }
    return sums;
  }

  std::vector<Probe> own_probes() const {
    std::vector<Probe> probes(limits_.size() * runs_.size() * kProbes);
    auto to = probes.begin();
    for (const auto &limits : limits_) {
      for (std::size_t k = 0; k < runs_.size(); ++k, to += kProbes) {
        const auto [low, high] = limits[k];
        const std::uint64_t left = high - low, some = std::min(left, kProbes);
        for (std::uint64_t i = 0; i < kProbes; ++i) {
          Probe &probe = to[static_cast<std::ptrdiff_t>(i)];
          probe.low = low;
          probe.order = runs_[k].order;
          if (i < some) {
            const std::uint64_t begin = share_begin(left, i, some), end = share_begin(left, i + 1, some);
            probe.place = low + begin + (end - begin) / 2;
            probe.key = runs_[k].keys[probe.place];
            probe.weight = end - begin;
          }
        }
      }
    }
    return probes;
  }
  static std::uint64_t share_begin(std::uint64_t n, std::uint64_t i, std::uint64_t parts) {
    return n / parts * i + std::min(i, n % parts);
  }

  bool is_before(const Probe &a, const Probe &b) const {
    if (less_(a.key, b.key)) {
      return true;
    }
    return !less_(b.key, a.key) && (a.order != b.order ? a.order < b.order : a.place < b.place);
  }

  Pivots choose(const std::vector<Probe> &probes, const std::vector<std::uint64_t> &targets) const {
    const std::size_t of_target = runs_.size() * kProbes;
    Pivots pivots(targets.size());
    for (std::size_t s = 0; s < targets.size(); ++s) {
      pivots[s] = choose_one(probes.data() + s * of_target, targets.size() * of_target, targets[s]);
    }
    return pivots;
  }

  // Two probes for a target, the first before the second: with what is known, the target lies between them. Rank r's probes for
  // it are at probes[r * step].
  std::array<Probe, 2> choose_one(const Probe *probes, std::size_t step, std::uint64_t target) const {
    const std::size_t of_target = runs_.size() * kProbes;
    std::vector<Probe> some;
    std::uint64_t below = 0;
    for (unsigned r = 0; r < call_.size(); ++r) {
      for (std::size_t i = 0; i < of_target; ++i) {
        const Probe &probe = probes[r * step + i];
        below += i % kProbes == 0 ? probe.low : 0;
        if (probe.weight > 0) {
          some.push_back(probe);
        }
      }
    }
    if (some.empty()) {
      return {};
    }
    // A heap stays inside of the array, whatever a wrong comparison says.
    const auto before = [this](const Probe &x, const Probe &y) { return is_before(x, y); };
    std::make_heap(some.begin(), some.end(), before);
    std::sort_heap(some.begin(), some.end(), before);
    std::size_t middle = 0;
    for (std::uint64_t sum = below; middle + 1 < some.size(); ++middle) {
      sum += some[middle].weight;
      if (sum > target) {
        break;
      }
    }
    const auto away = static_cast<std::size_t>(1 + std::sqrt(static_cast<double>(call_.size() * runs_.size())) / 2);
    return {some[middle - std::min(middle, away)], some[std::min(middle + away, some.size() - 1)]};
  }

  // The number of elements of a run before the pivot, within the limits.
  std::uint64_t place_in(const Run &run, const Limits &limits, const Probe &pivot) const {
    if (pivot.order == run.order) {
      return std::clamp(pivot.place, limits.low, limits.high);
    }
    const Key *begin = run.keys + limits.low, *end = run.keys + limits.high;
    const Key *at = run.order < pivot.order ? std::upper_bound(begin, end, pivot.key, less_)
                                            : std::lower_bound(begin, end, pivot.key, less_);
    return static_cast<std::uint64_t>(at - run.keys);
  }

  std::vector<std::uint64_t> count(const Pivots &pivots, Places &places) const {
    std::vector<std::uint64_t> counts(2 * pivots.size());
    places.assign(pivots.size(), std::vector<std::array<std::uint64_t, 2>>(runs_.size()));
    for (std::size_t s = 0; s < pivots.size(); ++s) {
      for (std::size_t k = 0; k < runs_.size(); ++k) {
        for (std::size_t i = 0; i < 2 && pivots[s][i].weight > 0; ++i) {
          places[s][k][i] = place_in(runs_[k], limits_[s][k], pivots[s][i]);
          counts[2 * s + i] += places[s][k][i];
        }
      }
    }
    return counts;
  }

  // before_pivot(2 * s + i) is the number of elements of all ranks before pivot i of target s.
  template <class BeforePivot>
  void narrow(const Pivots &pivots, const Places &places, const std::vector<std::uint64_t> &targets,
              const BeforePivot &before_pivot) {
    for (std::size_t s = 0; s < targets.size(); ++s) {
      for (std::size_t i = 0; i < 2 && pivots[s][i].weight > 0; ++i) {
        const std::uint64_t before = before_pivot(2 * s + i);
        for (std::size_t k = 0; k < runs_.size(); ++k) {
          Limits &limits = limits_[s][k];
          const std::uint64_t place = places[s][k][i];
          if (before == targets[s]) {
            limits = {place, place};
          } else if (before > targets[s]) {
            limits.high = std::max(limits.low, std::min(limits.high, place));
          } else {
            const bool is_own = pivots[s][i].order == runs_[k].order;
            limits.low = std::min(limits.high, std::max(limits.low, place + (is_own ? 1 : 0)));
          }
        }
        if (before == targets[s]) {
          break;
        }
      }
    }
  }

  // In runs that are not sorted, divisions may overlap or have other numbers of elements.
  std::vector<std::vector<std::uint64_t>> checked(const std::vector<std::uint64_t> &targets) const {
    std::vector<std::vector<std::uint64_t>> cuts;
    const auto sums = call_.gather_vectors([&] {
      std::vector<std::uint64_t> own(targets.size());
      for (std::size_t s = 0; s < targets.size(); ++s) {
        cuts.emplace_back(runs_.size());
        for (std::size_t k = 0; k < runs_.size(); ++k) {
          cuts[s][k] = limits_[s][k].low;
          own[s] += cuts[s][k];
          require_sorted(s == 0 || cuts[s - 1][k] <= cuts[s][k]);
        }
      }
      return own;
    });
    call_.agree([&] {
      for (std::size_t s = 0; s < targets.size(); ++s) {
        std::uint64_t sum = 0;
        for (unsigned r = 0; r < call_.size(); ++r) {
          sum += sums[r * targets.size() + s];
        }
        require_sorted(sum == targets[s]);
      }
    });
    return cuts;
  }
  static void require_sorted(bool is_sorted) {
    if (!is_sorted) {
      throw std::invalid_argument("upsweep::distributed: the elements are not in the order of the comparison");
    }
  }

  Call<C> &call_;
  const std::vector<Run> &runs_;
  const Less &less_;
  std::vector<std::vector<Limits>> limits_;  // of each target, for each own run
};

}  // namespace upsweep::distributed::detail
