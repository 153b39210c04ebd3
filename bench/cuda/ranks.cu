// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scans, selections and sorts over GPUs of one process, by peer copies and by NCCL, beside one GPU. Rows of JSON.
//
//     bench_cuda_ranks [GPUS [LOG2_N [ROUNDS [BY_MAIL [SMALL]]]]]   2^LOG2_N elements of each GPU; SMALL: only short arrays
#include "ranks.h"

namespace upsweep::bench {

namespace {

// The speed of both GPUs' own copies, which bounds are measured by, and of a copy between them in both directions.
void copy_rows(const RankSetting &setting) {
  const std::uint64_t bytes = setting.n * 4;
  RankArray<char> from(bytes), to(bytes);
  rank_row(setting, "copy", "bytes", setting.n, 2.0 * static_cast<double>(bytes),
           {{"one", true,
             [&] { require(cudaMemcpyAsync(to.data(), from.data(), bytes, cudaMemcpyDeviceToDevice, setting.stream())); }},
            {"all", false,
             [&] { require(cudaMemcpyAsync(to.data(), from.data(), bytes, cudaMemcpyDeviceToDevice, setting.stream())); }}});
  const unsigned size = setting.peers.size(), next = (setting.rank() + 1) % size;
  const unsigned before = (setting.rank() + size - 1) % size;
  std::vector<std::uint64_t> at(size), send(size), receive(size);
  send[next] = bytes;
  receive[before] = bytes;
  rank_row(
      setting, "exchange", "bytes", setting.n, static_cast<double>(bytes),
      {{"peers", false,
        [&] {
          setting.peers.all_to_all(from.data(), at.data(), send.data(), to.data(), at.data(), receive.data(), setting.stream());
        }},
       {"nccl", false, [&] {
          setting.nccl.all_to_all(from.data(), at.data(), send.data(), to.data(), at.data(), receive.data(), setting.stream());
        }}});
}

void run(unsigned gpus, unsigned log2_n, int rounds, bool by_mail, bool is_small) {
  distributed::gpu_options options;
  options.by_mail = by_mail;
  options.time_limit = std::chrono::seconds(60);
  distributed::run_gpus(
      gpus,
      [&](peer_communicator &peers) {
        nccl_communicator nccl(peers.host(), peers.stream(), std::chrono::seconds(60));
        const RankSetting setting{peers, nccl, std::uint64_t(1) << log2_n, rounds};
        small_rows(setting);
        if (is_small) {
          return;
        }
        copy_rows(setting);
        scan_rows(setting);
        segment_rows(setting);
        selection_rows(setting);
        sort_rows(setting);
        pair_rows(setting);
      },
      options);
}

}  // namespace

}  // namespace upsweep::bench

int main(int argc, char **argv) {
  const auto argument = [&](int i, int otherwise) { return argc > i ? std::atoi(argv[i]) : otherwise; };
  int devices = 0;
  upsweep::bench::require(cudaGetDeviceCount(&devices));
  try {
    upsweep::bench::run(static_cast<unsigned>(argument(1, devices)), static_cast<unsigned>(argument(2, 28)), argument(3, 5),
                        argument(4, 1) != 0, argument(5, 0) != 0);
  } catch (const std::exception &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
