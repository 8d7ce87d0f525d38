// SPDX-License-Identifier: Apache-2.0
#include "core/capture/inject/Session.h"

#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

#include "core/capture/DriverDevice.h"
#include "core/capture/Nvml.h"
#include "core/capture/SessionText.h"
#include "core/capture/inject/EntryGuard.h"
#include "core/capture/inject/ImportHook.h"
#include "core/capture/inject/OtherUsers.h"

namespace kinetoscope::capture::inject {

namespace {

constexpr std::uint64_t kMillisecond = 1'000'000;
// How often our thread looks for filled buffers, and how often it asks for those not yet full.
constexpr int kTickMs = 10;
constexpr std::uint64_t kFlushEvery = 200 * kMillisecond;
// Records of this many bytes make a chunk.
constexpr std::size_t kChunkBytes = 1U << 20;
// How long the end of a program waits for records of work that is still running.
constexpr std::uint64_t kPatience = 2000 * kMillisecond;
// Whatever the program's limit for stacks is.
constexpr std::size_t kStackBytes = 2U << 20;

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

void onExit() {
    static_cast<void>(withSession(0, [](Session& session) {
        session.finish();
        return 0;
    }));
}

bool onArrival(std::string_view library) {
    return withSession(false, [&](Session& session) { return session.yieldTo(library); });
}

std::string threadName(std::uint32_t thread) {
    const std::string path = "/proc/self/task/" + std::to_string(thread) + "/comm";
    const stream::OwnDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    std::array<char, 64> name{};
    const ssize_t size = file.isOpen() ? ::read(file.get(), name.data(), name.size()) : 0;
    const std::string_view text(name.data(), static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
    return std::string(text.substr(0, text.find('\n')));
}

}  // namespace

Session& Session::instance() {
    // Never destroyed: other threads may still be inside when the program ends.
    static Session* const session = new Session;
    return *session;
}

void Session::start() {
    const EntryGuard guard;
    attempt([this] { begin(); });
}

void Session::begin() {
    m_options = optionsFromEnvironment();
    if (m_options.folder.empty()) {
        return;
    }
    m_control.open(m_options.control);
    m_started = monotonicNow();
    if (!findCupti()) {
        return;
    }
    m_libraries = loadedLibraryCount();
    // Our thread waits until all is in place.
    const std::lock_guard lock(m_mutex);
    if (!startThread()) {
        return;
    }
    others::watch(m_cupti, onArrival);
    m_state = State::Waiting;
    attempt([this] { watchTime(); });
    std::atexit(onExit);
    ::pthread_atfork(prepareFork, continueParent, becomeChild);
}

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
        // Only to learn whether somebody holds CUPTI. Recording needs no subscriber, and a program
        // that brings its own (torch.profiler) would be refused while we are one.
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
        m_control.tell("not recording " + processText() + ": cannot write " + path + ": " +
                       std::strerror(m_writer.error()));
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
        m_pool.recycle({buffer, size, validSize});  // nobody reads it any more
    } else if (buffer != nullptr && ours) {
        m_pool.fill({buffer, size, validSize});
    }
    return buffer == nullptr || ours;
}

// The program's signals are not for our thread.
bool Session::startThread() {
    sigset_t all;
    sigset_t before;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_BLOCK, &all, &before);
    pthread_attr_t attributes;
    ::pthread_attr_init(&attributes);
    ::pthread_attr_setstacksize(&attributes, kStackBytes);
    int error = ::pthread_create(&m_thread, &attributes, threadMain, this);
    if (error == EINVAL) {
        // A program may have so many thread-local variables that they fill the stack.
        error = ::pthread_create(&m_thread, nullptr, threadMain, this);
    }
    ::pthread_attr_destroy(&attributes);
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    m_hasThread = error == 0;
    if (!m_hasThread) {
        m_control.tell("not recording " + processText() +
                       ": no thread can be started in it: " + std::strerror(error));
    }
    return m_hasThread;
}

void* Session::threadMain(void* session) {
    auto* self = static_cast<Session*>(session);
    self->attempt([self] { self->run(); });
    return nullptr;
}

