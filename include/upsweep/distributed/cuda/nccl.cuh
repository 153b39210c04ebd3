// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ranks that are GPUs of one host or many, over NCCL 2.14 or later: nccl.h of the system, or of PyPI's nvidia-nccl-cu13. Link
// with -lnccl.
//
//     ncclUniqueId id;                                              // of rank 0, and sent to the others
//     nccl_communicator ranks(id, size, rank, stream);              // on the current device; all ranks together
//     nccl_communicator ranks(mpi_ranks, stream);                   // the same, with an id sent over MPI (mpi.h) or threads.h
//     nccl_communicator ranks(comm, stream);                        // of a communicator that the program keeps
//
// An optional last argument is the time limit (communicator.cuh). A rank that is killed or late ends the others at their
// wait(): their communicator of NCCL is aborted, and its memory is freed by its owner's ncclCommDestroy or by this class.
#pragma once

#include <upsweep/common/cpp20.h>
#ifdef UPSWEEP_CPP20
#include <upsweep/distributed/cuda/communicator.cuh>

#include <nccl.h>

#include <cstring>
#include <vector>

namespace upsweep::distributed {

class nccl_communicator : public device_rank {
public:
  nccl_communicator(ncclComm_t comm, cudaStream_t stream, std::chrono::milliseconds time_limit = std::chrono::minutes(10))
      : device_rank(size_of(comm), rank_of(comm), stream, time_limit), comm_(comm) {}
  nccl_communicator(const ncclUniqueId &id, unsigned size, unsigned rank, cudaStream_t stream,
                    std::chrono::milliseconds time_limit = std::chrono::minutes(10))
      : nccl_communicator(connected(id, size, rank), stream, time_limit) {
    is_owner_ = true;
  }
  template <class C>
    requires std::same_as<typename C::memory, host_memory>
  nccl_communicator(C &host, cudaStream_t stream, std::chrono::milliseconds time_limit = std::chrono::minutes(10))
      : nccl_communicator(id_of_first(host), host.size(), host.rank(), stream, time_limit) {}
  ~nccl_communicator() {
    if (is_owner_ && comm_ != nullptr) {
      ncclCommDestroy(comm_);
    }
  }

  void all_gather(const void *from, void *to, std::uint64_t bytes) {
    require(ncclAllGather(from, to, bytes, ncclChar, comm(), stream()), "an all-gather");
  }

  // send[r] bytes from `from` + send_at[r] on go to rank r, and receive[r] bytes from it go to `to` + receive_at[r].
  void all_to_all(const void *from, const std::uint64_t *send_at, const std::uint64_t *send, void *to,
                  const std::uint64_t *receive_at, const std::uint64_t *receive, cudaStream_t on) {
    require(ncclGroupStart(), "an exchange");
    ncclResult_t result = ncclSuccess;
    for (unsigned r = 0; r < size() && result == ncclSuccess; ++r) {
      if (r == rank()) {
        continue;
      }
      if (send[r] > 0) {
        result = ncclSend(static_cast<const char *>(from) + send_at[r], send[r], ncclChar, static_cast<int>(r), comm(), on);
      }
      if (receive[r] > 0 && result == ncclSuccess) {
        result = ncclRecv(static_cast<char *>(to) + receive_at[r], receive[r], ncclChar, static_cast<int>(r), comm(), on);
      }
    }
    const ncclResult_t ended = ncclGroupEnd();
    require(result != ncclSuccess ? result : ended, "an exchange");
    const unsigned own = rank();
    if (send[own] > 0) {
      detail::require_success(cudaMemcpyAsync(static_cast<char *>(to) + receive_at[own],
                                              static_cast<const char *>(from) + send_at[own], send[own],
                                              cudaMemcpyDeviceToDevice, on),
                              "a copy");
    }
  }

  // Through device memory, since NCCL has no messages of the host.
  void host_gather(const void *from, void *to, std::uint64_t bytes) {
    detail::RankMemory memory(*this);
    detail::require_success(memory.allocate(bytes * (size() + 1)), "memory for a message");
    auto *const own = memory.get<char>();
    auto *const room = static_cast<char *>(pinned(bytes * (size() + 1)));
    std::memcpy(room, from, bytes);
    detail::require_success(cudaMemcpyAsync(own, room, bytes, cudaMemcpyHostToDevice, stream()), "a copy");
    all_gather(own, own + bytes, bytes);
    detail::require_success(cudaMemcpyAsync(room + bytes, own + bytes, bytes * size(), cudaMemcpyDeviceToHost, stream()),
                            "a copy");
    finish_stream();
    std::memcpy(to, room + bytes, bytes * size());
  }

  void finish_stream() {
    poll(stream(), [this](bool is_late) {
      ncclResult_t state = ncclSuccess;
      ncclCommGetAsyncError(comm(), &state);
      if (is_late || (state != ncclSuccess && state != ncclInProgress)) {
        abort(is_late ? "another rank has not come within " + limit_text() : ncclGetErrorString(state));
        comm();  // throws
      }
    });
  }
  void barrier() { wait(); }
  void wait() {
    detail::gather_reports(*this);
    finish_stream();
    throw_reported();
  }
  // The other ranks end at their wait(), or when their time is over.
  void abort(const std::string &message) {
    message_ = message;
    if (comm_ != nullptr) {
      ncclCommAbort(comm_);
      comm_ = nullptr;
    }
  }

private:
  static void require(ncclResult_t result, const char *action) {
    if (result != ncclSuccess) {
      throw std::runtime_error(std::string("upsweep::distributed: ") + action + ": " + ncclGetErrorString(result));
    }
  }
  static unsigned size_of(ncclComm_t comm) {
    int size = 0;
    require(ncclCommCount(comm, &size), "a communicator of NCCL");
    return static_cast<unsigned>(size);
  }
  static unsigned rank_of(ncclComm_t comm) {
    int rank = 0;
    require(ncclCommUserRank(comm, &rank), "a communicator of NCCL");
    return static_cast<unsigned>(rank);
  }
  static ncclComm_t connected(const ncclUniqueId &id, unsigned size, unsigned rank) {
    ncclComm_t comm = nullptr;
    require(ncclCommInitRank(&comm, static_cast<int>(size), id, static_cast<int>(rank)), "a communicator of NCCL");
    return comm;
  }
  template <class C>
  static ncclUniqueId id_of_first(C &host) {
    ncclUniqueId id;
    std::memset(&id, 0, sizeof id);
    ncclResult_t result = host.rank() == 0 ? ncclGetUniqueId(&id) : ncclSuccess;
    std::vector<ncclUniqueId> all(host.size());
    host.all_gather(&id, all.data(), sizeof id);
    require(result, "an id of NCCL");
    return all[0];
  }

  ncclComm_t comm() const {
    if (comm_ == nullptr) {
      throw rank_error(rank(), "upsweep::distributed: rank " + std::to_string(rank()) + ": " + message_);
    }
    return comm_;
  }
  ncclComm_t comm_;
  bool is_owner_ = false;
  std::string message_;
};

}  // namespace upsweep::distributed
#endif
