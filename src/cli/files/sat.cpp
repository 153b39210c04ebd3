// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `upsweep sat`: the summed-area table of a matrix or a picture, computed in bands of rows.
#include <upsweep/cpu/summed_area.h>

#include "cli/files/operators.h"
#include "cli/files/parallel.h"
#include "cli/files/progress.h"
#include "cli/files/reader.h"
#include "cli/files/sink.h"
#include "cli/files/summary.h"
#include "cli/files/verbs.h"
#include "cli/files/view.h"

#include <cstring>

namespace upsweep::cli {
namespace {

constexpr size_t kPiece = size_t{1} << 14;

// Adds the last row of the previous band to all rows of a band's own table.
template <class T>
void make_band(const void *in, std::byte *to, cpu::image_shape shape, std::vector<std::byte> &row_before) {
  T *out = reinterpret_cast<T *>(to);
  const size_t row = shape.width * shape.channels;
  cpu::summed_area_table(static_cast<const T *>(in), out, shape);
  if (!row_before.empty()) {
    const T *before = reinterpret_cast<const T *>(row_before.data());
    share_out(row, kPiece, [&](size_t begin, size_t end) {
      for (size_t y = 0; y < shape.height; ++y)
        for (size_t i = begin; i < end; ++i) out[y * row + i] += before[i];
    });
  }
  const std::byte *last = to + (shape.height - 1) * row * sizeof(T);
  row_before.assign(last, last + row * sizeof(T));
}

Result<void> make_table(const Array &array, cpu::image_shape shape, Compute compute, Sink &sink, Progress &progress) {
  Reader reader(array);
  const size_t row = shape.width * shape.channels, height = shape.height, width = bytes_of(compute);
  const size_t rows_at_once = std::max<size_t>(1, kStepElements / std::max<size_t>(1, row));
  std::vector<std::byte> room, results, row_before;
  for (size_t y = 0; y < height && row > 0; y += shape.height) {
    shape.height = std::min(rows_at_once, height - y);
    const size_t n = shape.height * row;
    const void *in = reader.values(y * row, n, compute, room);
    const bool is_stored_as_computed = is_same_bits(sink.type(), compute);
    if (!is_stored_as_computed) results.resize(n * width);
    std::byte *to = is_stored_as_computed ? sink.room(n * width) : results.data();
    compute == Compute::U64 ? make_band<uint64_t>(in, to, shape, row_before) : make_band<double>(in, to, shape, row_before);
    if (!is_stored_as_computed) {
      std::byte *stored = sink.room(n * sink.type().bytes());
      store_elements(compute, to, sink.type(), stored, n);
      to = stored;
    }
    if (auto stored = sink.commit(y * row, to, n); !stored) return stored;
    progress.show(y + shape.height, height);
  }
  return {};
}

}  // namespace

Result<void> sat(const SatOptions &options) {
  Progress progress("sat", options.is_quiet);
  Summary summary(options.is_quiet || options.writes_to_stdout());
  const auto array = open_array(options.in, options.input);
  if (!array) return Failure(array.error());
  const auto &shape = array->shape;
  if (shape.size() != 2 && shape.size() != 3)
    return fail("'{}' has the shape {}: a table needs (height, width) or (height, width, channels)", array->name,
                shape_text(shape));
  // Differences of four large sums need full precision.
  const bool is_real_input = is_real(array->type.scalar);
  const auto types =
      find_types(Operation::Sum, array->type, options.dtype.empty() && is_real_input ? "float64" : options.dtype);
  if (!types) return Failure(types.error());
  const Compute compute = is_real(types->result.scalar) ? Compute::F64 : Compute::U64;
  auto sink = Sink::create(options.out, types->result, shape.size(), *array);
  if (!sink) return Failure(sink.error());
  const cpu::image_shape image{shape[0], shape[1], shape.size() == 3 ? shape[2] : 1};
  if (auto done = make_table(*array, image, compute, **sink, progress); !done) return done;
  if (auto finished = (*sink)->finish(shape); !finished) return finished;
  summary.input(*array);
  summary.row("result", fmt::format("summed-area table: {} {}", types->result.name(), shape_text(shape)));
  summary.row("view", (*sink)->view(array->count));
  summary.output("file", options.out);
  summary.time(array->bytes() + (*sink)->stored_bytes(array->count));
  return {};
}

}  // namespace upsweep::cli
