// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds programs: sends requests to the compiler and loads the results.
#include "runtime/objects/program_build.h"
#include "compiler/client/binary.h"
#include "runtime/trace/trace.h"

namespace upsweep {
namespace {

using compiler::Reply;
using compiler::Status;

struct Outcome {
  Status status;
  DeviceBuild build;
  bool from_cache = false;
};

void append_line(std::string &log, const std::string &line) {
  if (!log.empty()) log += '\n';
  log += line;
}

/// Converts the compiler's reply to the device's build state; loads executables.
Outcome take_reply(Reply reply, Target &target) {
  Outcome outcome{reply.status, {}, reply.from_cache};
  outcome.build.status = CL_BUILD_ERROR;
  outcome.build.log = std::move(reply.log);
  if (reply.status != Status::kSuccess) return outcome;
  const auto view = compiler::open_binary(reply.binary);
  if (view && view->kind == compiler::BinaryKind::kExecutable) {
    auto code = target.load_code(view->shared_object);
    if (!code) {
      append_line(outcome.build.log, code.error().text);
      outcome.status = Status::kBuildFailure;
      return outcome;
    }
    outcome.build.code = *std::move(code);
  }
  outcome.build.status = CL_BUILD_SUCCESS;
  outcome.build.type = *binary_type(reply.binary);
  outcome.build.binary = std::move(reply.binary);
  return outcome;
}

/// The outcome of ask(), which may come from the disk cache. A cached program that cannot be loaded is compiled again.
template <typename Ask>
Outcome take_reply_of(const Ask &ask, Target &target) {
  Reply reply = ask(compiler::Cached::kReturn);
  const bool may_be_stale = reply.from_cache;
  Outcome outcome = take_reply(std::move(reply), target);
  if (may_be_stale && outcome.status != Status::kSuccess) outcome = take_reply(ask(compiler::Cached::kRemove), target);
  return outcome;
}

/// Makes an executable from the application's binary, which may come from another machine or an older compiler.
Outcome build_binary(const Bytes &binary, const std::string &options, Target &target) {
  const auto view = compiler::open_binary(binary);
  Outcome outcome{Status::kInvalidBinary, {}};
  if (view && compiler::runs_here(*view, target.code_target())) outcome = take_reply({Status::kSuccess, {}, binary}, target);
  outcome.from_cache = true;
  // Code for another version of the contract with the driver fails to load.
  auto lower = [&](compiler::Cached cached) { return compiler::lower(binary, options, target.code_target(), cached); };
  if (outcome.status != Status::kSuccess) outcome = take_reply_of(lower, target);
  // kept, since the application may retry with other options
  if (outcome.status != Status::kSuccess) outcome.build.binary = binary;
  return outcome;
}

/// Calls make(i, target) for each device, but reuses an earlier result if same(i, j) says that two devices of one target need
/// the same. `call`: the function of the API.
template <typename Make, typename Same>
Status build_each(const char *call, Program &program, std::span<const size_t> indices, const Make &make, const Same &same) {
  Status status = Status::kSuccess;
  std::vector<Outcome> outcomes;
  auto target = [&](size_t i) -> Target & { return program.devices()[indices[i]]->target(); };
  for (size_t i = 0; i < indices.size(); ++i) {
    size_t known = 0;
    while (known < i && !(&target(known) == &target(i) && same(known, i))) ++known;
    if (known < i) {
      outcomes.push_back(outcomes[known]);
    } else {
      TraceBuildScope traced(call, program.devices()[indices[i]]->properties().name.c_str());
      outcomes.push_back(make(i, target(i)));
      traced.set_outcome(outcomes[i].from_cache, outcomes[i].status != Status::kSuccess);
    }
    if (outcomes[i].status != Status::kSuccess) status = outcomes[i].status;
  }
  // Store all outcomes last, so that no device appears built before the others of the call.
  for (size_t i = 0; i < indices.size(); ++i) program.end_build(indices[i], std::move(outcomes[i].build));
  return status;
}

bool always_same(size_t, size_t) { return true; }

}  // namespace

std::optional<cl_program_binary_type> binary_type(ByteSpan binary) {
  const auto view = compiler::open_binary(binary);
  if (!view) return std::nullopt;
  switch (view->kind) {
  case compiler::BinaryKind::kObject: return CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT;
  case compiler::BinaryKind::kLibrary: return CL_PROGRAM_BINARY_TYPE_LIBRARY;
  case compiler::BinaryKind::kExecutable: return CL_PROGRAM_BINARY_TYPE_EXECUTABLE;
  }
  return std::nullopt;
}

Status build_program(Program &program, std::span<const size_t> indices, const std::string &options) {
  if (program.origin() == Program::Origin::kSource || program.origin() == Program::Origin::kIntermediate)
    return build_each(
        "clBuildProgram", program, indices,
        [&](size_t, Target &target) {
          compiler::SourceRequest request = {program.source(), {}, options, target.code_target()};
          request.is_spirv = program.origin() == Program::Origin::kIntermediate;
          request.specialisations = program.specialisations();
          return take_reply_of([&](compiler::Cached cached) { return compiler::build(request, cached); }, target);
        },
        always_same);
  std::vector<Bytes> binaries;
  for (size_t index : indices) binaries.push_back(program.build_of(index).binary);
  return build_each(
      "clBuildProgram", program, indices, [&](size_t i, Target &target) { return build_binary(binaries[i], options, target); },
      [&](size_t i, size_t j) { return binaries[i] == binaries[j]; });
}

Status compile_program(Program &program, std::span<const size_t> indices, const compiler::SourceRequest &request) {
  return build_each(
      "clCompileProgram", program, indices,
      [&](size_t, Target &target) {
        compiler::SourceRequest of_target = request;
        of_target.target = target.code_target();
        return take_reply(compiler::compile(of_target), target);
      },
      always_same);
}

Status link_program(Program &program, std::span<const size_t> indices, const std::vector<std::vector<Bytes>> &inputs,
                    const std::string &options) {
  auto link = [&](size_t i, Target &target) {
    const std::vector<ByteSpan> spans(inputs[i].begin(), inputs[i].end());
    auto ask = [&](compiler::Cached cached) { return compiler::link(spans, options, target.code_target(), cached); };
    return take_reply_of(ask, target);
  };
  return build_each("clLinkProgram", program, indices, link, [&](size_t i, size_t j) { return inputs[i] == inputs[j]; });
}

}  // namespace upsweep
