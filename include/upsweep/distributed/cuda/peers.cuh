// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ranks that are GPUs of one process, a thread each. GPUs read and write each other's memory, and NCCL is not needed.
//
//     run_gpus(2, [&](peer_communicator &ranks) { inclusive_sum(ranks, in[ranks.rank()], ...); ranks.wait(); });
//
//   run_gpus(n, function)            calls function(ranks) on n threads, and returns when all have returned. Rank r has device
//                                    r % (the number of devices) and a stream of its own
//   run_gpus(n, function, options)   time_limit; devices: the device of each rank; by_mail: whether kernels write to other
//   GPUs'
//                                    memory, by default if all pairs of devices can
//
// Errors and time as in run_ranks (threads.h). Short messages are written by a kernel to the memory of the other GPUs, where
// a kernel of each waits for them: host threads do not wait for each other. Long messages are copied by the receiver, after
// the host threads have met.
//
// The first launch of a kernel loads it, which may wait for kernels that run. Set CUDA_MODULE_LOADING=EAGER in the environment
// if a program has calls that are late at first.
#pragma once

#include <upsweep/common/cpp20.h>
#ifdef UPSWEEP_CPP20
#include <upsweep/distributed/cuda/communicator.cuh>
#include <upsweep/distributed/cuda/detail/mailbox.cuh>
#include <upsweep/distributed/threads.h>

#include <memory>

namespace upsweep::distributed {

struct gpu_options {
  std::chrono::milliseconds time_limit = std::chrono::minutes(10);
  std::vector<int> devices = {};
  bool by_mail = true;
};

namespace detail {

// The state that ranks share, which outlives all of them.
class PeerGroup {
public:
  PeerGroup(unsigned size, const gpu_options &options) : time_limit_(options.time_limit), boxes_(size) {
    try {
      find_devices(size, options);
      by_mail_ = options.by_mail && can_access_all();
      void *ended = nullptr;
      require_success(cudaHostAlloc(&ended, sizeof(std::uint32_t), cudaHostAllocPortable | cudaHostAllocMapped),
                      "memory of the host");
      ended_ = static_cast<volatile std::uint32_t *>(ended);
      *ended_ = 0;
    } catch (...) {
      destroy();
      throw;
    }
  }
  PeerGroup(const PeerGroup &) = delete;
  PeerGroup &operator=(const PeerGroup &) = delete;
  ~PeerGroup() { destroy(); }

  bool by_mail() const { return by_mail_; }
  int device(unsigned rank) const { return devices_[rank]; }
  std::chrono::milliseconds time_limit() const { return time_limit_; }
  volatile std::uint32_t *ended() const { return ended_; }
  Mailbox *const *boxes() const { return boxes_.data(); }
  // Called by each rank for itself, on its device. Boxes are freed when no rank runs.
  void make_box(unsigned rank, cudaStream_t stream) {
    void *box = nullptr;
    require_success(cudaMalloc(&box, Mailbox::bytes(static_cast<unsigned>(boxes_.size()))), "a mailbox");
    boxes_[rank] = static_cast<Mailbox *>(box);
    require_success(cudaMemsetAsync(box, 0, Mailbox::bytes(static_cast<unsigned>(boxes_.size())), stream), "a mailbox");
  }

private:
  void find_devices(unsigned size, const gpu_options &options) {
    int number = 0;
    require_success(cudaGetDeviceCount(&number), "the devices");
    if (!options.devices.empty() && options.devices.size() != size) {
      throw std::invalid_argument("upsweep::distributed: run_gpus has " + std::to_string(size) + " ranks, but " +
                                  std::to_string(options.devices.size()) + " devices are given");
    }
    for (unsigned r = 0; r < size; ++r) {
      devices_.push_back(options.devices.empty() ? static_cast<int>(r) % number : options.devices[r]);
    }
  }
  bool can_access_all() const {
    for (const int a : devices_) {
      for (const int b : devices_) {
        int can = 0;
        if (a != b && (cudaDeviceCanAccessPeer(&can, a, b) != cudaSuccess || can == 0)) {
          return false;
        }
      }
    }
    return true;
  }
  void destroy() {
    for (Mailbox *box : boxes_) {
      cudaFree(box);
    }
    cudaFreeHost(const_cast<std::uint32_t *>(ended_));
  }

