// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Jobs along an axis: columns (kernels/axis.cl), and contiguous rows (kernels/rows.cl).
#pragma once

#include <upsweep/common/shape.h>
#include <upsweep/opencl/detail/call_arrays.h>
#include <upsweep/opencl/detail/key_job.h>

namespace upsweep::opencl {

using common::axis, common::axis_strides;

namespace detail {

inline bool is_empty(const axis &of) { return of.batches == 0 || of.length == 0 || of.inner == 0; }

inline cl_int require_shape(common::fault fault) {
  return fault == common::fault::none      ? CL_SUCCESS
         : fault == common::fault::overlap ? fail(CL_INVALID_VALUE, "upsweep: the strides make elements overlap")
                                           : fail(CL_INVALID_VALUE, "upsweep: the size or the strides exceed 2^40 elements");
}

// Checks sizes, strides and the number of elements, also of an axis without elements.
inline cl_int require_axis(const axis &of) {
  const std::uint64_t all = common::product(common::product(of.batches, of.length), of.inner);
  for (const std::uint64_t size :
       {of.batches, of.length, of.inner, of.in.batch, of.in.along, of.out.batch, of.out.along, all}) {
    if (size > kMaxElements) return require_shape(common::fault::too_large);
  }
  return CL_SUCCESS;
}

inline cl_int extent_of(const axis &of, const axis_strides &strides, std::uint64_t *elements) {
  const common::extent extent = common::extent_of_axis(of, strides, kMaxElements);
  *elements = extent.elements;
  return require_shape(extent.is);
}

// The axis with complete strides, and the number of elements of its arrays.
struct AxisPlaces {
  axis of;
  std::uint64_t in = 0, out = 0;

  cl_int find(const axis &given) {
    of = given;
    if (is_empty(of)) return require_axis(of);
    of.in = common::complete_strides(of, of.in);
    of.out = common::complete_strides(of, of.out);
    return first_error([&] { return require_axis(of); }, [&] { return extent_of(of, of.in, &in); },
                       [&] { return extent_of(of, of.out, &out); });
  }
  bool has_same_strides() const { return of.in.batch == of.out.batch && of.in.along == of.out.along; }
  bool has_rows() const { return of.inner == 1 && of.in.along == 1 && of.out.along == 1; }
  bool is_dense() const { return has_rows() && of.in.batch == of.length && of.out.batch == of.length; }
};

// The division of columns among work-groups.
struct Columns {
  Shape shape;
  unsigned width = 1;
  std::uint64_t strips = 1, chains = 1, tiles = 1, per = 1;
  bool looks_back = false;

  Columns(const Device &device, const plan &how, const axis &of, const Job &job) {
    shape = shape_for(device, how, false, job.state_bytes, job.element_bytes);
    shape.is_by_rows = false;
    if (shape.group == 1) {
      width = static_cast<unsigned>(of.inner <= 4 ? of.inner : of.inner <= 8 ? 8 : of.inner < 64 ? 16 : 64);
      shape.items =
          how.items != 0 ? how.items : static_cast<unsigned>(std::max<std::size_t>(16, 131072 / (width * job.element_bytes)));
    } else {
      while (width < std::min<std::uint64_t>(of.inner, std::min(32U, shape.group / 2))) width *= 2;
    }
    strips = (of.inner + width - 1) / width;
    chains = of.batches * strips;
    const std::uint64_t rows = std::uint64_t(shape.group / (shape.group == 1 ? 1 : width)) * shape.items;
    tiles = (of.length + rows - 1) / rows;
    const std::uint64_t enough = std::uint64_t(device.units) * (device.is_cpu ? 4 : 16);
    looks_back = tiles > 1 && chains < enough && device.has_one_launch() && how.launches != 3 && chains * tiles <= UINT32_MAX;
    per = looks_back ? 1 : tiles;
  }
  std::uint64_t words() const {
    const std::uint64_t block = shape.group == 1 ? 16 : shape.group / width;
    return chains * (tiles + tiles / block + 1) * width;
  }
};

inline cl_int run_columns(Call &call, Job &job, const axis &of, bool writes) {
  const Columns columns(call.device(), call.how(), of, job);
  define_shape(job.source, columns.shape, call.how());
  job.source.define("UPS_COLUMNS", columns.width);
  job.source.define("UPS_LOOK_BACK", columns.looks_back ? 1 : 0);
  job.source.define("UPS_BACKWARD_ROWS", call.options().is_backward ? 1 : 0);
  job.source.define("UPS_WRITES", writes ? 1 : 0);
  if (columns.looks_back) job.source.add_kernels(kernels::look_back);
  job.source.add_kernels(kernels::axis);
  const std::size_t bytes = columns.looks_back ? (1 + columns.words() * ((job.state_bytes + 3) / 4)) * sizeof(cl_ulong) : 8;
  std::shared_ptr<Program> program;
  cl_mem words = nullptr;
  return first_error([&] { return call.program(job.source, &program); }, [&] { return call.scratch(bytes, &words); },
                     [&] { return columns.looks_back ? call.fill_zeros(words, 0, bytes) : CL_SUCCESS; },
                     [&] {
                       Arguments arguments = job.arguments;
                       for (const std::uint64_t number :
                            {of.length, of.inner, columns.strips, columns.chains, of.in.batch, of.in.along, of.out.batch,
                             of.out.along, columns.tiles, columns.per}) {
                         arguments.number(cl_ulong(number));
                       }
                       arguments.memory(words);
                       const std::uint64_t parts = (columns.tiles + columns.per - 1) / columns.per;
                       return call.launch(*program, "ups_axis", arguments, columns.chains * parts, columns.shape.group);
                     });
}

// A scan along an axis with known places.
inline cl_int run_scan_of_axis(Call &call, const ScanCall &scan, const AxisPlaces &places, const Options &options) {
  const axis &of = places.of;
  if (is_empty(of)) return CL_SUCCESS;
  const std::uint64_t n = of.batches * of.length, few = std::uint64_t(call.device().units) * (call.device().is_cpu ? 1 : 4);
  if (!places.has_rows()) {
    Options forward = options;
    forward.is_backward = false;
    Job job = scan_job(scan, forward);
    return run_columns(call, job, of, true);
  }
  if (of.batches == 1) {
    Job job = scan_job(scan, options);
    return run_pass(call, job, of.length);
  }
  if (places.is_dense() && !options.is_backward && (of.batches < few || of.length < 512)) {
    const std::optional<initial_value> initial =
        scan.initial != nullptr ? std::optional<initial_value>(*scan.initial) : std::nullopt;
    const KeyCall keys{Heads::kByLength, {},           scan.in,      scan.out, n, scan.op, scan.total, initial, {},
                       of.length,        std::nullopt, std::nullopt, false};
    Job job = key_job(keys, {}, options);
    return run_pass(call, job, n);
  }
  Job job = scan_job(scan, options);
  return run_rows(call, job, {of.batches, of.length, of.in.batch, of.out.batch});
}

inline cl_int check_axis(const Call &call, const ScanCall &scan, const AxisPlaces &places) {
  const unsigned group = places.has_same_strides() ? kTogether : kApart;
  return first_error(
      [&] { return require_type(scan.total, "the totals"); }, [&] { return require_operator(scan.op, scan.total); },
      [&] {
        return require_arrays(call, {reads("the input", scan.in, places.in, group),
                                     writes("the output", scan.out, places.out, group), reads_initial(scan.initial)});
      });
}

}  // namespace detail

}  // namespace upsweep::opencl
