// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ranks that are NVIDIA GPUs. Models: threads of one process (peers.cuh), and NCCL (nccl.cuh), on one host or many. A rank has
// one stream, on which the calls of the headers beside this one are queued:
//
//   size(), rank(), stream()   the number of ranks; this rank, from 0; its stream
//   wait()                     returns when this rank's queued calls are done, and all ranks have come to their wait()
//   barrier()                  the same
//   abort(message)             ends all ranks: their calls that wait, or begin later, throw a rank_error
//
// Errors: calls return before they run, and errors are thrown where the host waits: by wait(), and by calls that need numbers
// on the host (sort.cuh, merge.cuh, place.cuh). They are thrown on all ranks or on none: the failed rank throws a device_error,
// and the others a rank_error with the reason. Results since the last wait() are then undefined, and the communicator remains
// usable. Ranks that make different calls, or one call with other types or options, all throw.
//
// Time: a rank that does not come within the time limit of the communicator (10 minutes by default) ends all. This is found by
// wait() and by kernels, which do not wait longer; a program that waits by cudaStreamSynchronize() instead may wait in vain
// with NCCL.
//
// Memory: a rank has a pool, which keeps what it has allocated; release_memory() returns it. Other GPUs read the calls' arrays,
// so arrays are from cudaMalloc, or from a pool that these GPUs may access.
#pragma once

#include <upsweep/common/cpp20.h>
#ifdef UPSWEEP_CPP20
#include <upsweep/cuda/workspace.cuh>
#include <upsweep/distributed/communicator.h>
#include <upsweep/distributed/cuda/detail/record.cuh>

#include <algorithm>
#include <chrono>
#include <string>
#include <thread>
#include <utility>

namespace upsweep::distributed {

struct device_memory {};

// An error of this rank.
class device_error : public std::runtime_error {
public:
  device_error(cudaError_t code, const std::string &message) : std::runtime_error(message), code_(code) {}
  cudaError_t code() const { return code_; }

private:
  cudaError_t code_;
};

namespace detail {

inline void require_success(cudaError_t error, const char *action) {
  if (error != cudaSuccess) {
    throw device_error(error, std::string("upsweep::distributed: ") + action + ": " + cudaGetErrorString(error));
  }
}

}  // namespace detail

// The part of a communicator that does not depend on the way of messages. A communicator of your own derives from it and has
// the members that `device_communicator` names.
class device_rank {
public:
  using memory = device_memory;

  device_rank(unsigned size, unsigned rank, cudaStream_t stream, std::chrono::milliseconds time_limit)
      : size_(size), rank_(rank), stream_(stream), time_limit_(time_limit) {
    try {
      create();
    } catch (...) {
      destroy();
      throw;
    }
  }
  device_rank(const device_rank &) = delete;
  device_rank &operator=(const device_rank &) = delete;
  ~device_rank() { destroy(); }

  unsigned size() const { return size_; }
  unsigned rank() const { return rank_; }
  int device() const { return device_; }
  cudaStream_t stream() const { return stream_; }
  cudaStream_t side_stream() const { return side_; }  // for exchanges beside the work on stream()
  std::chrono::milliseconds time_limit() const { return time_limit_; }

  // Device memory in the stream's order.
  cudaError_t allocate(void **data, std::size_t bytes) { return cudaMallocFromPoolAsync(data, bytes, pool_, stream_); }
  cudaError_t free(void *data) { return cudaFreeAsync(data, stream_); }
  void release_memory() { cudaMemPoolTrimTo(pool_, 0); }
  // An initialised workspace for the calls of one GPU, except for sorts.
  cudaError_t workspace_of(std::size_t bytes, upsweep::cuda::workspace &space) {
    if (space_.bytes < bytes) {
      if (space_.data != nullptr) {
        cudaFreeAsync(space_.data, stream_);
      }
      space_ = {nullptr, (bytes + bytes / 4 + 255) / 256 * 256};
      const cudaError_t error = allocate(&space_.data, space_.bytes);
      if (error != cudaSuccess) {
        space_ = {};
        return error;
      }
      upsweep::cuda::initialise(space_, stream_);
    }
    space = space_;
    return cudaSuccess;
  }

  // The records of this rank and of all ranks, room for values of kernels (kRoomBytes), and the place of reports.
  static constexpr std::size_t kRoomBytes = 1024;
  detail::Record *own_record() const { return records_; }
  detail::Record *all_records() const { return records_ + 1; }
  unsigned char *room() const { return room_; }
  detail::Status *status() const { return status_; }

