// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ranks that are processes of MPI 3.0 or later. The program initialises MPI, and includes this header only if it has mpi.h.
//
//     MPI_Init(nullptr, nullptr);
//     mpi_communicator ranks;                                          // of MPI_COMM_WORLD
//     run_rank(ranks, [&] { inclusive_sum(ranks, in, out, n); });
//
//   mpi_communicator(comm, time_limit)  the ranks of `comm`, which it duplicates: all ranks construct it together. A rank waits
//                                       for the others for 10 minutes by default; 0 means no limit. Destroy it before
//                                       MPI_Finalize
//   run_rank(ranks, function)           calls function(). An exception ends the other ranks with its message, and is thrown on
//
// Only the thread that calls the library calls MPI (MPI_THREAD_FUNNELED). Waiting ranks poll for the end of another rank, which
// abort() sends to all. After that MPI_Finalize works as usual, and MPI_Abort is not needed; if a process is killed, mpirun
// ends the others. MPI cannot cancel an exchange, so the arrays of a call must stay until MPI_Finalize after a rank_error from
// abort() or the time limit; an error of a call is no such case.
#pragma once

#include <upsweep/common/cpp20.h>
#ifdef UPSWEEP_CPP20
#include <upsweep/distributed/communicator.h>

// The C++ bindings, which MPI 3.0 has removed, are another library.
#ifndef OMPI_SKIP_MPICXX
#define OMPI_SKIP_MPICXX 1
#endif
#ifndef MPICH_SKIP_MPICXX
#define MPICH_SKIP_MPICXX 1
#endif
#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <optional>
#include <thread>
#include <vector>

namespace upsweep::distributed {

class mpi_communicator {
public:
  using memory = host_memory;

  explicit mpi_communicator(MPI_Comm comm = MPI_COMM_WORLD, std::chrono::milliseconds time_limit = std::chrono::minutes(10))
      : time_limit_(time_limit) {
    for (MPI_Comm *own : {&data_, &alarm_}) {
      check(MPI_Comm_dup(comm, own));
      check(MPI_Comm_set_errhandler(*own, MPI_ERRORS_RETURN));
    }
    int size = 0, rank = 0;
    check(MPI_Comm_size(data_, &size));
    check(MPI_Comm_rank(data_, &rank));
    size_ = static_cast<unsigned>(size);
    rank_ = static_cast<unsigned>(rank);
  }
  mpi_communicator(const mpi_communicator &) = delete;
  mpi_communicator &operator=(const mpi_communicator &) = delete;
  ~mpi_communicator() {
    if (over_) {
      new std::vector<std::byte>(std::move(room_));  // MPI may still write to it
      return;
    }
    int is_over = 0;
    if (MPI_Finalized(&is_over) == MPI_SUCCESS && is_over == 0) {
      MPI_Comm_free(&data_);
      MPI_Comm_free(&alarm_);
    }
  }

  unsigned size() const { return size_; }
  unsigned rank() const { return rank_; }

  void all_gather(const void *from, void *to, std::uint64_t bytes) {
    throw_if_over();
    for (std::uint64_t at = 0; at < bytes; at += kPiece) {
      const std::uint64_t some = std::min(kPiece, bytes - at);
      or_abort([&] { room_.resize(std::max<std::size_t>(room_.size(), some * (size_ + 1))); });
      std::byte *const all = room_.data() + some;
      std::memcpy(room_.data(), static_cast<const std::byte *>(from) + at, some);
      MPI_Request request = MPI_REQUEST_NULL;
      check(MPI_Iallgather(room_.data(), static_cast<int>(some), MPI_BYTE, all, static_cast<int>(some), MPI_BYTE, data_,
                           &request));
      wait(&request, 1);
      for (unsigned r = 0; r < size_; ++r) {
        std::memcpy(static_cast<std::byte *>(to) + r * bytes + at, all + r * some, some);
      }
    }
  }

  void all_to_all(const void *from, const std::uint64_t *send, void *to, const std::uint64_t *receive) {
    throw_if_over();
    std::vector<MPI_Request> requests;
    or_abort([&] { requests.reserve(pieces(send) + pieces(receive)); });
    auto *in = static_cast<std::byte *>(to);
    const std::byte *own_in = nullptr;
    for (unsigned r = 0; r < size_; in += receive[r++]) {
      if (r == rank_) {
        own_in = in;
      } else {
        each_piece(receive[r], [&](std::uint64_t at, int some) {
          requests.push_back(MPI_REQUEST_NULL);
          check(MPI_Irecv(in + at, some, MPI_BYTE, static_cast<int>(r), kExchange, data_, &requests.back()));
        });
      }
    }
    auto *out = static_cast<const std::byte *>(from);
    for (unsigned r = 0; r < size_; out += send[r++]) {
      if (r == rank_ && send[r] > 0) {
        std::memcpy(const_cast<std::byte *>(own_in), out, std::min(send[r], receive[r]));
      } else if (r != rank_) {
        each_piece(send[r], [&](std::uint64_t at, int some) {
          requests.push_back(MPI_REQUEST_NULL);
          check(MPI_Isend(out + at, some, MPI_BYTE, static_cast<int>(r), kExchange, data_, &requests.back()));
        });
      }
    }
    wait(requests.data(), static_cast<int>(requests.size()));
  }

