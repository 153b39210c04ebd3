// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A communicator of ranks that are threads of this process, with the clock of a rank in a modelled cluster. The calls are
// executed, and exchange their elements; the time of messages follows from a model of the network, and the time of work from
// the processor time that this machine needs.
//
//     run_simulated(1024, cluster, [&](simulated_communicator &ranks) {
//       inclusive_sum(ranks, in, out, n, ranks.executor());
//       seconds = ranks.clock();
//     });
#ifndef UPSWEEP_TESTS_DISTRIBUTED_SIMULATED_H
#define UPSWEEP_TESTS_DISTRIBUTED_SIMULATED_H

#include <upsweep/distributed/threads.h>

#include <algorithm>
#include <cmath>
#include <ctime>

namespace upsweep::distributed::test {

// Messages take a latency for each step and bytes over the speed of the narrower link. Ranks of one node have faster links.
struct Cluster {
  unsigned node = 8;
  double near_latency = 3e-6, far_latency = 6e-6;  // seconds of a step
  double near_speed = 380e9, far_speed = 45e9;     // bytes a second of a rank, in each direction
  double message = 0.4e-6;                         // seconds of a rank for each further message
  double work_scale = 1;                           // simulated seconds for each second of work of the executor
  double weight = 1;                               // the elements for which an exchanged element stands
  double late_share = 0, late_factor = 1;          // this share of the ranks works slower by this factor
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
      : host_(host), clocks_(clocks), cluster_(clocks.cluster()), begin_(processor_seconds()) {
    const double place = std::fmod((host.rank() + 1) * 0.6180339887498949, 1.0);
    slowness_ = place < cluster_.late_share ? cluster_.late_factor : 1;
  }

  // Charges work of a device, and nothing else that a call does.
  class Executor {
  public:
    explicit Executor(simulated_communicator &ranks) : ranks_(ranks) {}
    unsigned concurrency() const { return 1; }
    template <class Work>
    void run(unsigned, const Work &work) const {
      ranks_.settle();
      const double begin = processor_seconds();
      work();
      ranks_.charge(processor_seconds() - begin);
    }

  private:
    simulated_communicator &ranks_;
  };
  Executor executor() { return Executor(*this); }

  unsigned size() const { return host_.size(); }
  unsigned rank() const { return host_.rank(); }
  // The simulated seconds since the begin, and the part of them that is work.
  double clock() {
    settle();
    return clock_;
  }
  double work() const { return work_; }
  std::uint64_t messages() const { return messages_; }

  void all_gather(const void *from, void *to, std::uint64_t bytes) {
    meet([&] { host_.all_gather(from, to, bytes); },
         steps() + static_cast<double>(bytes) * others() / (is_far() ? cluster_.far_speed : cluster_.near_speed));
  }

  void all_to_all(const void *from, const std::uint64_t *send, void *to, const std::uint64_t *receive) {
    meet([&] { host_.all_to_all(from, send, to, receive); }, seconds_of_exchange(send, receive));
  }

  void send(unsigned rank, const void *from, std::uint64_t bytes) {
    settle();
    host_.send(rank, &clock_, sizeof clock_);
    host_.send(rank, from, bytes);
  }
  void receive(unsigned rank, void *to, std::uint64_t bytes) {
    double sent = 0;
    host_.receive(rank, &sent, sizeof sent);
    host_.receive(rank, to, bytes);
    const bool far = rank / cluster_.node != this->rank() / cluster_.node;
    begin_ = processor_seconds();
    clock_ = std::max(clock_, sent) + (far ? cluster_.far_latency : cluster_.near_latency) +
             static_cast<double>(bytes) / (far ? cluster_.far_speed : cluster_.near_speed);
  }
  void barrier() {
    meet([&] { host_.barrier(); }, steps());
  }
  void abort(const std::string &message) { host_.abort(message); }

private:
  static double processor_seconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
  }

  // Adds the rank's own work since the last message or work of the executor.
  void settle() {
    const double now = processor_seconds();
    clock_ += (now - begin_) * slowness_;
    begin_ = now;
  }
  void charge(double seconds) {
    const double scaled = seconds * cluster_.work_scale * slowness_;
    clock_ += scaled;
    work_ += scaled;
    begin_ = processor_seconds();
  }

  // A message of all ranks begins when the last one comes.
  template <class Message>
  void meet(const Message &message, double seconds) {
    settle();
    std::vector<double> &row = clocks_.row(messages_++);
    row[rank()] = clock_;
    message();
    clock_ = *std::max_element(row.begin(), row.end()) + seconds;
    begin_ = processor_seconds();
  }

  bool is_far() const { return size() > cluster_.node; }
  double others() const { return size() - 1; }
  // The steps of a tree, within nodes and between them.
  double steps() const {
    const auto near = static_cast<double>(std::min(size(), cluster_.node));
    const double far = std::ceil(static_cast<double>(size()) / cluster_.node);
    return std::ceil(std::log2(near)) * cluster_.near_latency + std::ceil(std::log2(far)) * cluster_.far_latency;
  }
  double seconds_of_exchange(const std::uint64_t *send, const std::uint64_t *receive) const {
    double out[2] = {0, 0}, in[2] = {0, 0};
    bool are_lengths = true;  // which do not grow with the elements
    unsigned partners = 0;
    for (unsigned r = 0; r < size(); ++r) {
      are_lengths = are_lengths && send[r] == sizeof(std::uint64_t) && receive[r] == sizeof(std::uint64_t);
      if (r != rank()) {
        const unsigned far = r / cluster_.node != rank() / cluster_.node ? 1 : 0;
        out[far] += static_cast<double>(send[r]);
        in[far] += static_cast<double>(receive[r]);
        partners += send[r] > 0 || receive[r] > 0 ? 1 : 0;
      }
    }
    const double near = std::max(out[0], in[0]) / cluster_.near_speed, far = std::max(out[1], in[1]) / cluster_.far_speed;
    return (is_far() ? cluster_.far_latency : cluster_.near_latency) + partners * cluster_.message +
           std::max(near, far) * (are_lengths ? 1 : cluster_.weight);
  }

  thread_communicator &host_;
  SimulatedClocks &clocks_;
  const Cluster &cluster_;
  double begin_, clock_ = 0, work_ = 0, slowness_ = 1;
  std::uint64_t messages_ = 0;
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