  // This rank has failed; the first failure counts.
  void fail(const char *call, cudaError_t error) {
    if (failure_ == cudaSuccess) {
      failure_ = error;
      failed_call_ = call;
    }
  }
  cudaError_t failure() const { return failure_; }
  cudaError_t forget_failure() {
    failed_call_ = "";
    return std::exchange(failure_, cudaSuccess);
  }
  // Memory of the host that copies do not wait for; valid until the next call.
  void *pinned(std::size_t bytes) {
    if (pinned_bytes_ < bytes) {
      cudaFreeHost(pinned_);
      pinned_ = nullptr;
      pinned_bytes_ = 0;
      detail::require_success(cudaHostAlloc(&pinned_, bytes, cudaHostAllocPortable), "memory of the host");
      pinned_bytes_ = bytes;
    }
    return pinned_;
  }

protected:
  // Returns when the stream is done, or throws what check() throws. check() is called from time to time.
  template <class Check>
  void poll(cudaStream_t stream, const Check &check) const {
    using Clock = std::chrono::steady_clock;
    const auto begin = Clock::now();
    for (;;) {
      const cudaError_t state = cudaStreamQuery(stream);
      if (state == cudaSuccess) {
        return;
      }
      if (state != cudaErrorNotReady) {
        detail::require_success(state, "a call over ranks");
      }
      const auto waited = Clock::now() - begin;
      check(time_limit_.count() > 0 && waited > time_limit_);
      if (waited > std::chrono::milliseconds(2)) {
        std::this_thread::sleep_for(std::chrono::microseconds(50));
      }
    }
  }

  // Throws the trouble that kernels have reported, and forgets it.
  void throw_reported() {
    const cudaError_t own = failure_;
    const auto trouble = static_cast<detail::Trouble>(static_cast<std::uint32_t>(status_->trouble));
    const unsigned rank = status_->rank;
    const auto error = static_cast<cudaError_t>(static_cast<std::uint32_t>(status_->error));
    const std::string call = failed_call_;
    failure_ = cudaSuccess;
    failed_call_ = "";
    status_->trouble = 0;
    if (own != cudaSuccess) {
      throw device_error(own, "upsweep::distributed: " + call + ": " + cudaGetErrorString(own));
    }
    const std::string other = "upsweep::distributed: rank " + std::to_string(rank) + ": ";
    switch (trouble) {
    case detail::Trouble::kNone: return;
    case detail::Trouble::kFailed: throw rank_error(rank, other + cudaGetErrorString(error));
    case detail::Trouble::kOtherCall: throw rank_error(rank, other + "it makes another call, or has other types or options");
    case detail::Trouble::kLate: throw rank_error(rank, other + "it has not come within " + limit_text());
    case detail::Trouble::kEnded: throw rank_error(rank, "upsweep::distributed: another rank has ended");
    }
  }
  // Whether a rank was late or has ended, so that later messages would not fit.
  bool is_over() const { return status_->trouble >= static_cast<std::uint32_t>(detail::Trouble::kLate); }
  std::string limit_text() const { return std::to_string(time_limit_.count()) + " ms"; }
  cudaMemPool_t pool() const { return pool_; }

private:
  void create() {
    using detail::require_success;
    require_success(cudaGetDevice(&device_), "the device");
    cudaMemPoolProps properties = {};
    properties.allocType = cudaMemAllocationTypePinned;
    properties.location.type = cudaMemLocationTypeDevice;
    properties.location.id = device_;
    require_success(cudaMemPoolCreate(&pool_, &properties), "a pool of memory");
    std::uint64_t kept = ~std::uint64_t(0);
    require_success(cudaMemPoolSetAttribute(pool_, cudaMemPoolAttrReleaseThreshold, &kept), "a pool of memory");
    // Its kernels send and receive, and must not wait for the blocks of a merge.
    int least = 0, greatest = 0;
    require_success(cudaDeviceGetStreamPriorityRange(&least, &greatest), "a stream");
    require_success(cudaStreamCreateWithPriority(&side_, cudaStreamNonBlocking, greatest), "a stream");
    void *status = nullptr, *records = nullptr, *room = nullptr;
    require_success(cudaHostAlloc(&status, sizeof(detail::Status), cudaHostAllocPortable | cudaHostAllocMapped),
                    "memory of the host");
    status_ = static_cast<detail::Status *>(status);
    std::memset(status, 0, sizeof(detail::Status));
    require_success(cudaMalloc(&records, (size_ + 1) * sizeof(detail::Record)), "memory for records");
    records_ = static_cast<detail::Record *>(records);
    require_success(cudaMalloc(&room, kRoomBytes), "memory for values");
    room_ = static_cast<unsigned char *>(room);
    require_success(cudaMemsetAsync(records_, 0, (size_ + 1) * sizeof(detail::Record), stream_), "memory for records");
  }
  void destroy() {
    if (space_.data != nullptr) {
      cudaFreeAsync(space_.data, stream_);
    }
    if (side_ != nullptr) {
      cudaStreamDestroy(side_);
    }
    if (pool_ != nullptr) {
      cudaMemPoolDestroy(pool_);
    }
    cudaFree(records_);
    cudaFree(room_);
    cudaFreeHost(const_cast<void *>(static_cast<volatile void *>(status_)));
    cudaFreeHost(pinned_);
  }

