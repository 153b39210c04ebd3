// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies by the copy engines; fills by the CUDA driver's kernels and our own kernel.
#include "targets/cuda/stream_transfers.h"
#include "runtime/commands/transfer_ends.h"
#include "targets/cuda/copy_box.h"
#include <algorithm>
#include <bit>
#include <cstring>

namespace upsweep {
namespace {

/// The driver buffers this much from memory that it does not know without waiting for the stream.
constexpr size_t kTakenAtOnce = size_t{64} << 10;
constexpr const char *kFailed = "a copy could not be started";

char *pointer_of(Side host) { return reinterpret_cast<char *>(host.address); }

Result<void> copy_line(const Gpu &gpu, HostCopies &host_copies, Side to, Side from, size_t bytes, CUstream stream) {
  if (to.address == from.address) return {};
  if (to.type == kHost) return host_copies.issue({HostCopies::Direction::kToHost, from.address, pointer_of(to), bytes}, stream);
  if (from.type == kHost)
    return host_copies.issue({HostCopies::Direction::kToGpu, to.address, pointer_of(from), bytes}, stream);
  return gpu.driver.check(gpu.driver.copy_on_device(to.address, from.address, bytes, stream), CL_OUT_OF_RESOURCES, kFailed);
}

}  // namespace

bool StreamTransfers::may_block(const Transfer &transfer) const {
  const TransferEnds ends = ends_of(transfer);
  const bool is_read = ends.from == EndAt::kObject && ends.to == EndAt::kPointer;
  const bool is_write = ends.from == EndAt::kPointer && ends.to == EndAt::kObject;
  if (is_read ? ends.bytes <= kStagingBytes : !is_write || (ends.is_linear && ends.bytes <= kTakenAtOnce)) return false;
  CurrentContext current(gpu_);
  return !is_known_to_driver(gpu_, ends.pointer);
}

Result<AfterStream> StreamTransfers::issue(const Transfer &transfer, bool may_fail, CUstream stream) {
  if (const auto *it = std::get_if<MapTransfer>(&transfer)) return map(*it, stream);
  if (const auto *it = std::get_if<HintTransfer>(&transfer)) {
    hint(*it, stream);
    return AfterStream();
  }
  if (ends_of(transfer).bytes == 0) return AfterStream();
  if (auto declared = make_current(transfer, &target_, may_fail); !declared) return fail(declared);
  if (const auto *it = std::get_if<CopyTransfer>(&transfer)) return copy(*it, stream);
  if (const auto *it = std::get_if<FillRectTransfer>(&transfer)) return fill(*it, stream);
  return fill(std::get<FillTransfer>(transfer), stream).map([] { return AfterStream(); });
}

Result<AfterStream> StreamTransfers::copy(const CopyTransfer &copy, CUstream stream) {
  Ref<Staging::Piece> piece;
  const bool to_host = !copy.to.memory && !copy.to.is_of_device;
  if (to_host && copy.bytes() <= kStagingBytes && !is_known_to_driver(gpu_, copy.to.pointer)) piece = staging_.take();
  if (!piece) return copy_box(copy, stream).map([] { return AfterStream(); });
  CopyTransfer staged = copy;
  staged.to = place_at(piece->bytes());
  staged.to_layout = {{0, 0, 0}, copy.region[0], copy.region[0] * copy.region[1]};
  return copy_box(staged, stream).map([&] {
    return AfterStream([piece, to = copy.to.pointer, layout = copy.to_layout, packed = staged.to_layout,
                        region = copy.region]() -> Result<void> {
      copy_rect(to, layout, piece->bytes(), packed, region);
      return {};
    });
  });
}

Result<AfterStream> StreamTransfers::map(const MapTransfer &map, CUstream stream) {
  MemoryObject &memory = *map.place.memory;
  const ByteRange range{map.place.offset, map.place.offset + map.bytes};
  // Otherwise the host has the bytes already, or some of them come from elsewhere.
  if (!memory.expect_on_host(target_, range)) return AfterStream([&map] { return run_on_host(map); });
  auto host = memory.host();
  if (!host) return fail(host);
  return copy(linear_copy(place_at(*host + range.begin), map.place, map.bytes), stream).map([&](AfterStream copied) {
    return AfterStream([copied = std::move(copied), &memory, range]() -> Result<void> {
      auto done = copied ? copied() : Result<void>{};
      if (done) memory.arrived_on_host(range);
      return done;
    });
  });
}

/// Moves managed memory in the order of the stream. A failure is no error: device memory does not move, and not every GPU
/// prefetches.
void StreamTransfers::hint(const HintTransfer &hint, CUstream stream) {
  const auto address = reinterpret_cast<CUdeviceptr>(hint.place.pointer);
  switch (hint.kind) {
  case HintTransfer::Kind::kToDevice: gpu_.driver.prefetch(address, hint.bytes, gpu_.device, stream); break;
  case HintTransfer::Kind::kToHost: gpu_.driver.prefetch(address, hint.bytes, kCudaHost, stream); break;
  case HintTransfer::Kind::kNoPreference: gpu_.driver.advise(address, hint.bytes, kUnsetPreferredLocation, gpu_.device); break;
  }
}

Result<void> StreamTransfers::copy_box(const CopyTransfer &copy, CUstream stream) {
  auto to = resolve(target_, copy.to, region_begin(copy.to_layout));
  if (!to) return fail(to);
  auto from = resolve(target_, copy.from, region_begin(copy.from_layout));
  if (!from) return fail(from);
  const auto &[bytes, rows, slices] = copy.region;
  if (copy.is_linear()) return copy_line(gpu_, host_copies_, *to, *from, bytes, stream);
  if (const auto box = box_of(gpu_, copy, *to, *from)) return check(gpu_.driver.copy_3d(&*box, stream), kFailed);
  for (size_t z = 0; z < slices; ++z)
    for (size_t y = 0; y < rows; ++y) {
      const Side to_row{to->type, to->address + z * copy.to_layout.slice_pitch + y * copy.to_layout.row_pitch};
      const Side from_row{from->type, from->address + z * copy.from_layout.slice_pitch + y * copy.from_layout.row_pitch};
      if (auto copied = copy_line(gpu_, host_copies_, to_row, from_row, bytes, stream); !copied) return copied;
    }
  return {};
}

Result<void> StreamTransfers::fill(const FillTransfer &filling, CUstream stream) {
  auto place = resolve(target_, filling.to, 0);
  if (!place) return fail(place);
  const CudaDriver &driver = gpu_.driver;
  const auto [type, at] = *place;
  const auto [period, word] = shorten(filling);
  if (period > 4) return fill_kernel_.issue(at, filling.bytes, filling.pattern.data(), period, stream);
  constexpr const char *kFillFailed = "a fill could not be started";
  if (period == 4) return check(driver.fill_words(at, word, filling.bytes / 4, stream), kFillFailed);
  if (period == 2)
    return check(driver.fill_shorts(at, static_cast<unsigned short>(word), filling.bytes / 2, stream), kFillFailed);
  return check(driver.fill_bytes(at, static_cast<unsigned char>(word), filling.bytes, stream), kFillFailed);
}

/// Fills an image: the first row from the host or by a kernel, then rows of the first slice and further slices by copies of
/// filled bytes.
Result<AfterStream> StreamTransfers::fill(const FillRectTransfer &filling, CUstream stream) {
  AfterStream after;
  if (std::has_single_bit(filling.pattern_bytes)) {
    if (auto done = fill(first_row(filling), stream); !done) return fail(done);
  } else {
    Place first = filling.to;
    first.offset += region_begin(filling.layout);
    const size_t bytes = filling.region[0];
    auto row = std::make_shared<std::vector<char>>(bytes);
    for (size_t at = 0; at < bytes; at += filling.pattern_bytes)
      std::memcpy(row->data() + at, filling.pattern.data(), filling.pattern_bytes);
    if (auto done = copy_box(linear_copy(first, place_at(row->data()), bytes), stream); !done) return fail(done);
    after = [row]() -> Result<void> { return {}; };
  }
  auto repeated = repeat_first_row(filling, [&](const CopyTransfer &part) { return copy_box(part, stream); });
  if (!repeated) return fail(repeated);
  return after;
}

}  // namespace upsweep
