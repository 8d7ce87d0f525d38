// SPDX-License-Identifier: Apache-2.0
#include "core/replay/MeasureRoof.h"

#include <fmt/format.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

#include "core/base/Threads.h"
#include "core/bench/results/JsonFields.h"
#include "core/bench/workers/TorchWorker.h"
#include "core/capture/ChildProcess.h"
#include "core/capture/Nvml.h"
#include "core/stats/Statistics.h"
#include "core/text/Printable.h"

namespace kinetoscope::replay {

namespace fields = bench::results::fields;
using Json = nlohmann::json;

namespace {

constexpr double kPatienceSeconds = 300.0;
constexpr std::chrono::milliseconds kSensorInterval{20};

// The 16 bytes of "GPU-01234567-…"; false for anything else.
bool uuidBytes(std::string_view text, std::uint8_t (&bytes)[16]) {
    std::size_t digits = 0;
    if (!text.starts_with("GPU-")) {
        return false;
    }
    for (const char c : text.substr(4)) {
        const int value = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
        if (c == '-') {
            continue;
        }
        if (value < 0 || digits == 32) {
            return false;
        }
        std::uint8_t& byte = bytes[digits / 2];
        byte = static_cast<std::uint8_t>(digits % 2 == 0 ? value << 4 : byte | value);
        ++digits;
    }
    return digits == 32;
}

/// Clock and power of a GPU between begin() and end(), sampled by a thread of its own.
class SensorWatch {
public:
    explicit SensorWatch(const std::string& uuid) {
        std::uint8_t bytes[16]{};
        m_device = uuidBytes(uuid, bytes) ? m_nvml.device(bytes) : nullptr;
        if (m_device != nullptr) {
            m_thread = tryThread([this](const std::stop_token& stop) { watch(stop); });
        }
    }

    void begin() {
        const std::scoped_lock lock(m_mutex);
        m_clock = m_power = Mean{};
        m_on = true;
    }

    void end(MeasuredFigure& figure) {
        const std::scoped_lock lock(m_mutex);
        m_on = false;
        figure.clockMhz = m_clock.value();
        figure.powerWatts = m_power.value();
    }

private:
    struct Mean {
        double sum = 0.0;
        int count = 0;

        void add(const std::optional<double>& value) {
            sum += value.value_or(0.0);
            count += value ? 1 : 0;
        }
        [[nodiscard]] double value() const { return count > 0 ? sum / count : 0.0; }
    };

    void watch(const std::stop_token& stop) {
        std::unique_lock lock(m_mutex);
        while (!stop.stop_requested()) {
            if (m_on) {
                const capture::GpuSensors sensors = m_nvml.sensors(m_device);
                m_clock.add(sensors.smClockMHz);
                m_power.add(sensors.powerWatts);
            }
            m_wake.wait_for(lock, stop, kSensorInterval, [] { return false; });
        }
    }

    capture::Nvml m_nvml;
    capture::Nvml::Device m_device = nullptr;
    std::mutex m_mutex;
    std::condition_variable_any m_wake;
    bool m_on = false;
    Mean m_clock;
    Mean m_power;
    std::optional<std::jthread> m_thread;  // ends first
};

MeasuredFigure figureOf(const Json& json) {
    MeasuredFigure figure;
    figure.operation = fields::text(json, "operation");
    figure.type = fields::text(json, "type");
    const bool product = figure.operation == "product";
    figure.size = fields::upTo(json, product ? "size" : "bytes", std::int64_t{1} << 50U);
    figure.reason = fields::text(json, "reason");
    const std::vector<double> samples = fields::times(fields::list(json, "samples_ns"));
    figure.timeNs = samples.empty() ? 0.0 : stats::summarize(samples).median;
    return figure;
}

std::string titleOf(const MeasuredFigure& figure) {
    return figure.operation == "product"
               ? fmt::format("{} product of {}", text::printable(figure.type), figure.size)
               : fmt::format("{} of {:.0f} MiB", text::printable(figure.operation),
                             static_cast<double>(figure.size) / 1048576.0);
}

}  // namespace

Result<MeasuredRoof> measureRoof(const RoofRequest& request,
                                 bench::workers::BenchConsole& console) {
    const capture::StopSignals stopping;
    const auto program = bench::workers::torchProgram();
    if (!program) {
        return tl::unexpected(program.error());
    }
    MeasuredRoof roof;
    bench::workers::TorchFacts facts;
    std::optional<SensorWatch> sensors;
    const auto ending = bench::workers::runTorchWorker(
        {*program},
        {{"task", "roof"}, {"device", request.device}, {"measure_ms", request.measureMs}},
        kPatienceSeconds, facts, console, [&](const Json& json, const std::string&) {
            const std::string event = fields::text(json, "event");
            if (event != "begin" && event != "measured") {
                return;
            }
            if (!sensors) {
                sensors.emplace(facts.gpu.uuid);
            }
            MeasuredFigure figure = figureOf(json);
            if (event == "begin") {
                console.progress(titleOf(figure));
                sensors->begin();
                return;
            }
            sensors->end(figure);
            roof.figures.push_back(std::move(figure));
        });
    console.progress({});
    if (!ending) {
        return tl::unexpected(ending.error());
    }
    if (!ending->failure.empty() || roof.figures.empty()) {
        return fail(ending->failure.empty() ? "kscope-torch measured nothing: " + ending->sentence
                                            : ending->failure);
    }
    if (!ending->good) {
        console.warn("not all could be measured: kscope-torch " + ending->sentence);
    }
    bench::results::ResultHeader header;
    bench::results::describeRun(header);
    roof.created = header.created;
    roof.host = header.host;
    roof.device = facts.gpu.name;
    roof.uuid = facts.gpu.uuid;
    roof.torchVersion = facts.version;
    roof.cacheBytes = static_cast<std::uint64_t>(std::max<std::int64_t>(facts.gpu.l2Bytes, 0));
    return roof;
}

}  // namespace kinetoscope::replay