  std::chrono::milliseconds time_limit_;
  std::vector<int> devices_;
  std::vector<Mailbox *> boxes_;
  volatile std::uint32_t *ended_ = nullptr;
  bool by_mail_ = false;
};

}  // namespace detail

// A rank of run_gpus(). Only the rank's own thread uses its communicator.
class peer_communicator : public device_rank {
public:
  peer_communicator(detail::PeerGroup &group, thread_communicator &host, cudaStream_t stream)
      : device_rank(host.size(), host.rank(), stream, group.time_limit()), group_(group), host_(host) {
    detail::require_success(cudaEventCreateWithFlags(&ready_, cudaEventDisableTiming), "an event");
    detail::require_success(cudaEventCreateWithFlags(&done_, cudaEventDisableTiming), "an event");
    open_memory();
    group_.make_box(rank(), stream);
    host_.barrier();
    void *boxes = nullptr;
    detail::require_success(allocate(&boxes, size() * sizeof(detail::Mailbox *)), "a mailbox");
    boxes_ = static_cast<detail::Mailbox **>(boxes);
    detail::require_success(
        cudaMemcpyAsync(boxes, group_.boxes(), size() * sizeof(detail::Mailbox *), cudaMemcpyHostToDevice, stream),
        "a mailbox");
    detail::require_success(cudaStreamSynchronize(stream), "a mailbox");
    host_.barrier();
  }
  ~peer_communicator() {
    cudaStreamSynchronize(stream());
    cudaFreeAsync(boxes_, stream());
    cudaStreamSynchronize(stream());
    cudaEventDestroy(ready_);
    cudaEventDestroy(done_);
  }

  // The same ranks for values in memory of the host.
  thread_communicator &host() const { return host_; }
  template <class Finish>
  cudaError_t gather_then(const Finish &finish) {
    if (!group_.by_mail()) {
      all_gather(own_record(), all_records(), sizeof(detail::Record));
      return upsweep::cuda::detail::launch(detail::finish_kernel<Finish>, 1, 1, 0, stream(),
                                           static_cast<const detail::Record *>(all_records()), finish);
    }
    const auto limit = static_cast<std::uint64_t>(std::chrono::nanoseconds(time_limit()).count());
    const detail::Mail mail{own_record(),   boxes_,  rank(), size(), ++letters_, limit == 0 ? ~std::uint64_t(0) : limit,
                            group_.ended(), status()};
    return upsweep::cuda::detail::launch(detail::mail_kernel<Finish>, 1, detail::kMailThreads, 0, stream(), mail, finish);
  }

  void all_gather(const void *from, void *to, std::uint64_t bytes) {
    exchange({from, nullptr, nullptr}, stream(), [&](unsigned other, const Sent &sent) {
      copy(other, static_cast<char *>(to) + other * bytes, sent.from, bytes, stream());
    });
  }

  // send[r] bytes from `from` + send_at[r] on go to rank r, and receive[r] bytes from it go to `to` + receive_at[r]. The four
  // arrays are in memory of the host.
  void all_to_all(const void *from, const std::uint64_t *send_at, const std::uint64_t *send, void *to,
                  const std::uint64_t *receive_at, const std::uint64_t *receive, cudaStream_t on) {
    exchange({from, send_at, send}, on, [&](unsigned other, const Sent &sent) {
      if (sent.bytes[rank()] != receive[other]) {
        throw std::logic_error("upsweep::distributed: the lengths of an exchange differ");
      }
      copy(other, static_cast<char *>(to) + receive_at[other], static_cast<const char *>(sent.from) + sent.at[rank()],
           receive[other], on);
    });
  }

