// SPDX-License-Identifier: Apache-2.0
#include "core/replay/KeptRoofs.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "core/base/Ascii.h"
#include "core/bench/results/JsonFields.h"
#include "core/bench/results/ResultStore.h"
#include "core/metrics/SourceFolder.h"
#include "core/text/OutputFile.h"

namespace kinetoscope::replay {

namespace fs = std::filesystem;
namespace fields = bench::results::fields;

namespace {

constexpr std::string_view kSchema = "kinetoscope.roof/1";
constexpr std::size_t kMaxRoofBytes = 4U << 20U;
constexpr std::int64_t kMaxSize = std::int64_t{1} << 50U;

fields::Json figureJson(const MeasuredFigure& figure) {
    fields::Json json{{"operation", figure.operation}};
    json["type"] = fields::textOrNull(figure.type);
    json["size"] = figure.size;
    json["time_ns"] = figure.timeNs;
    json["per_s"] = figure.rate();
    json["clock_mhz"] = figure.clockMhz;
    json["power_w"] = figure.powerWatts;
    json["reason"] = fields::textOrNull(figure.reason);
    return json;
}

MeasuredFigure readFigure(const fields::Json& json) {
    MeasuredFigure figure;
    figure.operation = fields::text(json, "operation");
    figure.type = fields::text(json, "type");
    figure.size = fields::upTo(json, "size", kMaxSize);
    const double time = fields::number(json, "time_ns");
    figure.timeNs = fields::isMeasured(time) ? time : 0.0;
    figure.clockMhz = std::clamp(fields::number(json, "clock_mhz"), 0.0, 1e5);
    figure.powerWatts = std::clamp(fields::number(json, "power_w"), 0.0, 1e5);
    figure.reason = fields::text(json, "reason");
    return figure;
}

// Of all tensors together.
bool isIn(const MeasuredFigure& figure, double least, double most) {
    const auto bytes = static_cast<double>(figure.size);
    return figure.operation != "product" && bytes >= least && bytes <= most;
}

double bestRate(const MeasuredRoof& roof, double least, double most) {
    double best = 0.0;
    for (const MeasuredFigure& figure : roof.figures) {
        best = isIn(figure, least, most) ? std::max(best, figure.rate()) : best;
    }
    return best;
}

// A file name without path separators, whatever a worker reports.
std::string fileOf(const MeasuredRoof& roof) {
    std::string name = roof.uuid.empty() ? roof.device : roof.uuid;
    std::ranges::replace_if(
        name, [](char c) { return !isAsciiAlnum(c) && c != '-'; }, '_');
    return name + ".json";
}

}  // namespace

double MeasuredFigure::rate() const {
    const auto amount = static_cast<double>(size);
    const double work = operation == "product" ? 2.0 * amount * amount * amount : amount;
    return timeNs > 0.0 ? work / timeNs * 1e9 : 0.0;
}

double MeasuredRoof::memoryBytesPerSecond() const {
    return bestRate(*this, 4.0 * static_cast<double>(cacheBytes), 1e18);
}

double MeasuredRoof::cacheBytesPerSecond() const {
    return bestRate(*this, 0.0, 0.5 * static_cast<double>(cacheBytes));
}

const MeasuredFigure* MeasuredRoof::best(std::string_view type) const {
    const MeasuredFigure* found = nullptr;
    for (const MeasuredFigure& figure : figures) {
        const bool better = found == nullptr || figure.rate() > found->rate();
        if (figure.operation == "product" && figure.type == type && figure.rate() > 0.0 && better) {
            found = &figure;
        }
    }
    return found;
}

std::vector<std::string> MeasuredRoof::types() const {
    std::vector<std::string> types;
    for (const MeasuredFigure& figure : figures) {
        if (best(figure.type) != nullptr && std::ranges::find(types, figure.type) == types.end()) {
            types.push_back(figure.type);
        }
    }
    return types;
}

model::GpuRoof MeasuredRoof::roof() const {
    model::GpuRoof roof;
    roof.name = device + ", measured";
    roof.match = {device};
    roof.memoryBytesPerSecond = memoryBytesPerSecond();
    roof.cacheBytes = cacheBytes;
    const std::string source = fmt::format("measured on {}, {}", host, created);
    for (const std::string& type : types()) {
        const MeasuredFigure* figure = best(type);
        roof.peaks.emplace_back(type, figure->rate());
        roof.peakClocksMhz.emplace_back(type, figure->clockMhz);
    }
    roof.sources = {{"tflop_per_s", source}, {"memory_gb_per_s", source}};
    return roof;
}

std::string measuredRoofJson(const MeasuredRoof& roof) {
    fields::Json json{{"schema", kSchema},
                      {"created", roof.created},
                      {"host", roof.host},
                      {"device", roof.device},
                      {"uuid", roof.uuid},
                      {"torch", roof.torchVersion},
                      {"l2_bytes", roof.cacheBytes},
                      {"memory_gb_per_s", roof.memoryBytesPerSecond() / 1e9},
                      {"l2_gb_per_s", roof.cacheBytesPerSecond() / 1e9}};
    json["tflop_per_s"] = fields::Json::object();
    for (const std::string& type : roof.types()) {
        json["tflop_per_s"][type] = roof.best(type)->rate() / 1e12;
    }
    json["figures"] = fields::Json::array();
    for (const MeasuredFigure& figure : roof.figures) {
        json["figures"].push_back(figureJson(figure));
    }
    return fields::dump(json, 1) + "\n";
}

Result<MeasuredRoof> parseMeasuredRoof(std::string_view text) {
    const auto json = fields::jsonObject(text);
    if (!json) {
        return tl::unexpected(json.error());
    }
    if (fields::text(*json, "schema") != kSchema) {
        return fail(fmt::format("is not a roof (\"{}\")", kSchema));
    }
    MeasuredRoof roof;
    roof.device = fields::text(*json, "device");
    roof.uuid = fields::text(*json, "uuid");
    roof.created = fields::text(*json, "created");
    roof.host = fields::text(*json, "host");
    roof.torchVersion = fields::text(*json, "torch");
    roof.cacheBytes = static_cast<std::uint64_t>(fields::upTo(*json, "l2_bytes", kMaxSize));
    for (const fields::Json& one : fields::objects(*json, "figures")) {
        roof.figures.push_back(readFigure(one));
    }
    return roof;
}

std::string KeptRoofs::defaultFolder() {
    return (fs::path(bench::results::ResultStore::defaultFolder()) / "roofs").string();
}

Result<std::string> KeptRoofs::keep(const MeasuredRoof& roof) const {
    std::error_code error;
    fs::create_directories(m_folder, error);
    if (error) {
        return fail(fmt::format("'{}': cannot create this folder: {}", m_folder, error.message()),
                    ErrorKind::Output);
    }
    std::string path = (fs::path(m_folder) / fileOf(roof)).string();
    const auto written = text::writeFile(path, measuredRoofJson(roof));
    return written ? Result<std::string>(std::move(path)) : tl::unexpected(written.error());
}

std::vector<MeasuredRoof> KeptRoofs::list() const {
    std::vector<MeasuredRoof> found;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(m_folder, error)) {
        const auto text = metrics::readSmallFile(entry.path().string(), kMaxRoofBytes);
        auto roof = text ? parseMeasuredRoof(*text) : tl::unexpected(text.error());
        if (roof) {
            found.push_back(std::move(*roof));
        }
    }
    std::ranges::sort(found, [](const MeasuredRoof& a, const MeasuredRoof& b) {
        return a.created != b.created ? a.created > b.created : a.uuid < b.uuid;
    });
    return found;
}

std::vector<model::GpuRoof> KeptRoofs::roofs() const {
    std::vector<model::GpuRoof> roofs;
    for (const MeasuredRoof& kept : list()) {
        roofs.push_back(kept.roof());
    }
    return roofs;
}

}  // namespace kinetoscope::replay