void Session::run() {
    ::pthread_setname_np(::pthread_self(), "kinetoscope");
    while (!m_stopping) {
        const std::string command = m_control.next(kTickMs);
        if (m_stopping) {
            break;
        }
        if (!command.empty()) {
            obey(command);
        }
        tick();
    }
}

void Session::tick() {
    const std::lock_guard lock(m_mutex);
    const std::uint64_t now = monotonicNow();
    const bool due = now - m_lastFlush >= kFlushEvery;
    if (due) {
        m_lastFlush = now;
        // A library that came later may want CUPTI as well.
        if (const auto libraries = loadedLibraryCount(); libraries != m_libraries) {
            m_libraries = libraries;
            others::watch(m_cupti, onArrival);
        }
        // An older CUPTI may have buffers of ours that cannot be told from theirs.
        if (m_state == State::Aside && m_cupti.version >= cupti::kSinceRefusedBuffers &&
            others::haveEnded()) {
            comeBack();
        }
    }
    if (m_state == State::Waiting || m_state == State::Ready) {
        watchTime();
    }
    if (m_state == State::Ready) {
        if (due && (m_recording || m_pool.taken() > m_pool.filled())) {
            m_cupti.flushAll(0);
        }
        drain();
        m_pool.top();
    }
}

void Session::obey(const std::string& command) {
    if (command == "start") {
        m_durationOver = true;  // whoever starts by hand also stops by hand
        resume();
    } else if (command == "stop") {
        pause();
    }
}

void Session::watchTime() {
    const auto elapsed = static_cast<std::int64_t>((monotonicNow() - m_started) / kMillisecond);
    if (!m_delayOver && elapsed >= m_options.delayMs) {
        m_delayOver = true;
        if (m_options.range.empty() && !m_options.paused) {
            resume();
        }
    }
    if (!m_durationOver && m_options.durationMs > 0 &&
        elapsed >= m_options.delayMs + m_options.durationMs) {
        m_durationOver = true;
        pause();
    }
    if (m_options.mostBytes > 0 && m_recording && m_writer.bytes() >= m_options.mostBytes) {
        note("size_limit", "the recording stopped at the size given with --max-size", 1, true);
        m_control.tell("stopped recording " + processText() + ": the size limit is reached");
        m_full = true;
        pause();
    }
}

void Session::drain() {
    drainRanges();
    FilledBuffer buffer;
    while (m_pool.nextFilled(buffer)) {
        convert(buffer);
        m_pool.recycle(buffer);
        if (m_converter->pendingBytes() >= kChunkBytes) {
            writePending();
        }
    }
    drainRanges();
    writePending();
}

void Session::drainRanges() {
    RangeEvent event;
    while (m_ranges.next(event)) {
        switch (event.type) {
            case RangeEvent::Type::Start:
                m_converter->rangeStart(event.thread, event.time, event.id, event.text());
                break;
            case RangeEvent::Type::End:
                m_converter->rangeEnd(event.thread, event.time, event.id);
                break;
            case RangeEvent::Type::Mark:
                m_converter->mark(event.thread, event.time, event.text());
                break;
        }
    }
}

void Session::convert(const FilledBuffer& buffer) {
    cupti::Activity* activity = nullptr;
    while (m_cupti.nextRecord(buffer.data, buffer.validSize, &activity) == cupti::kSuccess) {
        m_converter->convert(activity);
    }
    std::size_t dropped = 0;
    if (m_cupti.droppedRecords(nullptr, 0, &dropped) == cupti::kSuccess) {
        m_dropped += dropped;
    }
}

void Session::writePending() {
    const std::string names = m_converter->takeNames();
    bool good = names.empty() || m_writer.append(stream::format::ChunkType::Names, names);
    for (const std::string& device : m_converter->takeDevices()) {
        good = good && m_writer.append(stream::format::ChunkType::Device, device);
    }
    const std::string records = m_converter->takeRecords();
    good =
        good && (records.empty() || m_writer.append(stream::format::ChunkType::Records, records));
    if (!good) {
        tellOfFullDisk();
    }
}

void Session::tellOfFullDisk() {
    if (!std::exchange(m_toldOfFullDisk, true)) {
        m_control.tell("stopped recording " + processText() + ": cannot write " + m_writer.path() +
                       (m_writer.isLost()
                            ? ", whose descriptor the program has closed, and not open it again: "
                            : ": ") +
                       std::strerror(m_writer.error()));
        pause();
    }
}

