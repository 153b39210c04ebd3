// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A communicator of ranks that are threads of this process, with the clock of a rank in a modelled cluster. The calls run and
// exchange their elements, so that results can be checked; the time follows from models of the network and of the work.
//
//     run_simulated(1024, cluster, [&](simulated_communicator &ranks) {
//       ranks.set_work([](const Progress &progress) { return progress.messages < 2 ? 1e-3 : 0; });
//       inclusive_sum(ranks, in, out, n);
//       seconds = ranks.clock();
//     });
#ifndef UPSWEEP_TESTS_DISTRIBUTED_SIMULATED_H
#define UPSWEEP_TESTS_DISTRIBUTED_SIMULATED_H

#include <upsweep/distributed/threads.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

namespace upsweep::distributed::test {

// A message takes a latency for each step of a tree, and its bytes over the speed of the slowest link. Ranks of one node have
// faster links.
struct Cluster {
  unsigned node = 8;
  double near_latency = 3e-6, far_latency = 6e-6;  // seconds of a step
  double near_speed = 380e9, far_speed = 45e9;     // bytes a second of a rank, in each direction
  double message = 0.4e-6;                         // seconds of a rank for each further message
  double report = 12e-9;                           // seconds of a rank to read the part of another one in a gathering
  double weight = 1;                               // the elements for which an exchanged element stands
  double late_share = 0, late_factor = 1;          // this share of the ranks works slower by this factor
};

// The messages of a rank so far, and whether the last one had elements.
struct Progress {
  std::uint64_t messages = 0;
  bool has_elements = false;
};

class SimulatedClocks {
public:
  SimulatedClocks(unsigned size, const Cluster &cluster)
      : cluster_(cluster), clocks_{std::vector<double>(size), std::vector<double>(size)} {}
  const Cluster &cluster() const { return cluster_; }
  // Two rows alternate: a rank writes to a row again only when all have left the messages in which they read it.
  std::vector<double> &row(std::uint64_t message) { return clocks_[message % 2]; }

private:
  Cluster cluster_;
  std::vector<double> clocks_[2];
};

class simulated_communicator {
public:
  using memory = host_memory;

  simulated_communicator(thread_communicator &host, SimulatedClocks &clocks)
      : host_(host), clocks_(clocks), cluster_(clocks.cluster()) {
    const double place = std::fmod((host.rank() + 1) * 0.6180339887498949, 1.0);
    slowness_ = place < cluster_.late_share ? cluster_.late_factor : 1;
  }

  // work(progress) is the seconds of work of a rank before its next message.
  void set_work(std::function<double(const Progress &)> work) { work_of_ = std::move(work); }

  unsigned size() const { return host_.size(); }
  unsigned rank() const { return host_.rank(); }
  // The simulated seconds since the begin.
  double clock() const { return clock_; }
  const Progress &progress() const { return progress_; }

  void all_gather(const void *from, void *to, std::uint64_t bytes) {
    meet([&] { host_.all_gather(from, to, bytes); },
         steps() + static_cast<double>(bytes) * others() / (is_far() ? cluster_.far_speed : cluster_.near_speed) +
             size() * cluster_.report);
    progress_.has_elements = has_lengths_ = false;
  }

  void all_to_all(const void *from, const std::uint64_t *send, void *to, const std::uint64_t *receive) {
    // Lengths are exchanged before elements.
    const bool are_elements = std::exchange(has_lengths_, are_lengths(send, receive));
    meet([&] { host_.all_to_all(from, send, to, receive); }, seconds_of_exchange(send, receive, are_elements));
    progress_.has_elements = are_elements;
  }

  void send(unsigned rank, const void *from, std::uint64_t bytes) {
    host_.send(rank, &clock_, sizeof clock_);
    host_.send(rank, from, bytes);
  }
  void receive(unsigned rank, void *to, std::uint64_t bytes) {
    double sent = 0;
    host_.receive(rank, &sent, sizeof sent);
    host_.receive(rank, to, bytes);
    const bool far = rank / cluster_.node != this->rank() / cluster_.node;
    clock_ = std::max(clock_, sent) + (far ? cluster_.far_latency : cluster_.near_latency) +
             static_cast<double>(bytes) / (far ? cluster_.far_speed : cluster_.near_speed);
  }
  void barrier() {
    meet([&] { host_.barrier(); }, steps());
  }
  void abort(const std::string &message) { host_.abort(message); }

private:
  // A message of all ranks begins when the last one comes.
  template <class Message>
  void meet(const Message &message, double seconds) {
    clock_ += work_of_ ? work_of_(progress_) * slowness_ : 0;
    std::vector<double> &row = clocks_.row(progress_.messages++);
    row[rank()] = clock_;
    message();
    clock_ = *std::max_element(row.begin(), row.end()) + seconds;
  }

  bool is_far() const { return size() > cluster_.node; }
  double others() const { return size() - 1; }
  // The steps of a tree, within nodes and between them.
  double steps() const {
    const auto near = static_cast<double>(std::min(size(), cluster_.node));
    const double far = std::ceil(static_cast<double>(size()) / cluster_.node);
    return std::ceil(std::log2(near)) * cluster_.near_latency + std::ceil(std::log2(far)) * cluster_.far_latency;
  }
  bool are_lengths(const std::uint64_t *send, const std::uint64_t *receive) const {
    const auto is_length = [](std::uint64_t bytes) { return bytes == sizeof(std::uint64_t); };
    return std::all_of(send, send + size(), is_length) && std::all_of(receive, receive + size(), is_length);
  }
  double seconds_of_exchange(const std::uint64_t *send, const std::uint64_t *receive, bool are_elements) const {
    double out[2] = {0, 0}, in[2] = {0, 0};
    unsigned partners = 0;
    for (unsigned r = 0; r < size(); ++r) {
      if (r != rank()) {
        const unsigned far = r / cluster_.node != rank() / cluster_.node ? 1 : 0;
        out[far] += static_cast<double>(send[r]);
        in[far] += static_cast<double>(receive[r]);
        partners += send[r] > 0 || receive[r] > 0 ? 1 : 0;
      }
    }
    const double near = std::max(out[0], in[0]) / cluster_.near_speed, far = std::max(out[1], in[1]) / cluster_.far_speed;
    return (is_far() ? cluster_.far_latency : cluster_.near_latency) + partners * cluster_.message +
           std::max(near, far) * (are_elements ? cluster_.weight : 1);
  }

  thread_communicator &host_;
  SimulatedClocks &clocks_;
  const Cluster &cluster_;
  std::function<double(const Progress &)> work_of_;
  Progress progress_;
  double clock_ = 0, slowness_ = 1;
  bool has_lengths_ = false;
};

template <class Function>
void run_simulated(unsigned n, const Cluster &cluster, const Function &function) {
  SimulatedClocks clocks(n, cluster);
  run_ranks(n, [&](thread_communicator &host) {
    simulated_communicator ranks(host, clocks);
    function(ranks);
  });
}

}  // namespace upsweep::distributed::test

#endif
