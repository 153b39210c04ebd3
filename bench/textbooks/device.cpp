// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rungs on an OpenCL device: the chapter's kernels, and the library for OpenCL queues.
#include "bench/textbooks/device_applications.h"
#include "bench/textbooks/machine.h"
#include "cli/own_driver.h"
#include "examples/opencl/ladder/rungs.h"

#include <upsweep/opencl/scan.h>
#include <upsweep/opencl/select.h>
#include <upsweep/opencl/sort.h>
#include <upsweep/opencl/summed_area.h>

#include <cmath>

namespace upsweep::cli::textbooks {
namespace {

// A single work-item reads 10 MB/s to 1 GB/s.
constexpr size_t kMostOfOneItem = size_t{1} << 20;

// The side of a square picture.
size_t side_of(size_t pixels) { return static_cast<size_t>(std::lround(std::sqrt(pixels))); }

class OpenclDevice : public Machine {
public:
  static Result<std::unique_ptr<Machine>> create(const Inputs &inputs, Device device);
  ~OpenclDevice() override { opencl::release_programs(device_.context()); }

  std::string name() const override {
    return device_.device.getInfo<CL_DEVICE_NAME>() + " by " + device_.platform.getInfo<CL_PLATFORM_NAME>();
  }
  std::vector<Rung> rungs() override;
  Result<void> copy(size_t bytes) override {
    return check(device_.queue.enqueueCopyBuffer(floats_, copied_, 0, 0, bytes), "copy a buffer");
  }
  Result<void> wait() override { return check(device_.queue.finish(), "run the device's commands"); }
  Result<const void *> result(size_t bytes) override {
    if (is_on_host_) return host_out_.data();
    return check(device_.queue.enqueueReadBuffer(out_, CL_TRUE, 0, bytes, host_out_.data()), "read the result").map([this] {
      return static_cast<const void *>(host_out_.data());
    });
  }
  Result<size_t> kept() override {
    cl_uint kept = 0;
    return check(device_.queue.enqueueReadBuffer(kept_, CL_TRUE, 0, sizeof kept, &kept), "read a number").map([&] {
      return size_t{kept};
    });
  }
  Result<void> poison(size_t bytes) override {
    std::fill(host_out_.begin(), host_out_.end(), NAN);
    return check(device_.queue.enqueueFillBuffer(out_, cl_uint{0xA5A5A5A5}, 0, bytes), "fill a buffer");
  }

private:
  OpenclDevice(const Inputs &inputs, Device device) : inputs_(inputs), device_(std::move(device)) {}
  Result<void> make_buffers();
  Result<void> call(cl_int code) { return code == CL_SUCCESS ? Result<void>() : fail("{}", opencl::last_message()); }
  void add(std::vector<Rung> &to, Figure figure, std::string name, std::function<Result<void>(size_t)> start,
           size_t most = SIZE_MAX);
  void add_block_scans(std::vector<Rung> &to);
  void add_library_scans(std::vector<Rung> &to);
  void add_applications(std::vector<Rung> &to);
  void add_chapters(std::vector<Rung> &to, const Applications &of);
  Result<void> scan_and_scatter(cl::Kernel &flag, cl::Kernel &scatter, size_t n);

