// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rungs that `upsweep bench` measures, on threads or on an OpenCL device. Each rung is a way to do a task of the documents.
#ifndef UPSWEEP_BENCH_TEXTBOOKS_MACHINE_H
#define UPSWEEP_BENCH_TEXTBOOKS_MACHINE_H

#include "cli/opencl.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace upsweep::cli::textbooks {

enum class Figure { kScan, kChunks, kBlock, kCompaction, kSort, kTable };
constexpr size_t kFigures = 6;

constexpr size_t kChunk = 1024;          // elements of a chunk that is scanned by itself, as the article has them
constexpr unsigned kBlockRepeats = 200;  // scans of one chunk in a row, so that a launch does not count
constexpr size_t kChannels = 3;          // of the picture of summed-area tables: RGB8

// Inputs on the host. The floats are -1, 0 and 1, so that all their sums are exact in every order.
struct Inputs {
  explicit Inputs(size_t most_elements, size_t most_pixels);
  std::vector<float> floats;
  std::vector<uint32_t> keys;
  std::vector<uint8_t> picture;

  [[nodiscard]] size_t result_bytes() const;
};

struct Rung {
  Figure figure{};
  std::string name;
  size_t most = SIZE_MAX;  // elements: more would take too long
  // Starts a run on n elements; for Figure::kTable a square picture of n pixels.
  std::function<Result<void>(size_t n)> start;
};

class Machine {
public:
  Machine() = default;
  Machine(const Machine &) = delete;
  Machine &operator=(const Machine &) = delete;
  virtual ~Machine() = default;

  [[nodiscard]] virtual std::string name() const = 0;
  [[nodiscard]] virtual std::vector<Rung> rungs() = 0;
  // Starts a copy of `bytes` bytes.
  virtual Result<void> copy(size_t bytes) = 0;
  virtual Result<void> wait() = 0;
  // The first bytes of the last result, and the number of elements that a compaction has kept.
  virtual Result<const void *> result(size_t bytes) = 0;
  virtual Result<size_t> kept() = 0;
  // Overwrites the results with bytes that no result has, so that the check detects results that a rung does not write.
  virtual Result<void> poison(size_t bytes) = 0;
};

// A host's loop, which both kinds of machines show beside their own rungs.
Rung sequential_on_host(const Inputs &inputs, std::vector<float> &out);

std::unique_ptr<Machine> threads_machine(const Inputs &inputs);
Result<std::unique_ptr<Machine>> device_machine(const Inputs &inputs, const std::string &choice);

// Whether the machine's last result is that of a plain loop on the host.
Result<bool> is_right(const Inputs &inputs, Machine &machine, Figure figure, size_t n);

// Bytes that a task reads and writes at the least, for n elements.
double least_bytes(Figure figure, size_t n);

}  // namespace upsweep::cli::textbooks
#endif
