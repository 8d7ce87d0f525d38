// SPDX-License-Identifier: Apache-2.0
#include "core/model/Gpus.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/json/Json.h"
#include "core/text/Format.h"

namespace kinetoscope {

extern const std::string_view kGpusJson;  // resources/gpus.json

}  // namespace kinetoscope

namespace kinetoscope::model {

namespace {

using Json = nlohmann::ordered_json;

constexpr double kTera = 1e12;
constexpr double kGiga = 1e9;
constexpr std::string_view kOfProducts = "_tensor";
constexpr std::uint64_t kMebi = std::uint64_t{1} << 20U;

GpuRoof roofOf(const Json& json) {
    GpuRoof roof;
    roof.name = json.at("name").get<std::string>();
    roof.match = json.at("match").get<std::vector<std::string>>();
    roof.memoryBytesPerSecond = json.at("memory_gb_per_s").get<double>() * kGiga;
    const auto cache =
        std::max(json.at("l2_mib").get<std::uint64_t>(), json.value("l3_mib", std::uint64_t{0}));
    roof.cacheBytes = cache * kMebi;
    roof.clockMhz = json.at("clock_mhz").get<double>();
    roof.note = json.value("note", std::string());
    for (const auto& [type, peak] : json.at("tflop_per_s").items()) {
        roof.peaks.emplace_back(type, peak.get<double>() * kTera);
    }
    for (const auto& [key, source] : json.at("sources").items()) {
        roof.sources.emplace_back(key, source.get<std::string>());
    }
    const Json checked = json.value("checked", Json::object());
    for (const auto& [key, page] : checked.items()) {
        roof.checked.emplace_back(key, page.at("url").get<std::string>());
    }
    return roof;
}

// Links are the same for many GPUs: a list of its own.
void takeLinks(const Json& links, std::vector<GpuRoof>& gpus) {
    for (const Json& link : links) {
        const auto names = link.at("gpus").get<std::vector<std::string>>();
        for (GpuRoof& gpu : gpus) {
            if (std::ranges::find(names, gpu.name) != names.end()) {
                gpu.link = link.at("name").get<std::string>();
                gpu.linkBytesPerSecond = link.at("gb_per_s").get<double>() * kGiga;
                gpu.sources.emplace_back("link", link.at("source").get<std::string>());
            }
        }
    }
}

bool isWordPart(char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

bool holdsWords(std::string_view text, std::string_view words) {
    for (std::size_t at = text.find(words); at != std::string_view::npos;
         at = text.find(words, at + 1)) {
        const std::size_t end = at + words.size();
        if ((at == 0 || !isWordPart(text[at - 1])) &&
            (end == text.size() || !isWordPart(text[end]))) {
            return true;
        }
    }
    return false;
}

}  // namespace

double GpuRoof::peak(std::string_view type) const {
    const auto found = std::ranges::find(
        peaks, type, [](const auto& peak) { return std::string_view(peak.first); });
    if (found != peaks.end()) {
        return found->second;
    }
    return type.ends_with(kOfProducts) ? peak(type.substr(0, type.size() - kOfProducts.size()))
                                       : 0.0;
}

std::string_view peakType(const Work& work, bool tensorCores) {
    if (!work.matrix) {
        // Outside of products, whatever is stored narrower is reckoned with as Float.
        return work.type == DataType::Double || work.type == DataType::ComplexDouble ? "fp64"
                                                                                     : "fp32";
    }
    switch (work.type) {
        case DataType::Double:
            return "fp64_tensor";
        case DataType::Float:
            return tensorCores ? "tf32" : "fp32";
        case DataType::Half:
            return "fp16";
        case DataType::BFloat16:
            return "bf16";
        case DataType::Float8:
            return "fp8";
        case DataType::Float4:
            return "fp4";
        case DataType::Int8:
        case DataType::UInt8:
            return "int8";
        default:
            return "";
    }
}

Result<GpuTable> GpuTable::fromJson(std::string_view text) {
    const auto document = json::parseOrderedJson(text);
    if (!document) {
        return fail(fmt::format("the table of GPUs {}", document.error().message));
    }
    GpuTable table;
    try {
        for (const Json& gpu : document->at("gpus")) {
            table.m_gpus.push_back(roofOf(gpu));
        }
        takeLinks(document->value("links", Json::array()), table.m_gpus);
    } catch (const nlohmann::json::exception& error) {
        return fail(
            fmt::format("the table of GPUs has no row of the right form: {}", error.what()));
    }
    return table;
}

const GpuTable& GpuTable::builtin() {
    static const GpuTable table = fromJson(kGpusJson).value();
    return table;
}

const GpuRoof* GpuTable::find(std::string_view device) const {
    const std::string name = text::lowered(device);
    const GpuRoof* best = nullptr;
    std::size_t length = 0;
    if (holdsWords(name, "mig")) {
        return nullptr;
    }
    for (const GpuRoof& gpu : m_gpus) {
        for (const std::string& match : gpu.match) {
            if (match.size() > length && holdsWords(name, text::lowered(match))) {
                best = &gpu;
                length = match.size();
            }
        }
    }
    return best;
}

}  // namespace kinetoscope::model
