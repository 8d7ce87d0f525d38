// SPDX-License-Identifier: Apache-2.0
#include "core/capture/inject/Session.h"

#include <pthread.h>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

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
// Whatever the program's limit for stacks is.
constexpr std::size_t kStackBytes = 2U << 20;

void onExit() {
    static_cast<void>(withSession(0, [](Session& session) {
        session.finish();
        return 0;
    }));
}

bool onArrival(std::string_view library) {
    return withSession(false, [&](Session& session) { return session.yieldTo(library); });
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