  void send(unsigned rank, const void *from, std::uint64_t bytes) {
    throw_if_over();
    each_message(bytes, [&](std::uint64_t at, int some) {
      MPI_Request request = MPI_REQUEST_NULL;
      check(MPI_Isend(static_cast<const std::byte *>(from) + at, some, MPI_BYTE, static_cast<int>(rank), kMessage, data_,
                      &request));
      wait(&request, 1);
    });
  }
  void receive(unsigned rank, void *to, std::uint64_t bytes) {
    throw_if_over();
    each_message(bytes, [&](std::uint64_t at, int some) {
      MPI_Request request = MPI_REQUEST_NULL;
      MPI_Status status;
      check(MPI_Irecv(static_cast<std::byte *>(to) + at, some, MPI_BYTE, static_cast<int>(rank), kMessage, data_, &request));
      wait(&request, 1, &status);
      int received = 0;
      check(MPI_Get_count(&status, MPI_BYTE, &received));
      if (received != some) {
        fail("it does not expect the number of bytes that another rank sends");
      }
    });
  }

  void barrier() {
    throw_if_over();
    MPI_Request request = MPI_REQUEST_NULL;
    check(MPI_Ibarrier(data_, &request));
    wait(&request, 1);
  }

  void abort(const std::string &message) {
    if (over_) {
      return;
    }
    over_ = error_of(rank_, message);
    // The text stays until the process ends, since a rank that is far behind reads it late.
    auto *text = new std::string(message.substr(0, kMostText));
    std::vector<MPI_Request> requests(size_, MPI_REQUEST_NULL);
    for (unsigned r = 0; r < size_; ++r) {
      if (r != rank_) {
        MPI_Isend(text->data(), static_cast<int>(text->size()), MPI_CHAR, static_cast<int>(r), kAlarm, alarm_, &requests[r]);
      }
    }
    int is_done = 0;
    for (int i = 0; i < 1000 && is_done == 0; ++i) {
      MPI_Testall(static_cast<int>(size_), requests.data(), &is_done, MPI_STATUSES_IGNORE);
      if (is_done == 0) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
    }
  }

private:
  static constexpr int kExchange = 0, kMessage = 1, kAlarm = 2;
  static constexpr std::uint64_t kPiece = std::uint64_t(1) << 20;      // of a gathered array
  static constexpr std::uint64_t kMostBytes = std::uint64_t(1) << 30;  // of a message; MPI counts in ints
  static constexpr std::size_t kMostText = 1000;

  rank_error error_of(unsigned rank, const std::string &message) const {
    return {rank, "upsweep::distributed: rank " + std::to_string(rank) + ": " + message};
  }
  void throw_if_over() const {
    if (over_) {
      throw rank_error(*over_);
    }
  }
  [[noreturn]] void fail(const std::string &message) {
    abort(message);
    throw rank_error(*over_);
  }
  void check(int status) {
    if (status != MPI_SUCCESS) {
      char text[MPI_MAX_ERROR_STRING] = "";
      int length = 0;
      MPI_Error_string(status, text, &length);
      fail(std::string("MPI: ") + text);
    }
  }
  template <class Action>
  void or_abort(const Action &action) {
    try {
      action();
    } catch (const std::exception &error) {
      abort(error.what());
      throw;
    }
  }

  std::size_t pieces(const std::uint64_t *bytes) const {
    std::size_t all = 0;
    for (unsigned r = 0; r < size_; ++r) {
      all += static_cast<std::size_t>((bytes[r] + kMostBytes - 1) / kMostBytes);
    }
    return all;
  }
  template <class Visit>
  static void each_piece(std::uint64_t bytes, const Visit &visit) {
    for (std::uint64_t at = 0; at < bytes; at += kMostBytes) {
      visit(at, static_cast<int>(std::min(kMostBytes, bytes - at)));
    }
  }
  // A message of no bytes is one, too.
  template <class Visit>
  static void each_message(std::uint64_t bytes, const Visit &visit) {
    if (bytes == 0) {
      visit(0, 0);
    }
    each_piece(bytes, visit);
  }

  void wait(MPI_Request *requests, int count, MPI_Status *statuses = MPI_STATUSES_IGNORE) {
    constexpr unsigned kBusy = 200;  // rounds, some microseconds
    const auto begin = std::chrono::steady_clock::now();
    for (unsigned round = 0;; ++round) {
      int is_done = 0;
      check(MPI_Testall(count, requests, &is_done, statuses));
      if (is_done != 0) {
        return;
      }
      if (round < kBusy) {
        continue;
      }
      listen();
      const auto waited = std::chrono::steady_clock::now() - begin;
      if (time_limit_.count() > 0 && waited > time_limit_) {
        fail("it has waited for the other ranks for " + std::to_string(time_limit_.count()) + " ms");
      }
      // Other ranks may need this processor.
      if (waited > std::chrono::milliseconds(2)) {
        std::this_thread::sleep_for(std::chrono::microseconds(50));
      } else {
        std::this_thread::yield();
      }
    }
  }

  // Ends this rank if another one has aborted.
  void listen() {
    int has_message = 0;
    MPI_Status status;
    check(MPI_Iprobe(MPI_ANY_SOURCE, kAlarm, alarm_, &has_message, &status));
    if (has_message != 0) {
      char text[kMostText + 1] = "";
      MPI_Recv(text, static_cast<int>(kMostText), MPI_CHAR, status.MPI_SOURCE, kAlarm, alarm_, MPI_STATUS_IGNORE);
      over_ = error_of(static_cast<unsigned>(status.MPI_SOURCE), text);
      throw rank_error(*over_);
    }
  }

  MPI_Comm data_ = MPI_COMM_NULL, alarm_ = MPI_COMM_NULL;
  unsigned size_ = 0, rank_ = 0;
  std::chrono::milliseconds time_limit_;
  std::vector<std::byte> room_;
  std::optional<rank_error> over_;
};

template <class Function>
void run_rank(mpi_communicator &ranks, const Function &function) {
  try {
    function();
  } catch (const std::exception &error) {
    ranks.abort(error.what());
    throw;
  } catch (...) {
    ranks.abort("an exception that is no std::exception");
    throw;
  }
}

}  // namespace upsweep::distributed
#endif
