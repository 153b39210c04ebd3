// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the records that kernel_abi.h describes. Formats and strings are on the device; each is fetched once.
#include "targets/cuda/printf_buffer.h"
#include "runtime/printf/printf_format.h"
#include "runtime/printf/printf_output.h"
#include "targets/cuda/kernel_abi.h"
#include <algorithm>
#include <array>
#include <cstring>
#include <map>

namespace upsweep {
namespace {

constexpr size_t kCounterBytes = sizeof(uint64_t);

/// A string's length is unknown, so it is read in pieces of this size.
constexpr size_t kPieceBytes = 256;

}  // namespace

Result<CUdeviceptr> PrintfBuffers::take(CUstream stream) {
  CUdeviceptr buffer = 0;
  {
    std::lock_guard lock(mutex_);
    if (!free_.empty()) {
      buffer = free_.back();
      free_.pop_back();
    }
  }
  if (!buffer) {
    auto made = driver_.check(driver_.allocate(&buffer, kCounterBytes + UPSWEEP_CUDA_PRINTF_BYTES), CL_OUT_OF_RESOURCES,
                              "allocation of the buffer for printf");
    if (!made) return fail(made);
  }
  auto emptied = driver_.check(driver_.fill_bytes(buffer, 0, kCounterBytes, stream), CL_OUT_OF_RESOURCES,
                               "the buffer for printf could not be emptied");
  if (!emptied) return fail(emptied);
  return buffer;
}

Result<void> PrintfBuffers::print(CUdeviceptr buffer) {
  auto records = fetch(buffer);
  if (!records) return fail(records);
  if (const std::string text = text_of(*records); !text.empty()) write_printed(text);
  std::lock_guard lock(mutex_);
  free_.push_back(buffer);
  return {};
}

CUresult PrintfBuffers::copy_now(void *to, CUdeviceptr from, size_t bytes) const {
  // Not in the launch's stream, which may have received more work.
  const CUresult result = driver_.copy_to_host(to, from, bytes, nullptr);
  return result == 0 ? driver_.synchronize_stream(nullptr) : result;
}

Result<std::vector<std::byte>> PrintfBuffers::fetch(CUdeviceptr buffer) const {
  auto copy = [&](void *to, CUdeviceptr from, size_t bytes) {
    return driver_.check(copy_now(to, from, bytes), CL_OUT_OF_RESOURCES, "a kernel's printf output could not be copied");
  };
  uint64_t bytes = 0;
  if (auto copied = copy(&bytes, buffer, sizeof(bytes)); !copied) return fail(copied);
  std::vector<std::byte> records(std::min<uint64_t>(bytes, UPSWEEP_CUDA_PRINTF_BYTES));
  if (records.empty()) return records;
  if (auto copied = copy(records.data(), buffer + kCounterBytes, records.size()); !copied) return fail(copied);
  return records;
}

std::string PrintfBuffers::text_of(std::span<const std::byte> records) const {
  std::map<uint64_t, std::string> strings;
  auto known_string_at = [&](uint64_t address) -> const std::string & {
    auto [known, is_new] = strings.try_emplace(address);
    if (is_new) known->second = string_at(address);
    return known->second;
  };
  std::string text;
  while (records.size() >= sizeof(UpsweepPrintfRecord)) {
    UpsweepPrintfRecord record;
    std::memcpy(&record, records.data(), sizeof(record));
    if (record.bytes < sizeof(record) || record.bytes > records.size()) break;
    format_printf(known_string_at(record.format).c_str(), records.data() + sizeof(record), text, known_string_at);
    records = records.subspan(record.bytes);
  }
  return text;
}

/// Stops at the end of mapped memory: a copy that crosses the end of a variable or an allocation fails as a whole.
std::string PrintfBuffers::string_at(CUdeviceptr address) const {
  std::string text;
  CUdeviceptr base = 0;
  size_t rest = 0;
  if (driver_.address_range(&base, &rest, address) != 0) return text;
  rest -= address - base;
  while (rest > 0) {
    std::array<char, kPieceBytes> piece;
    const size_t bytes = std::min(rest, kPieceBytes);
    if (copy_now(piece.data(), address, bytes) != 0) return text;
    const auto *end = std::find(piece.begin(), piece.begin() + bytes, '\0');
    text.append(piece.data(), static_cast<size_t>(end - piece.data()));
    if (end != piece.begin() + bytes) return text;
    address += bytes;
    rest -= bytes;
  }
  return text;
}

}  // namespace upsweep
