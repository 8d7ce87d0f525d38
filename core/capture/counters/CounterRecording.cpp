// SPDX-License-Identifier: Apache-2.0
#include "core/capture/counters/CounterRecording.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <utility>

#include "core/base/Clock.h"
#include "core/base/Threads.h"
#include "core/capture/LocalSocket.h"
#include "core/capture/SessionText.h"
#include "core/capture/counters/CounterFile.h"
#include "core/capture/counters/GpuList.h"
#include "core/capture/counters/PmSampler.h"
#include "core/stream/CaptureFolder.h"
#include "core/stream/CaptureInfo.h"

namespace kinetoscope::capture::counters {

namespace {

using namespace std::chrono_literals;
namespace fs = std::filesystem;

constexpr auto kSensorsEvery = 100ms;
constexpr auto kTakeEvery = 20ms;
// A GPU that overflows its buffer at this interval is beyond what one host thread can decode.
constexpr TimeNs kMaxReadInterval = 10'000'000;

// Stopping takes its time, and of the last samples some may be unfinished.
constexpr TimeNs kAllowedMissing = 20'000'000;
constexpr TimeNs kAllowedSamples = 4;

std::string programOf(const std::vector<std::string>& command) {
    return command.empty() ? "program" : fs::path(command.front()).filename().string();
}

// A line for the user, by the socket on which the recorded processes send theirs.
void sendNote(const std::string& control, const std::string& text) {
    const int socket = control.empty() ? -1 : connectLocally(control);
    if (socket >= 0) {
        const std::string line = "note " + text + "\n";
        const ssize_t sent = ::send(socket, line.data(), line.size(), MSG_NOSIGNAL);
        static_cast<void>(sent);
        ::close(socket);
    }
}

// The library that a recorded process found, for one that is in no usual place.
std::string cuptiPathOf(const std::string& capture) {
    std::ifstream file(capture, std::ios::binary);
    std::string head(4096, '\0');
    file.read(head.data(), static_cast<std::streamsize>(head.size()));
    head.resize(static_cast<std::size_t>(file.gcount()));
    constexpr std::string_view kKey = "\"cupti_path\": \"";
    const std::size_t begin = head.find(kKey);
    if (begin == std::string::npos) {
        return {};
    }
    const std::size_t from = begin + kKey.size();
    return head.substr(from, head.find('"', from) - from);
}

// The tracks of one GPU's sensors.
class SensorTracks {
public:
    SensorTracks(CounterFile& file, const Gpu& gpu) : m_file(file), m_id(gpu.id) {}

    void add(TimeNs now, const GpuSensors& sensors) {
        put(m_power, "Power (W)", "power", now, sensors.powerWatts);
        put(m_smClock, "Clocks (MHz)", "SM", now, sensors.smClockMHz);
        put(m_memoryClock, "Clocks (MHz)", "memory", now, sensors.memoryClockMHz);
        put(m_temperature, "Temperature (°C)", "GPU", now, sensors.temperatureCelsius);
        put(m_memory, "Memory in use (bytes)", "all processes", now, sensors.memoryUsedBytes);
    }

private:
    using Track = std::optional<CounterFile::Series>;

    void put(Track& track, std::string_view counter, std::string_view series, TimeNs now,
             std::optional<double> value) {
        if (!value) {
            return;
        }
        if (!track) {
            track = m_file.addSeries(m_id, counter, series);
        }
        m_file.add(*track, now, *value);
    }

    CounterFile& m_file;
    std::uint32_t m_id;
    Track m_power;
    Track m_smClock;
    Track m_memoryClock;
    Track m_temperature;
    Track m_memory;
};

}  // namespace

class CounterRecording::Work {
public:
    explicit Work(CounterPlan plan) : m_plan(std::move(plan)) {
        m_thread = tryThread([this](const std::stop_token& stop) {
            if (const auto done = guarded([&] { return run(stop); }); !done) {
                note(done.error().message);
            }
        });
    }
    Work(const Work&) = delete;
    Work& operator=(const Work&) = delete;
    ~Work() { m_thread.reset(); }

