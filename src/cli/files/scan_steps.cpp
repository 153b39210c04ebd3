// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The steps of scans. All operators commute, so a backward scan is a scan of the reversed piece.
#include "cli/files/scan_steps.h"

#include <algorithm>
#include <cstring>

namespace upsweep::cli {

void ScanSteps::reverse(std::byte *values, size_t n) const {
  with_compute(compute, [&](auto zero) {
    auto *first = reinterpret_cast<decltype(zero) *>(values);
    std::reverse(first, first + n);
  });
}

void ScanSteps::fill(std::byte *values, size_t n, const std::array<std::byte, 8> &value) const {
  with_compute(compute, [&](auto zero) {
    std::memcpy(&zero, value.data(), sizeof(zero));
    std::fill_n(reinterpret_cast<decltype(zero) *>(values), n, zero);
  });
}

void ScanSteps::load(const Block &block, std::byte *to) {
  const bool is_dense = block.width == block.pitch || block.rows == 1;
  if (is_dense) {
    reader.load(block.first, block.count(), compute, to);
  } else {
    for (size_t r = 0; r < block.rows; ++r)
      reader.load(block.first + r * block.pitch, block.width, compute, to + r * block.width * bytes_of(compute));
  }
  if (is_backward) reverse(to, block.count());
}

// Overwrites `values`, which are in the sink's buffer if they need no conversion.
Result<void> ScanSteps::store(const Block &block, std::byte *values) {
  const size_t n = block.count(), bytes = sink.type().bytes();
  if (is_backward) reverse(values, n);
  std::byte *stored = values;
  if (!is_stored_as_computed()) {
    stored = sink.room(n * bytes);
    store_elements(compute, values, sink.type(), stored, n);
  }
  progress.show(is_backward ? array.count - block.first : block.first + n, array.count);
  if (block.width == block.pitch || block.rows == 1) return sink.commit(block.first, stored, n);
  for (size_t r = 0; r < block.rows; ++r)
    if (auto done = sink.commit(block.first + r * block.pitch, stored + r * block.width * bytes, block.width); !done)
      return done;
  return {};
}

Result<void> ScanSteps::scan_line(size_t first, size_t length) {
  const size_t width = bytes_of(compute);
  std::array<std::byte, 8> carry = start();
  for (size_t done = 0, n = 0; done < length; done += n) {
    n = std::min(engine.step(), length - done);
    const Block block{first + (is_backward ? length - done - n : done), 1, n, n};
    const void *in = nullptr;
    if (is_backward) {
      values_.resize(n * width);
      load(block, values_.data());
      in = values_.data();
    } else {
      in = reader.values(block.first, n, compute, values_);
    }
    const size_t room_bytes = (n + 1) * width;
    if (!is_stored_as_computed()) results_.resize(room_bytes);
    std::byte *to = is_stored_as_computed() ? sink.room(room_bytes) : results_.data();
    if (auto scanned = engine.scan(in, to, n, carry.data()); !scanned) return scanned;
    std::memcpy(carry.data(), to + n * width, width);
    if (auto stored = store(block, is_exclusive ? to : to + width); !stored) return stored;
  }
  return {};
}

Result<void> ScanSteps::scan_all() { return scan_line(0, array.count); }

Result<void> ScanSteps::scan_by_key(Heads &heads) {
  const size_t width = bytes_of(compute);
  std::vector<uint8_t> flags(engine.step());
  std::array<std::byte, 8> carry = engine.nothing();
  for (size_t done = 0, n = 0; done < array.count; done += n) {
    n = std::min(engine.step(), array.count - done);
    const Block block{is_backward ? array.count - done - n : done, 1, n, n};
    is_backward ? heads.find_backward(block.first, n, flags.data()) : heads.find(block.first, n, flags.data());
    if (is_backward) std::reverse(flags.begin(), flags.begin() + static_cast<ptrdiff_t>(n));
    results_.resize((n + 1) * width);  // the carry is before the values
    std::byte *values = results_.data() + width;
    load(block, values);
    std::memcpy(results_.data(), carry.data(), width);
    if (flags[0] == 0) {  // the first run started in an earlier piece
      alignas(8) std::array<std::byte, 8> total = carry;
      engine.combine(total.data(), values, 1);
      std::memcpy(values, total.data(), width);
    }
    if (auto scanned = engine.scan_by_flag(flags.data(), values, n); !scanned) return scanned;
    std::memcpy(carry.data(), values + (n - 1) * width, width);
    std::byte *from = is_exclusive ? results_.data() : values;
    if (is_exclusive)
      for (size_t i = 0; i < n; ++i)
        if (flags[i] != 0) std::memcpy(from + i * width, identity.data(), width);
    if (is_stored_as_computed()) from = static_cast<std::byte *>(std::memcpy(sink.room(n * width), from, n * width));
    if (auto stored = store(block, from); !stored) return stored;
  }
  return {};
}

// Scans whole batches, several per step.
Result<void> ScanSteps::scan_batches(size_t first, size_t batches, const AxisView &view) {
  const size_t width = bytes_of(compute), batch = view.length * view.inner, n = batches * batch;
  const Block block{first, 1, n, n};
  values_.resize(n * width);
  load(block, values_.data());
  if (auto scanned = engine.scan_axis(values_.data(), batches, view.length, view.inner); !scanned) return scanned;
  if (!is_stored_as_computed()) results_.resize(n * width);
  std::byte *to = is_stored_as_computed() ? sink.room(n * width) : results_.data();
  if (is_exclusive) {
    for (size_t b = 0; b < batches; ++b) {
      fill(to + b * batch * width, view.inner, identity);
      std::memcpy(to + (b * batch + view.inner) * width, &values_[b * batch * width], (batch - view.inner) * width);
    }
  } else {
    std::memcpy(to, values_.data(), n * width);
  }
  return store(block, to);
}

// Scans a strip of columns of a batch, some rows at a time; the running totals are stored as the row before the first.
Result<void> ScanSteps::scan_strip(size_t first, size_t length, size_t width, size_t pitch) {
  const size_t row_bytes = width * bytes_of(compute), most_rows = std::max<size_t>(1, engine.step() / width);
  carry_.resize(row_bytes);
  fill(carry_.data(), width, start());
  for (size_t done = 0, rows = 0; done < length; done += rows) {
    rows = std::min(most_rows, length - done);
    const Block block{first + (is_backward ? length - done - rows : done) * pitch, rows, width, pitch};
    const size_t room_bytes = (rows + 1) * row_bytes;
    if (!is_stored_as_computed()) results_.resize(room_bytes);
    std::byte *to = is_stored_as_computed() ? sink.room(room_bytes) : results_.data();
    std::memcpy(to, carry_.data(), row_bytes);
    load(block, to + row_bytes);
    if (auto scanned = engine.scan_axis(to, 1, rows + 1, width); !scanned) return scanned;
    std::memcpy(carry_.data(), to + rows * row_bytes, row_bytes);
    if (auto stored = store(block, is_exclusive ? to : to + row_bytes); !stored) return stored;
  }
  return {};
}

Result<void> ScanSteps::scan_axis(const AxisView &view) {
  if (array.count == 0) return {};
  const size_t batch = view.length * view.inner;
  const size_t at_once = std::max<size_t>(1, engine.step() / batch);
  for (size_t b = 0; b < view.batches; b += at_once) {
    const size_t batches = std::min(at_once, view.batches - b);
    Result<void> done;
    if (batch <= engine.step()) {
      done = scan_batches(b * batch, batches, view);
    } else if (view.inner == 1) {
      done = scan_line(b * batch, view.length);
    } else {
      for (size_t column = 0; column < view.inner && done; column += engine.step())
        done = scan_strip(b * batch + column, view.length, std::min(engine.step(), view.inner - column), view.inner);
    }
    if (!done) return done;
  }
  return {};
}

}  // namespace upsweep::cli
