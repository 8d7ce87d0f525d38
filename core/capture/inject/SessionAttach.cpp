// SPDX-License-Identifier: Apache-2.0
// CUPTI and the file: found, opened, set up, and CUPTI's buffers.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "core/capture/DriverDevice.h"
#include "core/capture/Nvml.h"
#include "core/capture/SessionText.h"
#include "core/capture/inject/OtherUsers.h"
#include "core/capture/inject/Session.h"

namespace kinetoscope::capture::inject {

namespace {

void onRequest(std::uint8_t** buffer, std::size_t* size, std::size_t* records) {
    Session::instance().requestBuffer(buffer, size, records);
}

void onComplete(void* context, std::uint32_t stream, std::uint8_t* buffer, std::size_t size,
                std::size_t validSize) {
    if (!Session::instance().completeBuffer(buffer, size, validSize)) {
        others::complete(context, stream, buffer, size, validSize);
    }
}

void onCallback(void*, std::uint32_t, std::uint32_t, const void*) {}

std::string threadName(std::uint32_t thread) {
    const std::string path = "/proc/self/task/" + std::to_string(thread) + "/comm";
    const stream::OwnDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    std::array<char, 64> name{};
    const ssize_t size = file.isOpen() ? ::read(file.get(), name.data(), name.size()) : 0;
    const std::string_view text(name.data(), static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
    return std::string(text.substr(0, text.find('\n')));
}

}  // namespace

bool Session::findCupti() {
    std::string problem;
    if (!openCupti(m_cupti, problem)) {
        m_control.tell("not recording " + processText() + ": " + problem);
        return false;
    }
    if (!m_options.kernel.empty()) {
        m_kernel = std::make_unique<KernelFilter>(m_options.kernel);
        if (!m_kernel->problem().empty()) {
            m_control.tell("not recording " + processText() + ": '" + m_options.kernel +
                           "' is not a regular expression: " + m_kernel->problem());
            return false;
        }
    }
    return true;
}

// Only now, because a context that is made while CUPTI is in use lays its memory out differently:
// what runs before the recording, and what it measures of a part, is as it is without us.
bool Session::attach() {
    if (m_pool.most() == 0) {
        m_control.tell("not recording " + processText() +
                       ": its address space is limited too much for buffers (ulimit -v)");
        m_state = State::Finished;
        return false;
    }
    if (!cuptiIsFree() || !openFile()) {
        m_state = State::Finished;
        return false;
    }
    ConverterServices services;
    services.callbackName = [this](std::uint32_t domain, std::uint32_t id) -> const char* {
        const char* name = nullptr;
        return m_cupti.callbackName(domain, id, &name) == cupti::kSuccess ? name : nullptr;
    };
    services.threadName = threadName;
    services.findDevice = describeByDriver;
    services.deviceMembers = gpuClockMembers;
    if (m_kernel) {
        services.wantsKernel = [this](const std::string& name) { return m_kernel->wants(name); };
    }
    m_converter = std::make_unique<ActivityConverter>(m_cupti.version, std::move(services));
    m_pool.top();
    configure();
    m_state = State::Ready;
    return true;
}

bool Session::cuptiIsFree() {
    cupti::Subscriber subscriber = nullptr;
    std::array<char, 128> holder{};
    cupti::Result result = cupti::kNotInitialized;
    if (m_cupti.subscribeNamed != nullptr) {
        cupti::SubscriberParameters parameters;
        parameters.subscriberName = "kinetoscope";
        parameters.oldSubscriberName = holder.data();
        parameters.oldSubscriberSize = holder.size();
        result = m_cupti.subscribeNamed(&subscriber, onCallback, nullptr, &parameters);
    } else {
        result = m_cupti.subscribe(&subscriber, onCallback, nullptr);
    }
    if (result == cupti::kSuccess) {
        // Only to learn whether CUPTI is taken. Recording needs no subscriber, and a program that
        // brings its own (torch.profiler) would be refused while we are one.
        m_cupti.unsubscribe(subscriber);
        return true;
    }
    const std::string who = holder[0] != '\0' ? holder.data() : "another profiler or debugger";
    m_control.tell("not recording " + processText() + ": " +
                   (result == cupti::kMultipleSubscribers
                        ? "CUPTI is held by " + who + "; run without it to record"
                        : "CUPTI refused: " + m_cupti.errorText(result)));
    return false;
}

bool Session::openFile() {
    const std::string path = m_options.folder + "/" + captureFileName(m_started);
    if (!m_writer.create(path, headerJson())) {
        m_control.tell("not recording " + processText() + ": '" + path +
                       "': cannot be written: " + std::strerror(m_writer.error()));
        return false;
    }
    m_control.tellFile(path);
    return true;
}

std::string Session::headerJson() const {
    HeaderFields fields;
    fields.level = m_options.level;
    fields.cuptiVersion = m_cupti.version;
    fields.cuptiPath = m_cupti.path;
    fields.driverVersion = cudaDriverVersion();
    readClocks(fields);
    return headerText(fields);
}

void Session::configure() {
    std::uint8_t on = 1;
    std::size_t size = sizeof on;
    m_cupti.setAttribute(cupti::Attribute::PerThreadBuffers, &size, &on);
    // CUPTI clears the buffers itself, on the program's thread: what our thread had written would
    // have to come back from another core's cache, record by record.
    m_cupti.setThreadIdType(cupti::kThreadIdSystem);
    m_cupti.registerTimestamp(monotonicNow);
    m_cupti.registerCallbacks(onRequest, onComplete);
}

void Session::requestBuffer(std::uint8_t** buffer, std::size_t* size, std::size_t* records) {
    *buffer = m_pool.take();
    if (*buffer == nullptr && m_cupti.version < cupti::kSinceRefusedBuffers) {
        *buffer = m_pool.makeOne();
    }
    *size = *buffer == nullptr ? 0 : BufferPool::kBufferBytes;
    *records = 0;  // as many as fit
}

bool Session::completeBuffer(std::uint8_t* buffer, std::size_t size, std::size_t validSize) {
    // Before version kSinceRefusedBuffers some of ours are outside of the pool.
    const bool ours = m_pool.owns(buffer) || m_cupti.version < cupti::kSinceRefusedBuffers;
    if (buffer != nullptr && ours && m_state == State::Finished) {
        m_pool.recycle({buffer, size, validSize});  // nothing reads it any more
    } else if (buffer != nullptr && ours) {
        m_pool.fill({buffer, size, validSize});
    }
    return buffer == nullptr || ours;
}

}  // namespace kinetoscope::capture::inject
