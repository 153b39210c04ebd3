// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rungs on CPU threads: the rungs of examples/cpu/ladder, the standard library's scan, and the library's.
#include "bench/textbooks/machine.h"
#include "cpu/ladder/ladder.h"

#include <upsweep/cpu/axis.h>
#include <upsweep/cpu/scan.h>
#include <upsweep/cpu/select.h>
#include <upsweep/cpu/sort.h>
#include <upsweep/cpu/summed_area.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <numeric>

namespace upsweep::cli::textbooks {
namespace {

static_assert(ladder::kChunk == kChunk);

// As Linux names it.
std::string processor() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("model name") && line.find(": ") != std::string::npos) return line.substr(line.find(": ") + 2);
  return "a processor";
}

class Threads : public Machine {
public:
  explicit Threads(const Inputs &inputs)
      : inputs_(inputs), out_(inputs.result_bytes() / sizeof(uint32_t)), copied_(inputs.floats.size()) {}

  std::string name() const override { return fmt::format("{} threads of {}", pool_.concurrency(), processor()); }
  std::vector<Rung> rungs() override;
  Result<void> copy(size_t bytes) override {
    constexpr size_t kPiece = size_t{1} << 18;
    const auto *from = reinterpret_cast<const std::byte *>(inputs_.floats.data());
    auto *to = reinterpret_cast<std::byte *>(copied_.data());
    ladder::for_all(pool_, (bytes + kPiece - 1) / kPiece, [&](size_t piece) {
      std::memcpy(to + piece * kPiece, from + piece * kPiece, std::min(kPiece, bytes - piece * kPiece));
    });
    return {};
  }
  Result<void> wait() override { return {}; }
  Result<const void *> result(size_t) override { return out_.data(); }
  Result<size_t> kept() override { return kept_; }
  Result<void> poison(size_t bytes) override {
    std::memset(out_.data(), 0xA5, bytes);
    return {};
  }

private:
  // `work` takes the input of floats, the output and n.
  template <class Work>
  void add(std::vector<Rung> &to, Figure figure, std::string name, Work work, size_t most = SIZE_MAX) {
    to.push_back({figure, std::move(name), most, [this, work](size_t n) -> Result<void> {
                    work(inputs_.floats.data(), reinterpret_cast<float *>(out_.data()), n);
                    return {};
                  }});
  }
  // A scan of each chunk, on all threads, and of one chunk on one.
  template <class Scan>
  void add_chunks(std::vector<Rung> &to, const std::string &name, Scan scan) {
    add(to, Figure::kChunks, name,
        [this, scan](auto *in, auto *out, size_t n) { ladder::each_chunk(pool_, in, out, n, scan); });
    add(to, Figure::kBlock, name, [scan](auto *in, auto *out, size_t n) {
      for (unsigned repeat = 0; repeat < kBlockRepeats; ++repeat) {
        scan(in, out, n);
        asm volatile("" : : "r"(out) : "memory");  // each result counts as read
      }
    });
  }
  void add_scans(std::vector<Rung> &to);
  void add_applications(std::vector<Rung> &to);

  const Inputs &inputs_;
  std::vector<uint32_t> out_;
  std::vector<float> copied_;
  size_t kept_ = 0;
  cpu::thread_pool &pool_ = cpu::default_pool();
};

void Threads::add_scans(std::vector<Rung> &to) {
  add(to, Figure::kScan, "sequential, one thread", [](auto *in, auto *out, size_t n) { ladder::sequential(in, out, n); });
  add(to, Figure::kScan, "std::exclusive_scan",
      [](auto *in, auto *out, size_t n) { std::exclusive_scan(in, in + n, out, 0.F); });
  add(to, Figure::kScan, "block sums, uniform add",
      [this](auto *in, auto *out, size_t n) { ladder::uniform_add(pool_, in, out, n); });
  add(to, Figure::kScan, "reduce, then scan",
      [this](auto *in, auto *out, size_t n) { ladder::reduce_then_scan(pool_, in, out, n); });
  add(to, Figure::kScan, "library", [this](auto *in, auto *out, size_t n) { cpu::exclusive_sum(in, out, n, pool_); });
  add_chunks(to, "sequential", [](auto *in, auto *out, size_t n) { ladder::sequential(in, out, n); });
  add_chunks(to, "naive, in place", ladder::hillis_steele_in_place<float>);
  add_chunks(to, "naive, two buffers", ladder::hillis_steele<float>);
  add_chunks(to, "work-efficient", ladder::blelloch<float>);
  add_chunks(to, "hybrid, 1 reduce step", ladder::hybrid<1, float>);
  add_chunks(to, "hybrid, 3 reduce steps", ladder::hybrid<3, float>);
  add_chunks(to, "hybrid, 5 reduce steps", ladder::hybrid<5, float>);
  add(to, Figure::kChunks, "library", [this](auto *in, auto *out, size_t n) {
    cpu::exclusive_sum_of_axis(in, out, cpu::axis{n / kChunk, kChunk, 1, {}, {}}, pool_);
  });
}

void Threads::add_applications(std::vector<Rung> &to) {
  const auto is_kept = [](uint32_t key) { return key >> 31 != 0; };
  add(to, Figure::kCompaction, "std::copy_if, one thread", [this, is_kept](auto *, auto *, size_t n) {
    const uint32_t *keys = inputs_.keys.data();
    kept_ = static_cast<size_t>(std::copy_if(keys, keys + n, out_.data(), is_kept) - out_.data());
  });
  add(to, Figure::kCompaction, "library", [this, is_kept](auto *, auto *, size_t n) {
    cpu::select_if(inputs_.keys.data(), out_.data(), &kept_, n, is_kept, pool_);
  });
  add(
      to, Figure::kSort, "std::sort, one thread",
      [this](auto *, auto *, size_t n) {
        std::copy_n(inputs_.keys.data(), n, out_.data());
        std::sort(out_.data(), out_.data() + n);
      },
      size_t{1} << 22);
  add(to, Figure::kSort, "library",
      [this](auto *, auto *, size_t n) { cpu::sort_keys(inputs_.keys.data(), out_.data(), n, pool_); });
  add(to, Figure::kTable, "loop, one thread", [this](auto *, auto *, size_t n) {
    const size_t side = static_cast<size_t>(std::lround(std::sqrt(n))), row = side * kChannels;
    for (size_t y = 0; y < side; ++y) {
      uint32_t left[kChannels] = {};
      for (size_t i = 0; i < row; ++i) {
        left[i % kChannels] += inputs_.picture[y * row + i];
        out_[y * row + i] = left[i % kChannels] + (y > 0 ? out_[(y - 1) * row + i] : 0);
      }
    }
  });
  add(to, Figure::kTable, "library", [this](auto *, auto *, size_t n) {
    const auto side = static_cast<size_t>(std::lround(std::sqrt(n)));
    cpu::summed_area_table(inputs_.picture.data(), out_.data(), cpu::image_shape{side, side, kChannels}, pool_);
  });
}

std::vector<Rung> Threads::rungs() {
  std::vector<Rung> all;
  add_scans(all);
  add_applications(all);
  return all;
}

}  // namespace

Rung sequential_on_host(const Inputs &inputs, std::vector<float> &out) {
  return {Figure::kScan, "sequential, one thread of the host", SIZE_MAX, [&](size_t n) -> Result<void> {
            ladder::sequential(inputs.floats.data(), out.data(), n);
            return {};
          }};
}

std::unique_ptr<Machine> threads_machine(const Inputs &inputs) { return std::make_unique<Threads>(inputs); }

}  // namespace upsweep::cli::textbooks
