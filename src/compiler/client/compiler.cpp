// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The cache, then the server.
#include "compiler/client/compiler.h"

#include "base/options.h"
#include "compiler/client/binary.h"
#include "compiler/client/connection.h"
#include "compiler/client/disk_cache.h"
#include "compiler/client/gpu_image.h"
#include "compiler/client/server_process.h"

#include <algorithm>
#include <exception>

namespace upsweep::compiler {
namespace {

std::string current_folder() {
  std::error_code error;
  auto folder = std::filesystem::current_path(error);
  return error ? "/" : folder.string();
}

bool has_source(const Request &request) { return request.kind == RequestKind::kBuild || request.kind == RequestKind::kCompile; }

/// Files are only read where the word occurs; everything else compiles alike in every folder.
bool may_include(const Request &request) {
  auto mentions = [](std::string_view text) { return text.find("include") != text.npos || text.find("embed") != text.npos; };
  return mentions(request.source) || mentions(request.options) ||
         std::any_of(request.headers.begin(), request.headers.end(), [&](const Header &h) { return mentions(h.text); });
}

/// A misspelled value must not open what it was meant to close.
Sandbox chosen_sandbox() {
  if (options().compiler_sandbox == "off") return Sandbox::kOff;
  return options().compiler_sandbox == "required" ? Sandbox::kRequired : Sandbox::kOn;
}

Hash cache_key(const Request &request, const std::string &build_id) {
  Hasher hasher;
  hasher.add(uint64_t{kProtocolVersion}).add(build_id).add(static_cast<uint64_t>(request.kind)).add(request.source);
  hasher.add(uint64_t{request.headers.size()});
  for (const Header &header : request.headers) hasher.add(header.name).add(header.text);
  hasher.add(request.options).add(uint64_t{request.inputs.size()});
  for (ByteSpan input : request.inputs) hasher.add(input);
  hasher.add(may_include(request) ? request.folder : std::string());
  // An object is the same for every device with the same features.
  if (request.kind == RequestKind::kCompile)
    hasher.add(static_cast<uint64_t>(features_of(request.target)));
  else
    hasher.add(request.target);
  hasher.add(uint64_t{request.verify});  // what was not checked is no answer
  // What one of them permits must not come from the cache to those who do not.
  hasher.add(uint64_t{request.allow_unsafe_source}).add(uint64_t{request.sandbox != Sandbox::kOff});
  return hasher.finish();
}

Reply answer(Request request) {
  request.folder = current_folder();
  if (request.target.empty()) request.target = target_id();
  request.vector_lanes = options().lanes != "scalar";
  request.cpu = options().cpu;
  request.verify = options().verify;
  request.allow_unsafe_source = options().allow_unsafe_source;
  request.sandbox = chosen_sandbox();
  std::string build_id = compiler_build_id();
  if (build_id.empty())
    return {Status::kUnavailable, "upsweepc is not where it should be (UPSWEEP_COMPILER names another one)", {}};
  DiskCache &cache = DiskCache::instance();
  Hash key = cache_key(request, build_id);
  if (std::optional<Reply> reply = cache.find(key)) return std::move(*reply);
  Result result = ask_server(request);
  if (result.cacheable) cache.store(key, result);
  // What the application did not write it should not have to look for.
  if (result.reply.status == Status::kInvalidOptions && has_source(request) && !options().build_options.empty())
    result.reply.log += "\nnote: UPSWEEP_BUILD_OPTIONS adds '" + options().build_options + "'";
  return std::move(result.reply);
}

/// The driver calls across a C boundary: what is thrown here, memory exhaustion above all, is a failed build.
template <typename MakeRequest>
Reply answer_or_failure(MakeRequest make) noexcept {
  try {
    return answer(make());
  } catch (const std::exception &) {
    return {Status::kUnavailable, {}, {}};
  }
}

Request source_request(RequestKind kind, const SourceRequest &from) {
  Request request;
  request.kind = kind;
  request.source = from.source;
  request.headers = from.headers;
  request.options = from.options;
  if (!options().build_options.empty()) request.options += " " + options().build_options;
  request.target = from.target;
  return request;
}

}  // namespace

Reply build(const SourceRequest &request) noexcept {
  return answer_or_failure([&] { return source_request(RequestKind::kBuild, request); });
}

Reply compile(const SourceRequest &request) noexcept {
  return answer_or_failure([&] { return source_request(RequestKind::kCompile, request); });
}

Reply link(std::span<const ByteSpan> inputs, std::string_view options, std::string_view target) noexcept {
  return answer_or_failure([&] {
    Request request;
    request.kind = RequestKind::kLink;
    request.inputs.assign(inputs.begin(), inputs.end());
    request.options = options;
    request.target = target;
    return request;
  });
}

Reply lower(ByteSpan binary, std::string_view options, std::string_view target) noexcept {
  return answer_or_failure([&] {
    Request request;
    request.kind = RequestKind::kLower;
    request.inputs = {binary};
    request.options = options;
    request.target = target;
    return request;
  });
}

void prestart() noexcept {
  try {
    connect_to_server();
  } catch (const std::exception &) {
    return;  // the first build will say what is wrong
  }
}

bool available() noexcept {
  try {
    return !compiler_build_id().empty();
  } catch (const std::exception &) {
    return false;
  }
}

}  // namespace upsweep::compiler
