// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A communicator connects a rank to the other ranks of a call. Threads of one process (threads.h) and
// processes of MPI (mpi.h) are models, and so is a class of your own with these members:
//
//   using memory = host_memory              the memory of the pointers below
//   unsigned size(), rank()                 the number of ranks; this rank, from 0
//   void all_gather(from, to, bytes)        `bytes` bytes of each rank, in the order of ranks, to size() * bytes bytes
//   void all_to_all(from, send, to, receive)  send[r] bytes go to rank r, and receive[r] bytes come from it; both arrays are in
//                                           the order of ranks without gaps. The lengths are arrays of the host
//   void send(rank, from, bytes)            a message, which may wait for its receive(); messages of two ranks keep their order
//   void receive(rank, to, bytes)           the message must have exactly this length
//   void barrier()
//   void abort(message)                     ends all ranks: their calls that wait, or begin later, throw a rank_error
//
// A model throws rank_error if a rank has aborted or ended, and if a rank does not come within the model's time limit. All
// ranks call the same members in the same order. A model for devices queues these members on its stream, and names the device's
// memory; the calls of this folder take host_memory alone.
//
// Errors of calls: a call throws on all ranks or on none. The rank with the error throws its own exception, and the others
// throw a rank_error with its message; the communicator remains usable. A call also throws on all ranks if they make different
// calls, or the same call with other types or options.
#pragma once

#include <upsweep/common/cpp20.h>
#ifdef UPSWEEP_CPP20
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

namespace upsweep::distributed {

struct host_memory {};

// The error of another rank.
class rank_error : public std::runtime_error {
public:
  rank_error(unsigned rank, const std::string &message) : std::runtime_error(message), rank_(rank) {}
  unsigned rank() const { return rank_; }

private:
  unsigned rank_;
};

template <class C>
concept communicator = requires(C &ranks, const void *from, void *to, const std::uint64_t *bytes, std::uint64_t length,
                                unsigned rank, const std::string &message) {
  typename C::memory;
  { ranks.size() } -> std::convertible_to<unsigned>;
  { ranks.rank() } -> std::convertible_to<unsigned>;
  ranks.all_gather(from, to, length);
  ranks.all_to_all(from, bytes, to, bytes);
  ranks.send(rank, from, length);
  ranks.receive(rank, to, length);
  ranks.barrier();
  ranks.abort(message);
};

}  // namespace upsweep::distributed
#endif