void Session::note(std::string_view name, std::string_view text, std::uint64_t count, bool loss) {
    if (!m_writer.append(stream::format::ChunkType::Note, noteText(name, text, count, loss))) {
        tellOfFullDisk();
    }
}

void Session::noteLosses() {
    if (m_dropped > 0) {
        note("dropped_records", "CUPTI dropped records", m_dropped, true);
    }
    if (m_pool.refused() > 0) {
        note("rejected_buffers", "CUPTI asked for a buffer when none was free", m_pool.refused(),
             true);
    }
    if (m_writer.reopened() > 0) {
        note("descriptor_closed",
             "the program closed the recorder's file, which was opened again; nothing is missing",
             m_writer.reopened(), false);
    }
    if (m_kernel && m_kernel->undecided() > 0) {
        note("undecided_kernel_names",
             "--kernel takes too long to decide on a name; these kernels are recorded",
             m_kernel->undecided(), false);
    }
    if (m_ranges.dropped() > 0) {
        note("dropped_ranges", "ranges came faster than they could be written", m_ranges.dropped(),
             true);
    }
    if (m_converter->unknownRecords() > 0) {
        note("unknown_activities", "CUPTI delivered records of an unknown kind",
             m_converter->unknownRecords(), true);
    }
    if (m_pool.taken() > m_pool.filled()) {
        note("missing_buffers",
             "CUPTI did not return buffers; another user of CUPTI may have taken over",
             m_pool.taken() - m_pool.filled(), true);
    }
}

void Session::collectRest() {
    disableKinds();
    const std::uint64_t deadline = monotonicNow() + kPatience;
    do {
        m_cupti.flushAll(0);
        drain();
        if (m_pool.filled() >= m_pool.taken()) {
            return;
        }
        ::usleep(1000);
    } while (monotonicNow() < deadline);
    // What is still incomplete now comes without its end.
    m_cupti.flushAll(cupti::kFlushForced);
    drain();
}

void Session::tellOfEnd(const char* why) noexcept {
    try {
        m_control.tell("stopped recording " + processText() + ": " + why);
    } catch (...) {
        m_control.tell("stopped recording a process: out of memory");
    }
}

void Session::giveUp(const char* why) noexcept {
    if (m_state == State::Child || m_gaveUp.exchange(true)) {
        return;
    }
    const EntryGuard guard;
    const std::lock_guard lock(m_mutex);
    m_recording = false;
    if (m_state == State::Ready) {
        disableKinds();
    }
    m_state = State::Finished;
    tellOfEnd(why);
    try {
        if (m_writer.usable()) {
            note("recording_ended", std::string("the recorder ended early: ") + why, 1, true);
        }
    } catch (...) {
        // The capture ends without it.
    }
}

void Session::finish() {
    if (m_state == State::Child) {
        return;
    }
    const EntryGuard guard;
    attempt([this] { end(); });
}

void Session::end() {
    m_stopping = true;
    if (std::exchange(m_hasThread, false)) {
        ::pthread_join(m_thread, nullptr);
    }
    const std::lock_guard lock(m_mutex);
    const bool ready = m_state == State::Ready;
    if (ready) {
        collectRest();
    }
    m_recording = false;
    m_state = State::Finished;
    if (m_converter) {
        noteLosses();
    }
    if (m_converter && m_writer.usable() &&
        !m_writer.finish(footerText(m_converter->records(), m_pool.filled()))) {
        tellOfFullDisk();
    }
}

void Session::prepareFork() {
    instance().m_mutex.lock();
}

void Session::continueParent() {
    instance().m_mutex.unlock();
}

void Session::becomeChild() {
    // Our thread does not exist here, and CUPTI does not survive a fork: stay silent.
    Session& session = instance();
    session.m_state = State::Child;
    session.m_recording = false;
    session.m_writer.abandon();
    session.m_control.abandon();
    // It is locked by a thread that does not exist here.
    new (&session.m_mutex) std::recursive_mutex;
}

}  // namespace kinetoscope::capture::inject
