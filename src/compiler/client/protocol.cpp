// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Requests and results as bytes.
#include "compiler/client/protocol.h"

#include "base/wire.h"
#include "compiler/client/gpu_image.h"

namespace upsweep::compiler {

namespace {

/// Encodes source, options and inputs.
void encode_content(WireWriter &writer, const Request &request) {
  writer.put(kProtocolVersion).put(request.kind).put(std::string_view(request.source)).put(request.headers.size());
  for (const Header &header : request.headers) writer.put(std::string_view(header.name)).put(std::string_view(header.text));
  writer.put(std::string_view(request.options)).put(request.inputs.size());
  for (ByteSpan input : request.inputs) writer.put(input);
  writer.put(request.is_spirv).put(request.specialisations.size());
  for (const Specialisation &each : request.specialisations) writer.put(each.id).put(ByteSpan(each.value));
}

}  // namespace

void encode_identity(WireWriter &writer, const Request &request) {
  encode_content(writer, request);
  // An object is identical for all devices with the same features.
  if (request.kind == RequestKind::kCompile)
    writer.put(features_of(request.target));
  else
    writer.put(std::string_view(request.target)).put(request.vector_lanes).put(std::string_view(request.cpu));
  if (!request.checks.empty()) writer.put(std::string_view(request.checks));
  writer.put(request.verify);  // an unchecked result must not answer a request with checks
  // Each of these may permit sources that are refused otherwise.
  writer.put(request.allow_unsafe_source).put(request.sandbox != Sandbox::kOff);
}

Bytes encode(const Request &request) {
  WireWriter writer;
  encode_content(writer, request);
  writer.put(std::string_view(request.folder)).put(std::string_view(request.target)).put(request.vector_lanes);
  writer.put(std::string_view(request.cpu)).put(request.verify).put(std::string_view(request.checks));
  writer.put(request.allow_unsafe_source).put(request.sandbox);
  return writer.take();
}

std::optional<Request> decode_request(ByteSpan bytes) {
  WireReader reader(bytes);
  if (reader.get<uint32_t>() != kProtocolVersion) return std::nullopt;
  Request request;
  request.kind = reader.get<RequestKind>();
  request.source = reader.text();
  for (auto count = reader.get<size_t>(); count > 0 && reader.ok(); --count) {
    std::string name(reader.text());
    request.headers.push_back({std::move(name), std::string(reader.text())});
  }
  request.options = reader.text();
  for (auto count = reader.get<size_t>(); count > 0 && reader.ok(); --count) request.inputs.push_back(reader.bytes());
  request.is_spirv = reader.get<bool>();
  for (auto count = reader.get<size_t>(); count > 0 && reader.ok(); --count) {
    const auto id = reader.get<uint32_t>();
    const ByteSpan value = reader.bytes();
    request.specialisations.push_back({id, {value.begin(), value.end()}});
  }
  request.folder = reader.text();
  request.target = reader.text();
  request.vector_lanes = reader.get<bool>();
  request.cpu = reader.text();
  request.verify = reader.get<bool>();
  request.checks = reader.text();
  request.allow_unsafe_source = reader.get<bool>();
  request.sandbox = reader.get<Sandbox>();
  return reader.at_end() ? std::optional(std::move(request)) : std::nullopt;
}

void encode(WireWriter &writer, const std::vector<Dependency> &dependencies) {
  writer.put(dependencies.size());
  for (const Dependency &dependency : dependencies)
    writer.put(std::string_view(dependency.path)).put(dependency.state).put(dependency.contents);
}

std::vector<Dependency> decode_dependencies(WireReader &reader) {
  std::vector<Dependency> dependencies;
  for (auto count = reader.get<size_t>(); count > 0 && reader.ok(); --count) {
    Dependency dependency;
    dependency.path = reader.text();
    dependency.state = reader.get<Dependency::State>();
    dependency.contents = reader.get<Hash>();
    dependencies.push_back(std::move(dependency));
  }
  return dependencies;
}

Bytes encode(const Result &result) {
  WireWriter writer;
  writer.put(result.reply.status)
      .put(std::string_view(result.reply.log))
      .put(ByteSpan(result.reply.binary))
      .put(result.cacheable)
      .put(result.folder_matters);
  encode(writer, result.dependencies);
  return writer.take();
}

std::optional<Result> decode_result(ByteSpan bytes) {
  WireReader reader(bytes);
  Result result;
  result.reply.status = reader.get<Status>();
  result.reply.log = reader.text();
  ByteSpan binary = reader.bytes();
  result.reply.binary.assign(binary.begin(), binary.end());
  result.cacheable = reader.get<bool>();
  result.folder_matters = reader.get<bool>();
  result.dependencies = decode_dependencies(reader);
  return reader.at_end() ? std::optional(std::move(result)) : std::nullopt;
}

}  // namespace upsweep::compiler