  unsigned size_, rank_;
  cudaStream_t stream_, side_ = nullptr;
  std::chrono::milliseconds time_limit_;
  int device_ = 0;
  cudaMemPool_t pool_ = nullptr;
  upsweep::cuda::workspace space_;
  detail::Status *status_ = nullptr;
  detail::Record *records_ = nullptr;
  unsigned char *room_ = nullptr;
  void *pinned_ = nullptr;
  std::size_t pinned_bytes_ = 0;
  cudaError_t failure_ = cudaSuccess;
  const char *failed_call_ = "";
};

// The members of a communicator of your own:
//
//   all_gather(from, to, bytes)    `bytes` bytes of each rank, in the order of ranks; device memory, queued on stream()
//   all_to_all(from, send_at, send, to, receive_at, receive, stream)
//                                  send[r] bytes from `from` + send_at[r] on go to rank r, and receive[r] bytes from it go to
//                                  `to` + receive_at[r]. The four arrays are of the host
//   host_gather(from, to, bytes)   memory of the host; waits for all ranks
//   finish_stream()                returns when stream() is done, or throws after the time limit
//   wait(), barrier(), abort()     see above
template <class C>
concept device_communicator =
    std::derived_from<C, device_rank> && requires(C &ranks, const void *from, void *to, const std::uint64_t *numbers,
                                                  std::uint64_t bytes, cudaStream_t stream, const std::string &message) {
      ranks.all_gather(from, to, bytes);
      ranks.all_to_all(from, numbers, numbers, to, numbers, numbers, stream);
      ranks.host_gather(from, to, bytes);
      ranks.finish_stream();
      ranks.barrier();
      ranks.wait();
      ranks.abort(message);
    };

namespace detail {

// Memory of a rank's pool, in the order of its stream.
class RankMemory {
public:
  explicit RankMemory(device_rank &ranks) : ranks_(ranks) {}
  RankMemory(const RankMemory &) = delete;
  RankMemory &operator=(const RankMemory &) = delete;
  ~RankMemory() { free(); }

  cudaError_t allocate(std::size_t bytes) {
    free();
    return bytes > 0 ? ranks_.allocate(&data_, bytes) : cudaSuccess;
  }
  void free() {
    if (data_ != nullptr) {
      ranks_.free(std::exchange(data_, nullptr));
    }
  }
  template <class T>
  T *get(std::size_t at = 0) const {
    return reinterpret_cast<T *>(static_cast<unsigned char *>(data_) + at);
  }

private:
  device_rank &ranks_;
  void *data_ = nullptr;
};

// Gathers the records of all ranks, and runs finish(records) in one thread of the device.
template <class C, class Finish>
cudaError_t gather_then(C &ranks, const Finish &finish) {
  if constexpr (requires { ranks.gather_then(finish); }) {
    return ranks.gather_then(finish);
  } else {
    ranks.all_gather(ranks.own_record(), ranks.all_records(), sizeof(Record));
    return upsweep::cuda::detail::launch(finish_kernel<Finish>, 1, 1, 0, ranks.stream(),
                                         static_cast<const Record *>(ranks.all_records()), finish);
  }
}

// The report of wait(): whether a rank has failed since the last one.
struct OnlyCheck {
  RecordCheck check;
  __device__ void operator()(const Record *all) const { check(all); }
};
template <class C>
void gather_reports(C &ranks) {
  constexpr std::uint64_t kWait = 0x77616974;
  const RecordHeader header{kWait, 0, ranks.failure() != cudaSuccess ? 1U : 0U, static_cast<std::uint32_t>(ranks.failure()),
                            0,     0};
  cudaError_t error = upsweep::cuda::detail::launch(write_header_kernel<>, 1, 1, 0, ranks.stream(), ranks.own_record(), header);
  if (error == cudaSuccess) {
    error = gather_then(ranks, OnlyCheck{{kWait, ranks.size(), ranks.rank(), ranks.status()}});
  }
  if (error != cudaSuccess) {
    ranks.abort(cudaGetErrorString(error));
    require_success(error, "a report");
  }
}

}  // namespace detail

}  // namespace upsweep::distributed
#endif
