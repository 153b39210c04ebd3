// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The roll call of blocks that wait for each other: its results in calls with and without preparation, and after call numbers
// have wrapped without a roll call.
#include "check.h"

#include <upsweep/cuda/device/axis_roll.cuh>
#include <upsweep/cuda/device/launch.cuh>

#include <cstdint>

using namespace upsweep::test;
namespace detail = upsweep::cuda::detail;

namespace {

// The last calls of a workspace prepare.
constexpr std::uint32_t kFirstToPrepare = detail::kLastCall - 4;

struct Answer {
  std::uint32_t call, place, present, prepared;
  bool is_last;
};

__global__ void roll_call_kernel(detail::ScanState *state, Answer *answers, unsigned *prepared) {
  if (threadIdx.x != 0) {
    return;
  }
  const auto must = [](std::uint32_t call) { return call >= kFirstToPrepare; };
  const detail::RollCall roll = detail::call_roll(state, gridDim.x, must, [&] {
    // Gives blocks that wrongly do not wait the time to leave.
    for (const long long since = clock64(); clock64() - since < 100000;) {
    }
    atomicAdd(prepared, 1u);
  });
  answers[roll.place] = {roll.call, roll.place, roll.present, *static_cast<volatile unsigned *>(prepared), roll.is_last};
  if (roll.is_last) {
    detail::end_call(state, must(roll.call) ? 1 : roll.call + 1);
  }
}

class RollCalls {
public:
  explicit RollCalls(unsigned units) : units_(units), state_(std::vector<detail::ScanState>(1)), answers_(units) {
    set_call(0);
  }

  // The state that calls without a roll call leave.
  void set_call(std::uint32_t call) {
    detail::ScanState state = this->state();
    state.call_and_ticket = static_cast<unsigned long long>(call) << 32;
    state.mark = detail::kMark;
    state_.upload({state});
  }
  detail::ScanState state() const { return state_.download()[0]; }

  void run(std::uint32_t call) {
    prepared_.upload({0});
    answers_.poison();
    UPSWEEP_CUDA(detail::launch(roll_call_kernel, units_, 32, 0, nullptr, state_.data(), answers_.data(), prepared_.data()));
    const unsigned expected = call >= kFirstToPrepare ? 1 : 0;
    const std::vector<Answer> answers = answers_.download();
    for (unsigned place = 0; place < units_; ++place) {
      const Answer &answer = answers[place];
      UPSWEEP_CHECK(answer.call == call);
      UPSWEEP_CHECK(answer.place == place);
      UPSWEEP_CHECK(answer.present == answers[0].present);
      UPSWEEP_CHECK(answer.present > 0 && answer.present <= units_);
      UPSWEEP_CHECK(answer.prepared == expected);
      UPSWEEP_CHECK(answer.is_last == (place == units_ - 1));
    }
    UPSWEEP_CHECK(prepared_.download()[0] == expected);
    UPSWEEP_CHECK(state().call_and_ticket >> 32 == (expected == 1 ? 1 : call + 1));
    UPSWEEP_CHECK(state().blocks_finished == 0);
  }

private:
  unsigned units_;
  DeviceArray<detail::ScanState> state_;
  DeviceArray<Answer> answers_;
  DeviceArray<unsigned> prepared_{1};
};

}  // namespace

UPSWEEP_TEST(GivenBlocks_WhenTheRollIsCalled_ThenAllLearnHowManyArePresent) {
  for (const unsigned units : {1u, 2u, 3u, 4u}) {
    RollCalls calls(units);
    for (std::uint32_t call = 0; call < 5; ++call) {
      calls.run(call);
    }
  }
  RollCalls(100).run(0);
}

UPSWEEP_TEST(GivenNumbersOfCallsThatBeganAnew_WhenOneIsReachedAgain_ThenItsOldAnswerIsNotTaken) {
  for (const unsigned units : {1u, 2u, 4u}) {
    RollCalls calls(units);
    for (int round = 0; round < 3; ++round) {
      calls.set_call(kFirstToPrepare - 1);
      calls.run(kFirstToPrepare - 1);
      calls.run(kFirstToPrepare);
      UPSWEEP_CHECK(calls.state().present == 0);
      // Only calls without a roll call until then.
      calls.set_call(kFirstToPrepare);
      calls.run(kFirstToPrepare);
      calls.run(1);
    }
  }
}
