// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A pass over an array in tiles (kernels/tiles.cl), in one launch or in three.
#pragma once

#include <upsweep/opencl/detail/checks.h>
#include <upsweep/opencl/detail/vectors.h>

namespace upsweep::opencl::detail {

struct Shape {
  unsigned group = 1, items = 1;
  bool is_by_rows = false;
  bool is_by_own_tiles = false;  // of the job; a single work-item of a CPU iterates over it
  unsigned width = 0;            // elements of a chunk (kernels/chunks.cl)
  // A GPU's work-group takes several tiles.
  bool takes_turns() const { return group > 1 && !is_by_rows; }
  std::uint64_t tile() const { return std::max<std::uint64_t>(1, std::uint64_t(group) * items); }
  // The number of tiles that n elements fill; the last one may have fewer.
  std::uint64_t tiles(std::uint64_t n) const { return n / tile() + (n % tile() != 0 ? 1 : 0); }
};

// The subject of a pass: the program without its shape, the arguments, and the most bytes of a state.
struct Job {
  Source source;
  Arguments arguments;
  std::size_t state_bytes = 0;
  std::size_t element_bytes = 0;
  std::size_t exchanged_bytes = 0;  // bytes of an element, if elements pass through local memory before they are written
  std::vector<std::pair<std::string, array>> chunks;  // arrays accessed in chunks, by their macros; may be empty
  bool takes_lanes = false;                           // on CPUs, lanes of vectors are faster than a single work-item
  std::array<const char *, 2> cpu_tiles{};            // the job's own kernels of tiles, for a single work-item of a CPU
  bool has_results_of_none = false;                   // totals or counts, which exist also for empty arrays
};

// The shape of work-groups. A CPU's work-group is a sub-group if its lanes are vector lanes and the operator permits it, and
// otherwise a single work-item. Both iterate over a tile that fits the first-level cache. On other devices a tile is so large
// that local memory has room for two work-groups or more.
inline Shape shape_for(const Device &device, const plan &how, bool takes_lanes, std::size_t state_bytes,
                       std::size_t element_bytes) {
  Shape shape;
  const bool has_functions = how.functions != 0 && how.functions != 1 && how.language != 120;
  if (device.has_lanes && takes_lanes && has_functions && how.group == 0) {
    shape = {device.lanes, static_cast<unsigned>(std::max<std::size_t>(8, 32768 / element_bytes / device.lanes)), true};
  } else if (device.is_cpu && how.group == 0) {
    // Eight slices (kernels/tiles.cl), a cache line larger than 4 KiB: multiples of 4 KiB share a set of the cache.
    shape.items = static_cast<unsigned>(8 * std::max<std::size_t>(8, 4160 / element_bytes));
  } else {
    const std::size_t most = how.group != 0 ? how.group : 256;
    while (shape.group * 2 <= std::min<std::size_t>(most, device.max_group)) shape.group *= 2;
    const std::size_t bytes = std::min<std::size_t>(24576, device.local_bytes / 2) / state_bytes;
    while (shape.group > 32 && how.group == 0 && bytes / shape.group < 5) shape.group /= 2;
    const std::size_t states = bytes / shape.group;
    // Odd, so that the slices of neighbouring work-items begin in different banks of local memory.
    shape.items = states < 5 ? 1 : static_cast<unsigned>(std::min<std::size_t>(16, states - 2) - 1) | 1U;
  }
  if (how.items != 0) shape.items = how.items;
  return shape;
}

// Chunks have 16 bytes of the largest elements, and at least 4 bytes of the smallest. They are smaller if arrays begin at
// different offsets from 16 bytes, so that all accesses can be aligned; buffers are aligned to more. Elements without a scalar
// type of their size in OpenCL C are read one by one.
inline unsigned width_for(const Job &job, const plan &how) {
  const auto place = [](const array &a) {
    return a.is_pointer ? reinterpret_cast<std::uintptr_t>(a.pointer) / a.type.bytes : a.offset;
  };
  std::size_t most = 1, least = 16, apart = how.items;
  for (const auto &[name, a] : job.chunks) {
    if ((a.type.bytes & (a.type.bytes - 1)) != 0 || a.type.bytes > 8) return 1;
    most = std::max(most, a.type.bytes);
    least = std::min(least, a.type.bytes);
    apart |= place(a) ^ place(job.chunks.front().second);
  }
  auto width = static_cast<unsigned>(std::max<std::size_t>(16 / most, 4 / least));
  while (apart % width != 0) width /= 2;
  return width;
}

// The shape of a tile of chunks. Each work-item has an odd number of them, so that the slices of neighbouring work-items begin
// in different banks of local memory.
inline Shape shape_of_chunks(const Device &device, const plan &how, const Job &job) {
  Shape shape;
  shape.width = width_for(job, how);
  const std::size_t most = how.group != 0 ? how.group : 256;
  while (shape.group * 2 <= std::min<std::size_t>(most, device.max_group)) shape.group *= 2;
  const std::size_t bytes = std::min<std::size_t>(36864, device.local_bytes / 4 * 3);
  const auto fits = [&](std::size_t chunks) {
    const std::size_t exchanged = chunks * shape.width * job.exchanged_bytes;
    return shape.group * (std::max(chunks * job.state_bytes, exchanged) + 2 * job.state_bytes) <= bytes;
  };
  while (shape.group > 32 && how.group == 0 && !fits(3)) shape.group /= 2;
  std::size_t chunks = 1, element_bytes = 1;
  for (const auto &[name, a] : job.chunks) element_bytes = std::max(element_bytes, a.type.bytes);
  const std::size_t most_bytes = element_bytes == 8 ? 144 : 112;  // for each work-item (an H200, 2^28 elements)
  while (fits(chunks + 2) && (chunks + 2) * shape.width * element_bytes <= most_bytes) chunks += 2;
  shape.items = how.items != 0 ? how.items : static_cast<unsigned>(chunks * shape.width);
  return shape;
}

inline Shape shape_for(const Device &device, const plan &how, const Job &job) {
  const Shape shape = shape_for(device, how, job.takes_lanes, job.state_bytes, job.element_bytes);
  return job.chunks.empty() || shape.group == 1 || shape.is_by_rows ? shape : shape_of_chunks(device, how, job);
}

// Words of 4 or 8 bytes, and vectors of up to 16 of them.
inline void define_chunks(Source &source, const Job &job, const Shape &shape) {
  if (shape.width == 0) return;
  source.define("UPS_WIDTH", shape.width);
  if (job.exchanged_bytes != 0) source.define("UPS_EXCHANGES", 1);
  for (const auto &[name, a] : job.chunks) {
    const element_type &type = a.type;
    const std::size_t bytes = shape.width * type.bytes, word = std::min<std::size_t>(bytes, type.bytes == 8 ? 8 : 4),
                      vector = std::min<std::size_t>(bytes, 16);
    const std::string word_name = word == 8 ? "ulong" : word == 4 ? "uint" : word == 2 ? "ushort" : "uchar";
    source.define(name + "_WORD", shape.width == 1 ? type.name : word_name);
    source.define(name + "_VECTOR", shape.width == 1 ? type.name
                                    : vector == word ? word_name
                                                     : word_name + std::to_string(vector / word));
  }
}

inline void define_count(Source &source, const element_count &n) {
  if (n.at) source.define_type("UPS_NUMBER_AT", n.at->type);
}

inline void define_shape(Source &source, const Shape &shape, const plan &how) {
  source.define("UPS_GROUP", shape.group);
  source.define("UPS_ITEMS", shape.items);
  source.define("UPS_BY_ROWS", shape.is_by_rows ? 1 : 0);
  source.define("UPS_TAKES_TURNS", shape.takes_turns() ? 1 : 0);
  source.define("UPS_FUNCTIONS", static_cast<std::uint64_t>(how.functions < 0 ? 2 : how.functions));
}

inline void add_tiles(Job &job, const Shape &shape) {
  if (shape.is_by_own_tiles) {
    job.source.define("UPS_OWN_TILES", 1);
    for (const char *file : job.cpu_tiles) {
      if (file != nullptr) job.source.add_kernels(file);
    }
  }
  job.source.add_kernels(kernels::tiles);
}

inline cl_int pass_in_one_launch(Call &call, Job &job, const Shape &shape, const element_count &n, std::uint64_t tiles) {
  const std::size_t words = (job.state_bytes + 3) / 4, block = shape.group == 1 ? 16 : shape.group;
  const std::size_t bytes = (1 + (tiles + tiles / block + 2) * words) * sizeof(cl_ulong);
  std::shared_ptr<Program> program;
  cl_mem memory = nullptr;
  job.source.add_kernels(kernels::look_back);
  add_tiles(job, shape);
  job.source.add_kernels(kernels::one_launch);
  Arguments arguments = job.arguments;
  const std::uint64_t groups = shape.takes_turns() ? std::min<std::uint64_t>(tiles, call.device().units * 8) : tiles;
  return first_error([&] { return call.program(job.source, &program); }, [&] { return call.scratch(bytes, &memory); },
                     [&] { return call.fill_zeros(memory, 0, bytes); },
                     [&] {
                       arguments.add(n).number(cl_ulong(tiles)).memory(memory);
                       return call.launch(*program, "ups_one_launch", arguments, groups, shape.group);
                     });
}

// The division of an array into parts: some more than the work-groups that the device runs together.
struct Parts {
  std::uint64_t tiles, per, count;

