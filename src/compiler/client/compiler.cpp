// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Looks in the cache, then asks the server.
#include "compiler/client/compiler.h"

#include "base/checks.h"
#include "base/options.h"
#include "base/wire.h"
#include "compiler/client/binary.h"
#include "compiler/client/connection.h"
#include "compiler/client/disk_cache.h"
#include "compiler/client/gpu_image.h"
#include "compiler/client/server_process.h"
#include "compiler/client/source_copies.h"

#include <exception>
#include <filesystem>

namespace upsweep::compiler {
namespace {

/// Empty if the folder was removed or is outside the root folder.
std::string current_folder() {
  std::error_code error;
  const auto folder = std::filesystem::current_path(error);
  return error || !folder.is_absolute() ? std::string() : folder.string();
}

bool has_source(const Request &request) { return request.kind == RequestKind::kBuild || request.kind == RequestKind::kCompile; }

/// The cache key; an empty `folder` gives the key of results that are valid in any folder.
Bytes cache_key(const Request &request, const std::string &build_id, std::string_view folder) {
  WireWriter writer;
  writer.put(std::string_view(build_id)).put(folder);
  encode_identity(writer, request);
  return writer.take();
}

/// The cached reply, if there is one that may be used.
std::optional<Reply> take_cached(const Bytes &key, Cached cached) {
  const DiskCache &cache = DiskCache::instance();
  if (cached == Cached::kRemove) {
    cache.remove(key);
    return std::nullopt;
  }
  std::optional<Reply> reply = cache.find(key);
  if (reply) reply->from_cache = true;
  return reply;
}

/// A misspelled value counts as the default, so that it cannot turn the confinement off.
Sandbox chosen_sandbox() {
  if (options().compiler_sandbox == "off") return Sandbox::kOff;
  return options().compiler_sandbox == "required" ? Sandbox::kRequired : Sandbox::kOn;
}

Reply answer(Request request, Cached cached) {
  if (auto checks = parse_checks(options().check); !checks)
    return {Status::kBuildFailure, "error: UPSWEEP_CHECK: " + checks.error(), {}};
  if (request.target.empty()) request.target = target_id();
  if (!is_gpu_target(request.target)) request.checks = enabled_checks().text();
  request.vector_lanes = options().lanes != "scalar";
  request.cpu = options().cpu;
  request.verify = options().verify;
  request.allow_unsafe_source = options().allow_unsafe_source;
  request.sandbox = chosen_sandbox();
  const std::string build_id = compiler_build_id();
  if (build_id.empty()) return {Status::kUnavailable, why_no_compiler(), {}};
  const Bytes anywhere = cache_key(request, build_id, {});
  if (std::optional<Reply> reply = take_cached(anywhere, cached)) return std::move(*reply);
  request.folder = current_folder();
  const Bytes here = request.folder.empty() ? Bytes() : cache_key(request, build_id, request.folder);
  if (!here.empty())
    if (std::optional<Reply> reply = take_cached(here, cached)) return std::move(*reply);
  Result result = ask_server(request, build_id);
  if (result.cacheable && !(result.folder_matters && here.empty()))
    DiskCache::instance().store(result.folder_matters ? here : anywhere, result);
  // Tell the user about options that the application did not pass.
  if (result.reply.status == Status::kInvalidOptions && has_source(request) && !options().build_options.empty())
    result.reply.log += "\nnote: UPSWEEP_BUILD_OPTIONS adds '" + options().build_options + "'";
  return std::move(result.reply);
}

/// The driver calls this across a C boundary, so an exception, usually lack of memory, becomes a failed build.
template <typename MakeRequest>
Reply answer_or_failure(Cached cached, MakeRequest make) noexcept {
  try {
    return answer(make(), cached);
  } catch (const std::exception &) {
    return {Status::kUnavailable, {}, {}};
  }
}

Request source_request(RequestKind kind, const SourceRequest &from) {
  Request request;
  request.kind = kind;
  request.source = from.source;
  if (!from.is_spirv && !options().sources.empty()) request.source = kept_source(options().sources, std::move(request.source));
  request.headers = from.headers;
  request.options = from.options;
  if (!options().build_options.empty()) request.options += " " + options().build_options;
  if (is_gpu_target(from.target) && options().gpu_lines) request.options += " -gline-tables-only";
  request.target = from.target;
  request.is_spirv = from.is_spirv;
  request.specialisations = from.specialisations;
  return request;
}

}  // namespace

Reply build(const SourceRequest &request, Cached cached) noexcept {
  return answer_or_failure(cached, [&] { return source_request(RequestKind::kBuild, request); });
}

Reply compile(const SourceRequest &request) noexcept {
  return answer_or_failure(Cached::kReturn, [&] { return source_request(RequestKind::kCompile, request); });
}

Reply link(std::span<const ByteSpan> inputs, std::string_view options, std::string_view target, Cached cached) noexcept {
  return answer_or_failure(cached, [&] {
    Request request;
    request.kind = RequestKind::kLink;
    request.inputs.assign(inputs.begin(), inputs.end());
    request.options = options;
    request.target = target;
    return request;
  });
}

Reply lower(ByteSpan binary, std::string_view options, std::string_view target, Cached cached) noexcept {
  return answer_or_failure(cached, [&] {
    Request request;
    request.kind = RequestKind::kLower;
    request.inputs = {binary};
    request.options = options;
    request.target = target;
    return request;
  });
}

}  // namespace upsweep::compiler