  const Inputs &inputs_;
  Device device_;
  cl::Buffer floats_, keys_, picture_, out_, copied_, places_, kept_;  // what is copied is scratch memory of applications too
  std::vector<float> host_out_;
  bool is_on_host_ = false;  // whether the last result is the host's
};

Result<std::unique_ptr<Machine>> OpenclDevice::create(const Inputs &inputs, Device device) {
  std::unique_ptr<OpenclDevice> machine(new OpenclDevice(inputs, std::move(device)));
  return machine->make_buffers().map([&] { return std::unique_ptr<Machine>(std::move(machine)); });
}

Result<void> OpenclDevice::make_buffers() {
  const size_t bytes = inputs_.floats.size() * sizeof(float);
  host_out_.resize(inputs_.result_bytes() / sizeof(float));
  const auto make = [&](cl::Buffer &buffer, size_t size, const void *from) {
    cl_int error = CL_SUCCESS;
    buffer = cl::Buffer(device_.context, CL_MEM_READ_WRITE, size, nullptr, &error);
    if (error == CL_SUCCESS && from) error = device_.queue.enqueueWriteBuffer(buffer, CL_TRUE, 0, size, from);
    return check(error, "make a buffer");
  };
  return make(floats_, bytes, inputs_.floats.data())
      .and_then([&] { return make(keys_, bytes, inputs_.keys.data()); })
      .and_then([&] { return make(picture_, inputs_.picture.size(), inputs_.picture.data()); })
      .and_then([&] { return make(out_, inputs_.result_bytes(), nullptr); })
      .and_then([&] { return make(copied_, inputs_.result_bytes(), nullptr); })
      .and_then([&] { return make(places_, inputs_.result_bytes(), nullptr); })
      .and_then([&] { return make(kept_, sizeof(cl_uint), nullptr); });
}

void OpenclDevice::add(std::vector<Rung> &to, Figure figure, std::string name, std::function<Result<void>(size_t)> start,
                       size_t most) {
  to.push_back({figure, std::move(name), most, [this, start = std::move(start)](size_t n) {
                  is_on_host_ = false;
                  return start(n);
                }});
}

// Omits kernels that the device cannot run.
void OpenclDevice::add_block_scans(std::vector<Rung> &to) {
  const BlockScan kWays[] = {
      {"naive", "naive_blocks", 256, 1},
      {"work-efficient", "tree_blocks", 256, 2},
      {"work-efficient, unrolled", "tree_blocks", 256, 2, false, true},
      {"work-efficient, padded", "tree_blocks", 256, 2, true},
      {"work-efficient, padded, unrolled", "tree_blocks", 256, 2, true, true},
      {"work-efficient, 8 elements an item", "quad_blocks", 256, 8, true, true},
      {"work-group function", "function_blocks", 256, 1},
  };
  for (const BlockScan &way : kWays)
    if (auto scanner = BlockScanner::create(device_, way, inputs_.floats.size()))
      add(to, Figure::kScan, way.name, [this, s = *scanner](size_t n) mutable { return s.scan(floats_, out_, n); });
  const BlockScan kOneBlock[] = {
      {"naive", "naive_blocks", kChunk, 1},
      {"work-efficient", "tree_blocks", kChunk / 2, 2},
      {"work-efficient, padded", "tree_blocks", kChunk / 2, 2, true},
      {"work-efficient, padded, unrolled", "tree_blocks", kChunk / 2, 2, true, true},
      {"work-efficient, 8 elements an item", "quad_blocks", kChunk / 8, 8, true, true},
      {"work-group function", "function_blocks", kChunk, 1},
  };
  for (const BlockScan &way : kOneBlock)
    if (auto scanner = BlockScanner::create(device_, way, kChunk))
      add(to, Figure::kBlock, way.name,
          [this, s = *scanner](size_t) mutable { return s.scan_block(floats_, out_, kBlockRepeats); });
}

void OpenclDevice::add_library_scans(std::vector<Rung> &to) {
  const auto scan = [this](size_t n, auto... options) {
    return call(
        opencl::exclusive_sum(opencl::buffer<float>(floats_), opencl::buffer<float>(out_), n, device_.queue, options...));
  };
  opencl::plan three;
  three.launches = 3;
  add(to, Figure::kScan, "library, three launches", [=](size_t n) { return scan(n, three); });
  add(to, Figure::kScan, "library", [=](size_t n) { return scan(n); });
}

// Section 39.3.1, with the library's scan.
Result<void> OpenclDevice::scan_and_scatter(cl::Kernel &flag, cl::Kernel &scatter, size_t n) {
  const cl::NDRange items((n + 255) / 256 * 256), group(256);
  const auto places = opencl::buffer<uint32_t>(places_);
  flag.setArg(0, keys_);
  flag.setArg(1, places_);
  flag.setArg(2, static_cast<cl_uint>(n));
  scatter.setArg(0, keys_);
  scatter.setArg(1, places_);
  scatter.setArg(2, out_);
  scatter.setArg(3, static_cast<cl_uint>(n));
  return check(device_.queue.enqueueNDRangeKernel(flag, cl::NullRange, items, group), "launch the flags")
      .and_then([&] {
        return call(opencl::exclusive_sum(places, places, n, device_.queue, opencl::total_to(opencl::buffer<uint32_t>(kept_))));
      })
      .and_then([&] {
        return check(device_.queue.enqueueNDRangeKernel(scatter, cl::NullRange, items, group), "launch the scatter");
      });
}

void OpenclDevice::add_chapters(std::vector<Rung> &to, const Applications &of) {
  add(to, Figure::kCompaction, "flags, scan, search and gather",
      [this, a = of](size_t n) mutable { return a.compact_by_gather(keys_, out_, kept_, n); });
  add(to, Figure::kSort, "splits of one bit", [this, a = of](size_t n) mutable { return a.sort_by_splits(keys_, out_, n); });
  add(to, Figure::kSort, "chunks by splits, and bitonic merges",
      [this, a = of](size_t n) mutable { return a.sort_by_merges(keys_, out_, n); });
  add(to, Figure::kTable, "scans of rows and transposes",
      [this, a = of](size_t n) mutable { return a.summed_area_table(picture_, out_, side_of(n), side_of(n)); });
}

void OpenclDevice::add_applications(std::vector<Rung> &to) {
  const auto keys = opencl::buffer<uint32_t>(keys_), out = opencl::buffer<uint32_t>(out_);
  if (const auto program = build_program(device_, kRungsSource, options_of(device_, {}))) {
    add(to, Figure::kCompaction, "flags, scan, scatter",
        [this, flag = cl::Kernel(*program, "flag"), scatter = cl::Kernel(*program, "scatter")](size_t n) mutable {
          return scan_and_scatter(flag, scatter, n);
        });
  }
  if (auto applications = Applications::create(device_, inputs_.floats.size(), places_, copied_))
    add_chapters(to, *applications);
  add(to, Figure::kCompaction, "library", [=, this](size_t n) {
    const opencl::function is_kept("is_kept", "bool is_kept(uint key) { return key >> 31; }");
    return call(opencl::select_if(keys, out, opencl::buffer<uint32_t>(kept_), n, is_kept, device_.queue));
  });
  add(to, Figure::kSort, "library", [=, this](size_t n) { return call(opencl::sort_keys(keys, out, n, device_.queue)); });
  add(to, Figure::kTable, "library", [=, this](size_t n) {
    const uint64_t side = side_of(n);
    return call(opencl::summed_area_table(opencl::buffer<uint8_t>(picture_), out, {side, side, kChannels}, device_.queue));
  });
}

std::vector<Rung> OpenclDevice::rungs() {
  std::vector<Rung> all = {sequential_on_host(inputs_, host_out_)};
  all[0].start = [this, start = all[0].start](size_t n) {
    is_on_host_ = true;
    return start(n);
  };
  const auto program = build_program(device_, kRungsSource, options_of(device_, {}));
  if (program) {
    add(
        all, Figure::kScan, "sequential, one work-item",
        [this, kernel = cl::Kernel(*program, "sequential")](size_t n) mutable {
          kernel.setArg(0, floats_);
          kernel.setArg(1, out_);
          kernel.setArg(2, static_cast<cl_uint>(n));
          return check(device_.queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(1), cl::NDRange(1)), "launch");
        },
        kMostOfOneItem);
  }
  add_block_scans(all);
  add_library_scans(all);
  add_applications(all);
  return all;
}

}  // namespace

Result<std::unique_ptr<Machine>> device_machine(const Inputs &inputs, const std::string &choice) {
  prefer_own_driver();
  return choose_device(choice).and_then(open_device).and_then([&](Device device) {
    return OpenclDevice::create(inputs, std::move(device));
  });
}

}  // namespace upsweep::cli::textbooks
