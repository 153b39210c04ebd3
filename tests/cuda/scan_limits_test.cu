// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device-wide scans on an imitation of smaller GPUs: shared memory holds few stages, and not all blocks run at the same time,
// so that each takes its tile by a ticket.
#include "scan_check.h"

using namespace upsweep::test;
namespace detail = upsweep::cuda::detail;

namespace {

using Word = std::uint32_t;

template <class Segments>
using Sum = detail::ScanProblem<Word, const Word *, Word *, cuda::plus, detail::Unchanged, detail::Unchanged, Segments, true,
                                false, false, false>;

// Some of these stages fit on no GPU. 400 blocks are more than run together, and have less than two tiles each.
constexpr int kStages[] = {2, 3, 4, 9};
constexpr int kBlocks[] = {1, 7, 400};
constexpr std::size_t kElements = 3000017;

template <class Segments>
class Limits {
public:
  Limits(const char *what, Segments segments, const std::vector<Word> &values, std::vector<Word> expected)
      : what_(what), in_(values, 0), out_(values.size(), 0), expected_(std::move(expected)),
        space_(cuda::scan_workspace_bytes<Word>(values.size())),
        problem_{in_.data(), out_.data(), {values.size()}, {}, {}, nullptr, {}, {}, segments, nullptr, nullptr, 0} {
    const cuda::workspace space = space_;
    auto *bytes = static_cast<unsigned char *>(space.data);
    problem_.state = reinterpret_cast<detail::ScanState *>(bytes);
    problem_.words = reinterpret_cast<decltype(problem_.words)>(bytes + detail::kStateBytes);
    problem_.words_bytes = space.bytes - detail::kStateBytes;
  }

  // Two calls each; the second starts from the first one's state.
  template <class Geometry>
  void check() {
    const auto launch = detail::launch_pipeline<Sum<Segments>, Geometry>;
    detail::DeviceLimits limits;
    UPSWEEP_CUDA(detail::DeviceLimits::of_current(limits));
    if (Geometry::kBulkIn && limits.major < 9) {
      return;
    }
    for (const int stages : kStages) {
      const int bytes = static_cast<int>(Geometry::shared_bytes(stages));
      for (const int blocks : kBlocks) {
        for (int call = 0; call < 2 && bytes <= limits.shared_bytes; ++call) {
          const std::string what = what_ + ", bulk: " + std::to_string(Geometry::kBulkIn) +
                                   ", warps: " + std::to_string(Geometry::kWarps) + ", stages: " + std::to_string(stages) +
                                   ", blocks: " + std::to_string(blocks);
          const detail::DeviceLimits less{limits.device, blocks, bytes, limits.major};
          out_.poison();
          UPSWEEP_CUDA(launch(problem_, expected_.size(), less, nullptr));
          expect_same(what, out_.download(), expected_);
        }
      }
    }
  }

private:
  std::string what_;
  Placed<Word> in_, out_;
  std::vector<Word> expected_;
  Space space_;
  Sum<Segments> problem_;
};

template <class Segments>
void check_limits(const char *what, Segments segments, const std::vector<Word> &values, std::vector<Word> expected) {
  Limits<Segments> limits(what, segments, values, std::move(expected));
  using Tuning = detail::ScanTuning<Sum<Segments>>;
  limits.template check<typename Tuning::template Geometry<false>>();
  limits.template check<typename Tuning::template Geometry<true>>();
}

}  // namespace

UPSWEEP_TEST(GivenLittleRoom_WhenScanned_ThenResultsAreRight) {
  const std::vector<Word> values = scan_values<Word>(std::min(kElements, most_elements()));
  check_limits("whole array", detail::Whole{}, values, inclusive_reference(values, cuda::plus{}));
}

UPSWEEP_TEST(GivenLittleRoom_WhenSegmentsAreScanned_ThenResultsAreRight) {
  const std::vector<Word> values = scan_values<Word>(std::min(kElements, most_elements()));
  constexpr std::size_t kLength = 1013;
  std::vector<Word> offsets;
  for (std::size_t at = 0; at < values.size(); at += kLength) {
    offsets.push_back(static_cast<Word>(at));
  }
  const auto expected =
      reference<true>(values, cuda::plus{}, Word(0), false, [](std::size_t i) { return i % kLength == 0; }).results;
  DeviceArray<Word> list(offsets);
  DeviceArray<unsigned char> heads(detail::heads_workspace_bytes(values.size(), sizeof(Word)));
  const detail::ByOffset<Word> segments{{heads.data()}, list.data(), offsets.size()};
  UPSWEEP_CUDA(detail::list_heads<detail::ScanTuning<Sum<detail::ByHeads>>::Geometry<false>>(segments, values.size(), nullptr));
  check_limits<detail::ByHeads>("segments", segments, values, expected);
}
