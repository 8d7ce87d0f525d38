// SPDX-License-Identifier: Apache-2.0
#include "core/bench/results/JsonParts.h"
#include "core/text/Printable.h"

namespace kinetoscope::bench::results {

namespace {

constexpr const char* kSchema = "kinetoscope.result/1";

template <class Document>
Result<ResultDocument> anyDocument(const fields::Json& json) {
    return readDocument<Document>(json).map(
        [](Document document) { return ResultDocument(std::move(document)); });
}

}  // namespace

fields::Json gpuJson(const GpuDescription& gpu) {
    return {{"name", gpu.name},
            {"uuid", gpu.uuid},
            {"architecture", gpu.architecture},
            {"driver", gpu.driver},
            {"memory_bytes", gpu.memoryBytes},
            {"l2_bytes", gpu.l2Bytes},
            {"multiprocessors", gpu.multiprocessors},
            {"max_sm_clock_mhz", gpu.maxSmClockMhz},
            {"copy_gb_per_s", gpu.copyGbPerS}};
}

GpuDescription readGpu(const fields::Json& json) {
    GpuDescription gpu;
    gpu.name = fields::text(json, "name");
    gpu.uuid = fields::text(json, "uuid");
    gpu.architecture = fields::text(json, "architecture");
    gpu.driver = fields::text(json, "driver");
    gpu.memoryBytes = fields::integer(json, "memory_bytes");
    gpu.l2Bytes = fields::integer(json, "l2_bytes");
    gpu.multiprocessors = fields::small(json, "multiprocessors");
    gpu.maxSmClockMhz = fields::number(json, "max_sm_clock_mhz");
    gpu.copyGbPerS = fields::number(json, "copy_gb_per_s");
    return gpu;
}

void writeDevice(const ResultHeader& header, fields::Json& json) {
    json["gpu"] = gpuJson(header.gpu);
}

void writeDevice(const TorchHeader& header, fields::Json& json) {
    json["gpu"] = gpuJson(header.gpu);
    json["torch"] = {{"version", header.torchVersion}, {"threads", header.threads}};
    json["device"] = header.device;
}

void readDevice(const fields::Json& json, ResultHeader& header) {
    header.gpu = readGpu(fields::object(json, "gpu"));
}

void readDevice(const fields::Json& json, TorchHeader& header) {
    header.gpu = readGpu(fields::object(json, "gpu"));
    const fields::Json& torch = fields::object(json, "torch");
    header.torchVersion = fields::text(torch, "version");
    header.threads = fields::small(torch, "threads");
    header.device = fields::text(json, "device");
}

template <class Document>
fields::Json documentJson(const Document& document) {
    fields::Json json{{"schema", kSchema},
                      {"kind", Document::kKind},
                      {"created", document.created},
                      {"machine", {{"host", document.host}, {"system", document.system}}}};
    writeDevice(document, json);
    json["command"] = document.command;
    writeBody(document, json);
    return json;
}

Result<std::string> kindOf(const fields::Json& json) {
    if (fields::text(json, "schema") != kSchema) {
        return fail("no result document: its \"schema\" is not kinetoscope.result/1");
    }
    // The first ones were all of kernels and did not say so.
    const std::string kind = fields::text(json, "kind");
    return kind.empty() ? KernelDocument::kKind : kind;
}

template <class Document>
Result<Document> readDocument(const fields::Json& json) {
    const auto kind = kindOf(json);
    if (!kind) {
        return tl::unexpected(kind.error());
    }
    if (*kind != Document::kKind) {
        return fail("this is a result of kscope bench " + text::printable(*kind) + ", not of " +
                    Document::kKind);
    }
    Document document;
    document.created = fields::text(json, "created");
    document.command = fields::text(json, "command");
    const fields::Json& machine = fields::object(json, "machine");
    document.host = fields::text(machine, "host");
    document.system = fields::text(machine, "system");
    readDevice(json, document);
    readBody(json, document);
    return document;
}

std::string resultJson(const KernelDocument& document) {
    return fields::dump(documentJson(document), 1) + "\n";
}

std::string resultJson(const OperatorDocument& document) {
    return fields::dump(documentJson(document), 1) + "\n";
}

std::string resultJson(const ModuleDocument& document) {
    return fields::dump(documentJson(document), 1) + "\n";
}

template <class Document>
Result<Document> parseResultAs(std::string_view json) {
    return fields::jsonObject(json).and_then(readDocument<Document>);
}

Result<ResultDocument> parseResult(std::string_view source) {
    const auto json = fields::jsonObject(source);
    const auto kind = json ? kindOf(*json) : tl::unexpected(json.error());
    if (!kind) {
        return tl::unexpected(kind.error());
    }
    return *kind == OperatorDocument::kKind ? anyDocument<OperatorDocument>(*json)
           : *kind == ModuleDocument::kKind ? anyDocument<ModuleDocument>(*json)
                                            : anyDocument<KernelDocument>(*json);
}

template fields::Json documentJson(const KernelDocument&);
template fields::Json documentJson(const OperatorDocument&);
template fields::Json documentJson(const ModuleDocument&);
template Result<KernelDocument> readDocument(const fields::Json&);
template Result<OperatorDocument> readDocument(const fields::Json&);
template Result<ModuleDocument> readDocument(const fields::Json&);
template Result<KernelDocument> parseResultAs(std::string_view);
template Result<OperatorDocument> parseResultAs(std::string_view);
template Result<ModuleDocument> parseResultAs(std::string_view);

}  // namespace kinetoscope::bench::results
