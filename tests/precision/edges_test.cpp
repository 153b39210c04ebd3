// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The results that C99 and OpenCL C prescribe (edges.def), in every type and width: exactly these, with signs of zeros. First
// the arguments of all rows of a function are neighbours, so that lanes of a sub-group take different branches. Then each row
// fills sub-groups.
#include "format.h"
#include "opened_device.h"
#include "tests/precision/edges.h"

#include <gtest/gtest.h>

#include <climits>
#include <cmath>
#include <map>
#include <string>

namespace upsweep::precision {
namespace {

enum class Kind { kNumber, kGreatest, kNormal, kLeast, kAboveOne };

/// A number, or a number of the type itself, such as its greatest.
struct Value {
  constexpr Value(double value) : number(value) {}  // NOLINT(google-explicit-constructor): rows are easier to read
  constexpr explicit Value(Kind of) : kind(of) {}
  constexpr Value operator-() const {
    Value negative = *this;
    negative.number = -number;
    return negative;
  }
  [[nodiscard]] double in(const Format &format) const {
    switch (kind) {
    case Kind::kNumber: return number;
    case Kind::kGreatest: return number * (std::ldexp(1.0, format.max_exponent - 1) * (2 - std::ldexp(1.0, 1 - format.digits)));
    case Kind::kNormal: return number * std::ldexp(1.0, format.min_exponent - 1);
    case Kind::kLeast: return number * std::ldexp(1.0, format.min_exponent - format.digits);
    case Kind::kAboveOne: return number * (1 + std::ldexp(1.0, 1 - format.digits));
    }
    return NAN;
  }

  double number = 1;  ///< times the type's own
  Kind kind = Kind::kNumber;
};
constexpr Value kGreatest(Kind::kGreatest), kNormal(Kind::kNormal), kLeast(Kind::kLeast), kAboveOne(Kind::kAboveOne);

struct Edge {
  const char *call;
  Value x, y, z;
  int n;
  Value result;
};

constexpr Edge kEdges[] = {
#define UPSWEEP_EDGE(call, x, result) {#call, x, 0, 0, 0, result},
#define UPSWEEP_EDGE2(call, x, y, result) {#call, x, y, 0, 0, result},
#define UPSWEEP_EDGE3(call, x, y, z, result) {#call, x, y, z, 0, result},
#define UPSWEEP_EDGE_N(call, x, n, result) {#call, x, 0, 0, n, result},
#define UPSWEEP_ODD(call, x, result) {#call, x, 0, 0, 0, result}, {#call, -Value(x), 0, 0, 0, -Value(result)},
#define UPSWEEP_EVEN(call, x, result) {#call, x, 0, 0, 0, result}, {#call, -Value(x), 0, 0, 0, result},
#include "edges.def"
};

constexpr size_t kRepeats = 48;  ///< a multiple of every width, and of the lanes of a sub-group
constexpr int kWidths[] = {1, 2, 3, 4, 8, 16};

/// The functions of OpenCL C, and all other functions of float whose names begin with half_ and that "must conform to the same
/// edge case requirements".
std::map<std::string, std::vector<Edge>> edges_by_call() {
  std::map<std::string, std::vector<Edge>> calls;
  for (const Edge &edge : kEdges) calls[edge.call].push_back(edge);
  for (const std::string name : {"cos(x)", "exp(x)", "exp10(x)", "exp2(x)", "log(x)", "log10(x)", "log2(x)", "powr(x, y)",
                                 "rsqrt(x)", "sin(x)", "sqrt(x)", "tan(x)"})
    calls["half_" + name] = calls[name];
  calls["half_recip(x)"] = calls["1 / x"];
  calls["half_divide(x, y)"] = calls["x / y"];
  for (auto &[call, edges] : calls)
    if (edges.front().n == 0 && call.find(", n)") == call.npos && call.find(", y") == call.npos && call != "x / y")
      edges.push_back({"", NAN, 0, 0, 0, NAN});
  return calls;
}

bool same(double a, double b) { return a == b ? std::signbit(a) == std::signbit(b) : std::isnan(a) && std::isnan(b); }

using Call = std::pair<const std::string, std::vector<Edge>>;
// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest's
void PrintTo(const Call &call, std::ostream *out) { *out << call.first; }

class Edges : public testing::TestWithParam<Call> {
protected:
  /// Sub-groups of different rows, then sub-groups of one row each.
  static std::vector<Edge> arranged(const std::vector<Edge> &edges) {
    std::vector<Edge> all;
    for (size_t i = 0; i < kRepeats * edges.size(); ++i) all.push_back(edges[i % edges.size()]);
    for (const Edge &edge : edges) all.insert(all.end(), kRepeats, edge);
    return all;
  }

  static void check(const Format &format) {
    const cli::Device &device = opened_device();
    const std::vector<Edge> edges = arranged(GetParam().second);
    Values values[4] = {Values(format), Values(format), Values(format), Values(format)};
    std::vector<int> ns;
    for (const Edge &edge : edges) {
      values[0].push(encode(format, edge.x.in(format)));
      values[1].push(encode(format, edge.y.in(format)));
      values[2].push(encode(format, edge.z.in(format)));
      ns.push_back(edge.n);
    }
    values[3].resize(edges.size());
    const auto program = cli::build_program(
        device, fmt::format("#define T {}\n#define CALL {}\n{}", format.type, GetParam().first, kEdgesSource), "-cl-std=CL3.0");
    ASSERT_TRUE(program) << program.error();
    std::vector<cl::Buffer> buffers;
    for (Values &each : values) buffers.emplace_back(device.context, CL_MEM_COPY_HOST_PTR, each.byte_count(), each.data());
    buffers.emplace(buffers.begin() + 3, device.context, CL_MEM_COPY_HOST_PTR, ns.size() * sizeof(int), ns.data());
    for (const int width : kWidths) {
      cl::Kernel kernel(*program, fmt::format("apply_{}", width).c_str());
      for (cl_uint i = 0; i < buffers.size(); ++i) kernel.setArg(i, buffers[i]);
      const cl::NDRange items(edges.size() / static_cast<size_t>(width));
      ASSERT_EQ(device.queue.enqueueNDRangeKernel(kernel, cl::NullRange, items), CL_SUCCESS);
      ASSERT_EQ(device.queue.enqueueReadBuffer(buffers[4], CL_TRUE, 0, values[3].byte_count(), values[3].data()), CL_SUCCESS);
      for (size_t i = 0, shown = 0; i < edges.size() && shown < 20; ++i)
        if (const double want = edges[i].result.in(format); !same(values[3][i], want) && ++shown != 0)
          ADD_FAILURE() << format.type << width << std::hexfloat << " of " << values[0][i] << ", " << values[1][i] << ", "
                        << values[2][i] << ", " << ns[i] << ": " << values[3][i] << " instead of " << want;
    }
  }
};

TEST_P(Edges, GivenAnArgumentWhoseResultIsPrescribed_WhenCalled_ThenItIsExactlyThat) {
  for (const Format &format : {kHalf, kFloat, kDouble})
    if (format.bytes == 4 || !GetParam().first.starts_with("half_")) check(format);
}

std::string name_of(const testing::TestParamInfo<Call> &test) {
  std::string name;
  for (const char c : test.param.first == "1 / x" ? "reciprocal" : test.param.first == "x / y" ? "divide" : test.param.first)
    if (std::isalnum(static_cast<unsigned char>(c)) || c == '_') name += c;
  return name;
}

INSTANTIATE_TEST_SUITE_P(Functions, Edges, testing::ValuesIn(edges_by_call()), name_of);

}  // namespace
}  // namespace upsweep::precision
