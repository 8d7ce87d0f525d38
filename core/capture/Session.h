// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <regex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "core/capture/ActivityConverter.h"
#include "core/capture/BufferPool.h"
#include "core/capture/ControlLink.h"
#include "core/capture/CuptiApi.h"
#include "core/capture/Ranges.h"
#include "core/capture/RecordOptions.h"
#include "core/stream/CaptureWriter.h"

namespace kinetoscope {

/// The recording of one process, from inside of it. There is one, and it is never destroyed.
class Session {
public:
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
    bool stepAside(std::string_view who);

    /// Recording on or off, from the program, a range or the socket.
    void resume();
    void pause();

    /// Ranges of this thread; push() gives the depth before it, pop() after it, -1 when empty.
    int pushRange(std::string_view name);
    int popRange();
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

    [[nodiscard]] bool openFile();
    [[nodiscard]] bool findCupti();
    [[nodiscard]] bool attach();
    void comeBack();
    void tellOfHolder();
    [[nodiscard]] bool cuptiIsFree();
    void configure();
    [[nodiscard]] std::string headerJson() const;
    [[nodiscard]] std::vector<cupti::Kind> kinds() const;
    void enableKinds();
    void disableKinds();
    void selectCalls(bool on);

    void startThread();
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
    CaptureWriter m_writer;
    std::unique_ptr<ActivityConverter> m_converter;
    std::unique_ptr<std::regex> m_kernel;
    std::unique_ptr<std::thread> m_thread;
    // Held while CUPTI is switched on, off or flushed; never on a path of the program's launches.
    std::recursive_mutex m_mutex;
    std::atomic<State> m_state{State::Idle};
    std::atomic<bool> m_recording{false};
    std::atomic<bool> m_stopping{false};
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

}  // namespace kinetoscope