  void host_gather(const void *from, void *to, std::uint64_t bytes) { host_.all_gather(from, to, bytes); }

  void finish_stream() {
    poll(stream(), [](bool) {});  // kernels end by themselves
  }
  void barrier() { wait(); }
  void wait() {
    detail::gather_reports(*this);
    finish_stream();
    if (is_over()) {
      abort("it has not come within " + limit_text());
    }
    throw_reported();
  }
  void abort(const std::string &message) {
    *group_.ended() = 1;
    host_.abort(message);
  }

private:
  struct Sent {
    const void *from;
    const std::uint64_t *at, *bytes;
  };

  // Lets the other devices read this rank's pool.
  void open_memory() {
    std::vector<cudaMemAccessDesc> access;
    for (unsigned r = 0; r < size(); ++r) {
      const int other = group_.device(r);
      int can = 0;
      if (other != device() && cudaDeviceCanAccessPeer(&can, device(), other) == cudaSuccess && can != 0) {
        const cudaError_t enabled = cudaDeviceEnablePeerAccess(other, 0);
        if (enabled == cudaErrorPeerAccessAlreadyEnabled) {
          cudaGetLastError();
        } else {
          detail::require_success(enabled, "access to another device");
        }
        cudaMemAccessDesc desc = {};
        desc.location.type = cudaMemLocationTypeDevice;
        desc.location.id = other;
        desc.flags = cudaMemAccessFlagsProtReadWrite;
        access.push_back(desc);
      }
    }
    if (!access.empty()) {
      detail::require_success(cudaMemPoolSetAccess(pool(), access.data(), access.size()), "access to a pool");
    }
  }

  template <class Copy>
  void exchange(const Sent &sent, cudaStream_t on, const Copy &copy_from) {
    struct Shown {
      Sent sent;
      cudaEvent_t ready, done;
    };
    detail::require_success(cudaEventRecord(ready_, on), "an event");
    const Shown shown{sent, ready_, done_};
    std::vector<Shown> all(size());
    host_.all_gather(&shown, all.data(), sizeof(Shown));
    for (unsigned i = 0; i < size(); ++i) {
      const unsigned r = (rank() + i) % size();  // each rank is read by one other at a time
      detail::require_success(cudaStreamWaitEvent(on, all[r].ready, 0), "an event");
      copy_from(r, all[r].sent);
    }
    detail::require_success(cudaEventRecord(done_, on), "an event");
    host_.barrier();
    for (unsigned r = 0; r < size(); ++r) {
      detail::require_success(cudaStreamWaitEvent(on, all[r].done, 0), "an event");
    }
  }
  void copy(unsigned other, void *to, const void *from, std::uint64_t bytes, cudaStream_t on) const {
    if (bytes > 0) {
      detail::require_success(cudaMemcpyPeerAsync(to, device(), from, group_.device(other), bytes, on), "a copy");
    }
  }

  detail::PeerGroup &group_;
  thread_communicator &host_;
  cudaEvent_t ready_ = nullptr, done_ = nullptr;
  detail::Mailbox **boxes_ = nullptr;
  std::uint32_t letters_ = 0;
};

template <class Function>
void run_gpus(unsigned n, const Function &function, const gpu_options &options = {}) {
  if (n == 0) {
    throw std::invalid_argument("upsweep::distributed: run_gpus needs at least one rank");
  }
  detail::PeerGroup group(n, options);
  run_ranks(
      n,
      [&](thread_communicator &host) {
        detail::require_success(cudaSetDevice(group.device(host.rank())), "a device");
        cudaStream_t stream = nullptr;
        detail::require_success(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "a stream");
        try {
          peer_communicator ranks(group, host, stream);
          try {
            function(ranks);
          } catch (...) {
            *group.ended() = 1;  // kernels that wait for this rank end
            throw;
          }
        } catch (...) {
          cudaStreamDestroy(stream);
          throw;
        }
        cudaStreamDestroy(stream);
      },
      options.time_limit);
}

}  // namespace upsweep::distributed
#endif