    void captureBegan(const std::string& capture) {
        {
            const std::lock_guard lock(m_mutex);
            if (m_capture) {
                return;
            }
            m_capture = capture;
        }
        m_began.notify_all();
    }

private:
    struct Sampled {
        std::uint32_t id = 0;
        PmApi api;
        std::unique_ptr<PmSampler> sampler;
    };

    [[nodiscard]] Result<void> run(const std::stop_token& stop) {
        const Nvml nvml;
        const bool requested = !m_plan.request.empty();
        std::vector<Gpu> gpus;
        if (requested) {
            if (auto found = gpusOfCuda(nvml)) {
                gpus = std::move(*found);
            } else {
                note("--counters: " + found.error().message);
            }
        }
        if (gpus.empty()) {
            gpus = gpusOfNvml(nvml);
        }
        if (gpus.empty()) {
            return {};
        }
        std::vector<Sampled> sampled;
        if (requested) {
            sampled = openSamplers(gpus, stop);
        }
        if (!waitForCapture(stop)) {
            return {};  // no process of the program has started CUDA
        }
        if (auto created = createFile(gpus); !created) {
            return created;
        }
        sample(nvml, gpus, sampled, stop);
        m_file.finish();
        return {};
    }

    [[nodiscard]] std::vector<Sampled> openSamplers(const std::vector<Gpu>& gpus,
                                                    const std::stop_token& stop) {
        auto api = openPmApi("");
        if (!api && waitForCapture(stop)) {
            api = openPmApi(cuptiPathOf(*m_capture));
        }
        std::vector<Sampled> result;
        if (!api) {
            note("--counters: " + api.error().message);
            return result;
        }
        for (const Gpu& gpu : gpus) {
            std::vector<std::string> notes;
            auto sampler = PmSampler::open(*api, gpu.id, m_plan.request, notes);
            if (sampler) {
                result.push_back({gpu.id, *api, std::move(*sampler)});
            } else {
                notes.push_back(
                    fmt::format("--counters: GPU {}: {}", gpu.id, sampler.error().message));
            }
            for (const std::string& text : notes) {
                note(text);
            }
        }
        return result;
    }

    [[nodiscard]] bool waitForCapture(const std::stop_token& stop) {
        std::unique_lock lock(m_mutex);
        return m_began.wait(lock, stop, [this] { return m_capture.has_value(); });
    }

    [[nodiscard]] Result<void> createFile(const std::vector<Gpu>& gpus) {
        HeaderFields fields;
        fields.program = programOf(m_plan.command);
        fields.command = fmt::format("{}", fmt::join(m_plan.command, " "));
        readClocks(fields);
        const std::string path =
            fmt::format("{}/{}{}.{}.kscope", m_plan.folder, stream::kCountersName, ::getpid(),
                        fields.monotonicNs / 1'000'000);
        if (!m_file.create(path, headerText(fields))) {
            return fail(fmt::format("'{}': cannot be written; no counters are recorded", path));
        }
        for (const Gpu& gpu : gpus) {
            m_file.addDevice(gpu.json);
        }
        return {};
    }

    void sample(const Nvml& nvml, const std::vector<Gpu>& gpus, std::vector<Sampled>& sampled,
                const std::stop_token& stop) {
        std::vector<std::optional<std::jthread>> threads;
        threads.reserve(sampled.size());
        for (Sampled& one : sampled) {
            threads.push_back(tryThread([this, &one](const std::stop_token& ended) {
                const auto done = guarded([&] { return sampleCounters(one, ended); });
                if (!done) {
                    tellLoss(one.id, done.error().message);
                }
            }));
        }
        std::vector<SensorTracks> tracks;
        tracks.reserve(gpus.size());
        for (const Gpu& gpu : gpus) {
            tracks.emplace_back(m_file, gpu);
        }
        do {
            for (std::size_t i = 0; i < gpus.size(); ++i) {
                if (gpus[i].sensors != nullptr) {
                    tracks[i].add(unixNow(), nvml.sensors(gpus[i].sensors));
                }
            }
            m_file.flush();
            pause(stop, kSensorsEvery);
        } while (!stop.stop_requested());
        threads.clear();  // each takes what is left
    }

