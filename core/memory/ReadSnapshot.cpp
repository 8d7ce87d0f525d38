// SPDX-License-Identifier: Apache-2.0
#include "core/memory/ReadSnapshot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>

#include "core/base/Threads.h"
#include "core/import/source/OpenTextSource.h"
#include "core/memory/SnapshotDevice.h"
#include "core/pickle/ReadPickle.h"

namespace kinetoscope::memory {

namespace {

using pickle::Value;

constexpr std::int64_t kMaxDevices = 1024;

class Reader {
public:
    explicit Reader(const pickle::Document& document)
        : m_document(document),
          m_places(m_history, document),
          m_rounding(document, document.find(document.root(), "allocator_settings")) {}

    Result<History> read() {
        const Value root = m_document.root();
        // The first versions wrote the list of segments alone.
        const Value segments = root.isSequence() ? root : m_document.find(root, "segments");
        const Value traces = m_document.find(root, "device_traces");
        if (!segments.isSequence() && !traces.isSequence()) {
            return fail("is not a snapshot of torch.cuda.memory: it has no 'segments'");
        }
        if (!withinBounds(segments, traces)) {
            return fail(
                "is not a snapshot of torch.cuda.memory: it names the same lists more often than "
                "one does");
        }
        for (const Value segment : m_document.elements(segments)) {
            if (m_document.find(segment, "total_size").isNone()) {
                return fail(
                    "is not a snapshot of torch.cuda.memory: a segment has no 'total_size'");
            }
        }
        const auto devices = m_document.elements(traces);
        for (std::size_t i = 0; i < devices.size(); ++i) {
            const auto events = m_document.elements(devices[i]);
            if (!events.empty()) {
                device(static_cast<std::int64_t>(i)).takeEvents(events);
            }
        }
        for (const Value segment : m_document.elements(segments)) {
            const std::int64_t index =
                m_document.integer(m_document.find(segment, "device")).value_or(0);
            device(std::clamp<std::int64_t>(index, 0, kMaxDevices - 1)).takeSegment(segment);
        }
        finish();
        return std::move(m_history);
    }

private:
    // The most events that a file of that size can contain.
    bool withinBounds(Value segments, Value traces) const {
        if (m_document.elements(traces).size() > kMaxDevices) {
            return false;
        }
        std::uint64_t count = 0;
        for (const Value trace : m_document.elements(traces)) {
            count += m_document.elements(trace).size();
        }
        for (const Value segment : m_document.elements(segments)) {
            count += 1 + m_document.elements(m_document.find(segment, "blocks")).size();
        }
        return count <= m_document.textBytes() &&
               count < std::numeric_limits<std::uint32_t>::max() / 2;
    }

    SnapshotDevice& device(std::int64_t index) {
        return m_devices.try_emplace(index, m_document, m_places, m_rounding).first->second;
    }

    void finish() {
        TimeNs first = std::numeric_limits<TimeNs>::max();
        for (auto& [index, made] : m_devices) {
            Device device = made.finish();
            device.name = fmt::format("GPU {}", index);
            for (const auto* const usage : {&device.allocated, &device.reserved}) {
                if (!usage->empty()) {
                    first = std::min(first, usage->front().time);
                }
            }
            m_history.devices.push_back(std::move(device));
        }
        m_history.startNs = first == std::numeric_limits<TimeNs>::max() ? 0 : first;
        for (Device& device : m_history.devices) {
            for (auto* const usages : {&device.allocated, &device.reserved}) {
                TimeNs last = 0;  // a clock that was set back stands still
                for (Usage& usage : *usages) {
                    last = std::max(last, usage.time - m_history.startNs);
                    usage.time = last;
                }
            }
            for (OutOfMemory& event : device.outOfMemory) {
                event.time -= m_history.startNs;
            }
        }
    }

    const pickle::Document& m_document;
    History m_history;
    SnapshotPlaces m_places;
    Rounding m_rounding;
    std::map<std::int64_t, SnapshotDevice> m_devices;
};

// Empty where it cannot be read.
std::string headOf(const std::string& path, std::size_t bytes) {
    return guarded([&]() -> Result<std::string> {
               const auto source = import::source::openTextSource(path);
               std::string head(source ? bytes : 0, '\0');
               std::size_t had = 0;
               while (had < head.size()) {
                   const std::size_t more = (*source)->read(head.data() + had, head.size() - had);
                   if (more == 0) {
                       break;
                   }
                   had += more;
               }
               head.resize(had);
               return head;
           })
        .value_or(std::string());
}

}  // namespace

bool isSnapshotFile(const std::string& path) {
    return pickle::looksLikePickle(headOf(path, 8));
}

bool namesSnapshot(const std::string& path) {
    constexpr std::size_t kHead = 4096;
    const std::string head = headOf(path, kHead);
    return pickle::looksLikePickle(head) &&
           std::ranges::any_of(std::array{"segments", "device_traces", "total_size"},
                               [&](const char* word) { return head.find(word) != head.npos; });
}

Result<History> historyOf(const pickle::Document& document) {
    return Reader(document).read();
}

Result<History> readSnapshot(const std::string& path, const std::stop_token& stop,
                             Progress* progress) {
    return guarded(
        [&]() -> Result<History> {
            const auto source = import::source::openTextSource(path);
            if (!source) {
                return tl::unexpected(source.error());
            }
            if (progress != nullptr) {
                progress->start((*source)->fileBytes());
            }
            const auto document = pickle::readPickle(
                [&](char* to, std::size_t capacity) {
                    if (progress != nullptr) {
                        progress->set((*source)->filePosition());
                    }
                    return (*source)->read(to, capacity);
                },
                stop);
            auto history = document ? historyOf(*document) : tl::unexpected(document.error());
            if (!history) {
                return fail(fmt::format("'{}': {}", path, history.error().message),
                            history.error().kind);
            }
            history->file = path;
            return history;
        },
        path);
}

}  // namespace kinetoscope::memory