  Parts(const Device &device, std::uint64_t tile_count) : tiles(tile_count) {
    const std::uint64_t wanted = std::min<std::uint64_t>(tiles, std::uint64_t(device.units) * (device.is_cpu ? 4 : 16));
    per = (tiles + wanted - 1) / wanted;
    count = (tiles + per - 1) / per;
  }
};

// The launches: the parts' totals, their scan, and, in passes that write elements, the parts.
inline cl_int launch_parts(Call &call, const Job &job, const Shape &shape, const element_count &n, const Parts &parts,
                           bool writes_elements) {
  std::shared_ptr<Program> program;
  cl_mem totals = nullptr;
  const auto launch = [&](const char *name, bool is_of_totals) {
    Arguments arguments = job.arguments;
    arguments.add(n);
    if (is_of_totals) {
      arguments.number(cl_ulong(parts.count)).memory(totals);
    } else {
      arguments.number(cl_ulong(parts.tiles)).number(cl_ulong(parts.per)).memory(totals);
    }
    return call.launch(*program, name, arguments, is_of_totals ? 1 : parts.count, shape.group);
  };
  return first_error([&] { return call.program(job.source, &program); },
                     [&] { return call.scratch(parts.count * job.state_bytes, &totals); },
                     [&] { return launch("ups_total_parts", false); }, [&] { return launch("ups_scan_totals", true); },
                     [&] { return writes_elements ? launch("ups_scan_parts", false) : CL_SUCCESS; });
}

inline cl_int pass_in_three_launches(Call &call, Job &job, const Shape &shape, const element_count &n, std::uint64_t tiles) {
  add_tiles(job, shape);
  for (const char *file : {kernels::total_parts, kernels::scan_totals, kernels::three_launches}) {
    job.source.add_kernels(file);
  }
  return launch_parts(call, job, shape, n, Parts(call.device(), tiles), true);
}

// A tile fits the second-level cache of all CPUs.
inline Shape shape_of_pass(const Device &device, const plan &how, const Job &job) {
  if (!device.is_cpu || how.group > 1 || job.cpu_tiles[0] == nullptr) {
    return shape_for(device, how, job);
  }
  Shape shape;
  shape.is_by_own_tiles = true;
  shape.items = how.items != 0 ? how.items : static_cast<unsigned>(65536 / job.element_bytes);
  return shape;
}

// The job's source has its types, operator and kernels. This adds the shape and the pass.
inline cl_int run_pass(Call &call, Job &job, const element_count &n) {
  const plan &how = call.how();
  if (how.launches != 0 && how.launches != 1 && how.launches != 3)
    return fail(CL_INVALID_VALUE, "upsweep: plan::launches must be 0, 1 or 3");
  if (how.launches == 1 && !call.device().has_one_launch()) {
    return fail(CL_INVALID_OPERATION,
                "upsweep: the device does not support the call in one launch; set plan::launches to 0 or 3");
  }
  if (n.most == 0 && !job.has_results_of_none) return CL_SUCCESS;
  const Shape shape = shape_of_pass(call.device(), how, job);
  // The first tile may be up to a chunk shorter.
  const std::uint64_t lead = shape.width > 1 ? shape.width - 1 : 0;
  const std::uint64_t tiles = std::max<std::uint64_t>(1, shape.tiles(n.most + lead));
  define_count(job.source, n);
  define_shape(job.source, shape, how);
  define_chunks(job.source, job, shape);
  if (how.launches == 3 || !call.device().has_one_launch() || tiles > UINT32_MAX / 2) {
    return pass_in_three_launches(call, job, shape, n, tiles);
  }
  return pass_in_one_launch(call, job, shape, n, tiles);
}

// Contiguous rows, and the distances between the begins of rows.
struct Rows {
  std::uint64_t count, length, in_pitch, out_pitch;
};

// A work-group iterates over each row in tiles (kernels/rows.cl).
inline cl_int run_rows(Call &call, Job &job, const Rows &rows) {
  job.takes_lanes = false;
  job.chunks.clear();  // the begins of rows are not aligned to chunks if their length is no multiple
  const Shape shape = shape_for(call.device(), call.how(), job);
  define_shape(job.source, shape, call.how());
  job.source.add_kernels(kernels::tiles);
  job.source.add_kernels(kernels::rows);
  std::shared_ptr<Program> program;
  return first_error([&] { return call.program(job.source, &program); },
                     [&] {
                       Arguments arguments = job.arguments;
                       for (const std::uint64_t number : {rows.length, rows.in_pitch, rows.out_pitch}) {
                         arguments.number(cl_ulong(number));
                       }
                       return call.launch(*program, "ups_rows", arguments, rows.count, shape.group);
                     });
}

// The suffix of OpenCL's work-group functions for an operator, if they give the same results. Minima and maxima of
// floating-point numbers do not, because of NaNs. OpenCL has no functions for small integers.
inline const char *native_suffix(const operation &op, const element_type &type) {
  if (!op.is_named) return nullptr;
  const bool is_wide_integer = type.is_integer() && type.bytes >= 4;
  // A device's own scans may begin a floating-point sum with 0, which turns -0 into 0.
  if (op.name == "plus" && is_wide_integer) return "add";
  if (op.name == "minimum" && is_wide_integer) return "min";
  if (op.name == "maximum" && is_wide_integer) return "max";
  return nullptr;
}

// Bytes of an optional total (kernels/operators.cl).
inline std::size_t maybe_bytes(const operation &op, const element_type &type) {
  return op.is_named || !op.identity.empty() ? type.bytes : type.bytes + std::max<std::size_t>(4, type.alignment);
}

}  // namespace upsweep::opencl::detail