    [[nodiscard]] Result<void> sampleCounters(Sampled& one, const std::stop_token& stop) {
        std::vector<CounterFile::Series> series;
        for (const PmSampler::Chosen& chosen : one.sampler->chosen()) {
            series.push_back(
                m_file.addSeries(one.id, chosen.metric->counter, chosen.metric->series));
        }
        const auto keep = [&](const PmSampler::Sample& sample) {
            for (std::size_t i = 0; i < series.size(); ++i) {
                m_file.add(series[i], sample.start, sample.values[i]);
            }
        };
        TimeNs interval = m_plan.request.interval;
        auto started = one.sampler->start(interval);
        while (started) {
            const auto taken = one.sampler->take(keep);
            if (!taken && one.sampler->overflowed() && interval * 2 <= kMaxReadInterval) {
                one.sampler->stop();
                interval *= 2;
                tellLoss(one.id, fmt::format("samples came faster than they could be decoded, and "
                                             "some are missing; continuing with one every {} µs",
                                             interval / 1000));
                started = restart(one, interval);
                continue;
            }
            if (!taken) {
                return tl::unexpected(taken.error());
            }
            if (stop.stop_requested()) {
                return takeRest(one, interval, keep);
            }
            if (!taken->full) {
                pause(stop, kTakeEvery);
            }
        }
        return started;
    }

    // CUPTI refuses to start a sampler again after some overflows (CUPTI_ERROR_UNKNOWN, seen on an
    // H100), but never a new one.
    [[nodiscard]] Result<void> restart(Sampled& one, TimeNs interval) {
        one.sampler.reset();
        std::vector<std::string> notes;  // the same as of the first
        auto opened = PmSampler::open(one.api, one.id, m_plan.request, notes);
        if (!opened) {
            return tl::unexpected(opened.error());
        }
        one.sampler = std::move(*opened);
        return one.sampler->start(interval);
    }

    [[nodiscard]] Result<void> takeRest(Sampled& one, TimeNs interval,
                                        const PmSampler::Take& keep) {
        one.sampler->stop();
        auto taken = one.sampler->take(keep);
        while (taken && (taken->samples > 0 || taken->full)) {
            taken = one.sampler->take(keep);
        }
        if (!taken) {
            return tl::unexpected(taken.error());
        }
        const TimeNs missing = one.sampler->missingNs();
        if (missing > std::max(kAllowedMissing, kAllowedSamples * interval)) {
            tellLoss(one.id, fmt::format("samples of {} ms are missing: they came faster than they "
                                         "could be decoded; use a longer sampling interval",
                                         missing / 1'000'000));
        }
        return {};
    }

    void pause(const std::stop_token& stop, std::chrono::milliseconds time) {
        std::unique_lock lock(m_mutex);
        m_never.wait_for(lock, stop, time, [] { return false; });
    }

    void tellLoss(std::uint32_t gpu, const std::string& text) {
        m_file.note("counters_incomplete", fmt::format("GPU {}: {}", gpu, text), true);
        note(fmt::format("--counters: GPU {}: {}", gpu, text));
    }
    void note(const std::string& text) { sendNote(m_plan.control, text); }

    CounterPlan m_plan;
    CounterFile m_file;
    std::mutex m_mutex;
    std::condition_variable_any m_began;
    std::condition_variable_any m_never;
    std::optional<std::string> m_capture;  ///< of the first process
    std::optional<std::jthread> m_thread;
};

CounterRecording::CounterRecording(CounterPlan plan) : m_plan(std::move(plan)) {}

CounterRecording::~CounterRecording() = default;

void CounterRecording::started() {
    m_work = std::make_unique<Work>(m_plan);
}

void CounterRecording::captureBegan(const std::string& capture) {
    m_work->captureBegan(capture);
}

void CounterRecording::ended() {
    m_work.reset();
}

}  // namespace kinetoscope::capture::counters
