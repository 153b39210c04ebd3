// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A launch is a node for each grid; a transfer is one node, or several in a row.
#include "targets/cuda/graph_nodes.h"
#include "runtime/commands/transfer_ends.h"
#include "targets/cuda/launch.h"
#include <algorithm>
#include <bit>

namespace upsweep {
namespace {

constexpr const char *kFailed = "a node of a graph could not be made";

bool is_on_device(const Place &place) { return place.memory || place.is_of_device; }

bool can_be_nodes(const Launch &launch) {
  return !launch.call.kernel->prints && !launch.call.kernel->enqueues && !reads_textures(launch.call);
}

bool can_be_nodes(const Transfer &transfer) {
  if (const auto *copy = std::get_if<CopyTransfer>(&transfer)) return is_on_device(copy->to) && is_on_device(copy->from);
  if (const auto *fill = std::get_if<FillTransfer>(&transfer)) return is_on_device(fill->to);
  // The host makes the first row for other patterns.
  if (const auto *fill = std::get_if<FillRectTransfer>(&transfer))
    return is_on_device(fill->to) && std::has_single_bit(fill->pattern_bytes);
  return false;
}

}  // namespace

bool can_be_nodes(const RecordedCommand &command) {
  if (const auto *launch = std::get_if<Launch>(&command.body)) return can_be_nodes(*launch);
  if (const auto *transfer = std::get_if<Transfer>(&command.body)) return can_be_nodes(*transfer);
  return std::holds_alternative<std::monostate>(command.body);
}

Result<void> GraphNodes::add(const RecordedCommand &command) {
  before_.clear();
  ends_.clear();
  for (const uint32_t index : command.waits) before_.insert(before_.end(), ends_of_[index].begin(), ends_of_[index].end());
  std::ranges::sort(before_);
  const auto repeated = std::ranges::unique(before_);
  before_.erase(repeated.begin(), repeated.end());
  grids_.emplace_back();
  if (auto added = add_body(command.body); !added) return added;
  // A command without work ends with the commands for which it waits. An empty node joins them for the commands that follow.
  if (ends_.empty() && before_.size() <= 1) {
    ends_ = std::move(before_);
  } else if (ends_.empty()) {
    CUgraphNode node = nullptr;
    const CUresult result = gpu_.driver.add_empty_node(&node, graph_, before_.data(), before_.size());
    if (auto added = made(result, node); !added) return added;
  }
  ends_of_.push_back(std::move(ends_));
  return {};
}

Result<void> GraphNodes::add_body(const CommandBody &body) {
  if (const auto *launch = std::get_if<Launch>(&body)) return add_launch(*launch);
  const auto *transfer = std::get_if<Transfer>(&body);
  if (!transfer || ends_of(*transfer).bytes == 0) return {};
  if (const auto *copy = std::get_if<CopyTransfer>(transfer)) return add_copy(*copy);
  if (const auto *fill = std::get_if<FillTransfer>(transfer)) return add_fill(*fill);
  return add_fill(std::get<FillRectTransfer>(*transfer));
}

Result<void> GraphNodes::made(CUresult result, CUgraphNode node) {
  if (auto added = gpu_.driver.check(result, CL_OUT_OF_RESOURCES, kFailed); !added) return added;
  ends_.push_back(node);
  ++num_nodes_;
  return {};
}

Result<void> GraphNodes::add_kernel(const CudaKernel &kernel) {
  CUgraphNode node = nullptr;
  const CUresult result = gpu_.driver.add_kernel_node(&node, graph_, before_.data(), before_.size(), &kernel);
  return made(result, node);
}

Result<void> GraphNodes::add_launch(const Launch &launch) {
  auto added = for_each_grid(launch, [this](const CudaKernel &kernel) { return add_kernel(kernel); });
  if (added) grids_.back() = ends_;
  return added;
}

Result<void> GraphNodes::add_box(const CudaCopy3D &box) {
  CUgraphNode node = nullptr;
  return made(gpu_.driver.add_copy_node(&node, graph_, before_.data(), before_.size(), &box, gpu_.context()), node);
}

Result<void> GraphNodes::add_copy(const CopyTransfer &copy) {
  auto to = resolve(target_, copy.to, region_begin(copy.to_layout));
  if (!to) return fail(to);
  auto from = resolve(target_, copy.from, region_begin(copy.from_layout));
  if (!from) return fail(from);
  if (copy.is_linear()) return add_linear_copy(*to, *from, copy.bytes());
  const auto box = box_of(gpu_, copy, *to, *from);
  return box ? add_box(*box) : fail(CL_OUT_OF_RESOURCES, "the CUDA driver does not support a copy's pitches");
}

Result<void> GraphNodes::add_linear_copy(const Side &to, const Side &from, size_t bytes) {
  if (to.address == from.address) return {};
  // The CUDA driver limits the pitch of a copy, also of a single row.
  const size_t most = std::bit_floor(static_cast<size_t>(gpu_.attribute(kMaxPitch)));
  for (size_t at = 0; at < bytes; at += most) {
    const size_t part = std::min(bytes - at, most);
    const Size3 region{part, 1, 1};
    const RectLayout layout{{0, 0, 0}, part, part};
    const CopyTransfer line{{}, {}, layout, layout, region};
    const auto box = box_of(gpu_, line, {to.type, to.address + at}, {from.type, from.address + at});
    if (auto added = add_box(*box); !added) return added;
  }
  return {};
}

Result<void> GraphNodes::add_fill(const FillTransfer &fill) {
  auto place = resolve(target_, fill.to, 0);
  if (!place) return upsweep::fail(place);
  const auto [period, word] = shorten(fill);
  if (period > sizeof word)
    return fills_.call(place->address, fill.bytes, fill.pattern.data(), period,
                       [this](const CudaKernel &kernel) { return add_kernel(kernel); });
  const CudaFill line{
      .to = place->address, .value = word, .element_bytes = static_cast<unsigned>(period), .width = fill.bytes / period};
  CUgraphNode node = nullptr;
  return made(gpu_.driver.add_fill_node(&node, graph_, before_.data(), before_.size(), &line, gpu_.context()), node);
}

Result<void> GraphNodes::add_fill(const FillRectTransfer &fill) {
  if (auto added = add_fill(first_row(fill)); !added) return added;
  return repeat_first_row(fill, [this](const CopyTransfer &part) {
    go_on();
    return add_copy(part);
  });
}

}  // namespace upsweep
