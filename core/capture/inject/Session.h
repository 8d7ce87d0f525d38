// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pthread.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <exception>
#include <initializer_list>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <string_view>

#include "core/capture/CuptiApi.h"
#include "core/capture/KernelFilter.h"
#include "core/capture/RecordOptions.h"
#include "core/capture/inject/ActivityConverter.h"
#include "core/capture/inject/BufferPool.h"
#include "core/capture/inject/ControlLink.h"
#include "core/capture/inject/Ranges.h"
#include "core/stream/CaptureWriter.h"

namespace kinetoscope::capture::inject {

/// The recording of one process, from inside of it. There is one, and it is never destroyed. The
/// program is never harmed: what goes wrong in here ends the recording, with a message.
class Session {
public:
    /// Throws std::bad_alloc, the first time only: see withSession().
    [[nodiscard]] static Session& instance();

    /// To be called once, when the driver is being initialised. Whatever fails, the program runs
    /// on and somebody is told.
    void start();
    /// Everything is in the file afterwards. Called at exit.
    void finish();

    /// CUPTI's callbacks; they take no lock and allocate nothing.
    void requestBuffer(std::uint8_t** buffer, std::size_t* size, std::size_t* records);
    /// False for a buffer that is not ours.
    [[nodiscard]] bool completeBuffer(std::uint8_t* buffer, std::size_t size,
                                      std::size_t validSize);

    /// Another user of CUPTI, in the library `who`, is about to register its own buffers. Returns
    /// whether we have used CUPTI.
    bool yieldTo(std::string_view who);

    /// Recording on or off, from the program, a range or the socket.
    void resume();
    void pause();

    /// Ranges of this thread, which nest within their NVTX domain (null: NVTX's own); push() gives
    /// the depth before it, pop() after it, -1 when empty.
    int pushRange(std::string_view name, const void* domain = nullptr);
    int popRange(const void* domain = nullptr);
    [[nodiscard]] std::uint64_t startRange(std::string_view name);
    void endRange(std::uint64_t id);
    void mark(std::string_view name);

private:
    enum class State : std::uint8_t {
        Idle,      ///< not to be recorded
        Waiting,   ///< CUPTI is not in use yet
        Ready,     ///< the file is open and the buffers are ours
        Aside,     ///< somebody else uses CUPTI
        Finished,  ///< nothing more is written
        Child,     ///< of a fork
    };

    Session() = default;

    struct Kinds {
        std::array<cupti::Kind, 16> kinds{};  // not a vector: also used when memory is exhausted
        std::size_t count = 0;
        void add(std::initializer_list<cupti::Kind> more);
        [[nodiscard]] const cupti::Kind* begin() const { return kinds.data(); }
        [[nodiscard]] const cupti::Kind* end() const { return kinds.data() + count; }
    };

    /// Runs it; an exception ends the recording.
    template <class Action>
    void attempt(Action&& action) noexcept;
    void giveUp(const char* why) noexcept;
    void tellOfEnd(const char* why) noexcept;

    void begin();
    [[nodiscard]] bool openFile();
    [[nodiscard]] bool findCupti();
    [[nodiscard]] bool attach();
    void comeBack();
    void tellOfHolder();
    [[nodiscard]] bool cuptiIsFree();
    void configure();
    [[nodiscard]] std::string headerJson() const;
    [[nodiscard]] Kinds kinds() const;
    void enableKinds();
    void disableKinds();
    void selectCalls(bool on);

    [[nodiscard]] bool startThread();
    static void* threadMain(void* session);
    void run();
    void tick();
    void obey(const std::string& command);
    void watchTime();
    void drain();
    void drainRanges();
    void convert(const FilledBuffer& buffer);
    void writePending();
    void note(std::string_view name, std::string_view text, std::uint64_t count, bool loss);
    void noteLosses();
    void tellOfFullDisk();
    void collectRest();
    void end();
    void switchOn();
    [[nodiscard]] bool leaveTo(std::string_view who);
    [[nodiscard]] bool wantsRanges() const;
    [[nodiscard]] bool rangeChosen(std::string_view name) const;

    static void prepareFork();
    static void continueParent();
    static void becomeChild();

    RecordOptions m_options;
    CuptiApi m_cupti;
    BufferPool m_pool;
    RangeQueue m_ranges;
    ControlLink m_control;
    stream::CaptureWriter m_writer;
    std::unique_ptr<ActivityConverter> m_converter;
    std::unique_ptr<KernelFilter> m_kernel;
    pthread_t m_thread{};
    bool m_hasThread = false;
    // Held while CUPTI is switched on, off or flushed; never on a path of the program's launches.
    std::recursive_mutex m_mutex;
    std::atomic<State> m_state{State::Idle};
    std::atomic<bool> m_recording{false};
    std::atomic<bool> m_stopping{false};
    std::atomic<bool> m_gaveUp{false};
    std::atomic<int> m_chosenRanges{0};
    std::string m_holder;  ///< who we stepped aside for
    std::uint64_t m_started = 0;
    std::uint64_t m_lastFlush = 0;
    std::uint64_t m_dropped = 0;
    unsigned long long m_libraries = 0;
    std::atomic<bool> m_delayOver{false};
    std::atomic<bool> m_full{false};  ///< the size limit is reached: nothing is switched on again
    bool m_durationOver = false;
    bool m_wanted = false;  ///< recording was switched on, whether it is possible or not
    bool m_toldOfFullDisk = false;
};

/// use(the session), `otherwise` where there is no memory for one: for what the program calls.
template <class Value, class Use>
Value withSession(Value otherwise, Use&& use) noexcept {
    try {
        return use(Session::instance());
    } catch (...) {
        return otherwise;
    }
}

template <class Action>
void Session::attempt(Action&& action) noexcept {
    try {
        action();
    } catch (const std::bad_alloc&) {
        giveUp("out of memory");
    } catch (const std::exception& error) {
        giveUp(error.what());
    } catch (...) {
        giveUp("an unknown error");
    }
}

}  // namespace kinetoscope::capture::inject
