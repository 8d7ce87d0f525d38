// SPDX-License-Identifier: Apache-2.0
// The parts of Session that switch recording on and off.
#include <algorithm>
#include <array>
#include <ctime>
#include <utility>

#include "core/capture/SessionText.h"
#include "core/capture/inject/EntryGuard.h"
#include "core/capture/inject/Session.h"

namespace kinetoscope::capture::inject {

namespace {

// Numbers of CUPTI_RUNTIME_TRACE_CBID and CUPTI_DRIVER_TRACE_CBID; they never change.
constexpr std::array<std::uint32_t, 11> kRuntimeLaunches{
    211,  // cudaLaunchKernel
    214,  // …_ptsz
    269,  // cudaLaunchCooperativeKernel
    270,  // …_ptsz
    272,  // cudaLaunchCooperativeKernelMultiDevice
    311,  // cudaGraphLaunch
    312,  // …_ptsz
    430,  // cudaLaunchKernelExC
    431,  // …_ptsz
    505,  // __cudaLaunchKernel
    506,  // …_ptsz
};
// Driver calls that start work on a GPU, first and last of each row of numbers: launches, copies
// and memsets, which JAX and Triton start without the runtime.
constexpr std::array<std::pair<std::uint32_t, std::uint32_t>, 18> kDriverWork{{
    {43, 70},    // cuMemcpyHtoD to cu64Memcpy3DAsync
    {71, 82},    // cuMemsetD8 to cu64MemsetD2D32
    {115, 117},  // cuLaunch, cuLaunchGrid, …Async
    {216, 227},  // cuMemsetD8Async to cu64MemsetD2D32Async
    {232, 234},  // cu64Memcpy2D to …Async
    {248, 254},  // cuMemcpy_v2, cuMemsetD8_v2 to cuMemsetD2D32_v2
    {276, 293},  // cuMemcpyHtoD_v2 to cuMemcpyHtoAAsync_v2
    {305, 307},  // cuMemcpy, cuMemcpyAsync, cuLaunchKernel
    {318, 321},  // cuMemcpyPeer to cuMemcpy3DPeerAsync
    {397, 416},  // the copies and memsets of 276 on, _ptds
    {418, 433},  // the same, asynchronous, _ptsz
    {442, 442},  // cuLaunchKernel_ptsz
    {477, 478},  // cuLaunchCooperativeKernel, …_ptsz
    {480, 480},  // cuLaunchCooperativeKernelMultiDevice
    {514, 515},  // cuGraphLaunch, …_ptsz
    {652, 653},  // cuLaunchKernelEx, …_ptsz
    {776, 779},  // cuMemcpyBatchAsync, cuMemcpy3DBatchAsync
    {796, 799},  // …_v2
}};
// Above every number of CUDA 13; numbers that a CUPTI does not know are refused without harm.
constexpr std::uint32_t kDriverCallsEnd = 1024;
// Calls that programs make all the time and that start no GPU work: too many to record.
constexpr std::array<std::uint32_t, 9> kRuntimeNoise{
    10,   // cudaGetLastError
    11,   // cudaPeekAtLastError
    16,   // cudaSetDevice
    17,   // cudaGetDevice
    133,  // cudaEventCreate
    134,  // cudaEventCreateWithFlags
    136,  // cudaEventDestroy
    317,  // cudaStreamIsCapturing
    318,  // …_ptsz
};

constexpr int kLaunchesFrom = 2;
constexpr int kAllDriverFrom = 4;

bool startsDriverWork(std::uint32_t call) {
    return std::ranges::any_of(kDriverWork, [call](const auto& numbers) {
        return numbers.first <= call && call <= numbers.second;
    });
}

std::uint64_t defaultClock() {
    timespec now{};
    ::clock_gettime(CLOCK_REALTIME, &now);
    return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 +
           static_cast<std::uint64_t>(now.tv_nsec);
}

}  // namespace

void Session::Kinds::add(std::initializer_list<cupti::Kind> more) {
    for (const cupti::Kind kind : more) {
        kinds.at(count++) = kind;
    }
}

Session::Kinds Session::kinds() const {
    using cupti::Kind;
    Kinds result;
    result.add(
        {cupti::Kind::Device, cupti::Kind::Context, cupti::Kind::Memcpy, cupti::Kind::MemcpyPeer});
    const auto from = [&](int level, std::initializer_list<cupti::Kind> more) {
        if (m_options.level >= level) {
            result.add(more);
        }
    };
    // Whole graphs and single kernels exclude each other.
    if (m_options.level == 0) {
        result.add({cupti::Kind::GraphTrace});
    }
    from(1, {cupti::Kind::ConcurrentKernel, cupti::Kind::Memset});
    if (m_options.level >= kLaunchesFrom && m_cupti.enableRuntimeCall == nullptr) {
        result.add({cupti::Kind::Runtime, cupti::Kind::Driver});
    } else {
        // Driver calls that are switched on one by one without their kind give no records.
        from(kLaunchesFrom, {cupti::Kind::Driver});
        from(kAllRuntimeFrom, {cupti::Kind::Runtime});
    }
    from(kAllRuntimeFrom, {cupti::Kind::ExternalCorrelation, cupti::Kind::Overhead});
    from(kAllDriverFrom,
         {cupti::Kind::Synchronization, cupti::Kind::CudaEvent, cupti::Kind::Memory});
    return result;
}

// Calls chosen one by one cost less than a whole kind of records.
void Session::selectCalls(bool on) {
    if (m_cupti.enableRuntimeCall == nullptr || m_cupti.enableDriverCall == nullptr ||
        m_options.level < kLaunchesFrom) {
        return;
    }
    const std::uint8_t value = on ? 1 : 0;
    if (m_options.level < kAllRuntimeFrom) {
        for (const std::uint32_t call : kRuntimeLaunches) {
            m_cupti.enableRuntimeCall(call, value);
        }
    } else if (on) {
        for (const std::uint32_t call : kRuntimeNoise) {
            m_cupti.enableRuntimeCall(call, 0);
        }
    }
    // The kind itself is on, which resets all of them.
    if (on && m_options.level < kAllDriverFrom) {
        for (std::uint32_t call = 1; call < kDriverCallsEnd; ++call) {
            if (!startsDriverWork(call)) {
                m_cupti.enableDriverCall(call, 0);
            }
        }
    }
}

void Session::enableKinds() {
    for (const cupti::Kind kind : kinds()) {
        const cupti::Result result = m_cupti.enable(kind);
        if (result != cupti::kSuccess && kind == cupti::Kind::ConcurrentKernel) {
            m_control.tell("CUPTI records no kernels in " + processText() + ": " +
                           m_cupti.errorText(result));
        }
    }
    if (m_options.level >= kAllDriverFrom && m_cupti.enableEventTimes != nullptr) {
        m_cupti.enableEventTimes(1);
    }
    selectCalls(true);
}

void Session::disableKinds() {
    selectCalls(false);
    for (const cupti::Kind kind : kinds()) {
        m_cupti.disable(kind);
    }
}

void Session::resume() {
    const EntryGuard guard;
    attempt([this] { switchOn(); });
}

void Session::switchOn() {
    const std::lock_guard lock(m_mutex);
    if (m_state == State::Waiting && !attach()) {
        return;
    }
    m_wanted = true;
    if (m_state == State::Aside) {
        tellOfHolder();
    }
    const bool allowed = m_state == State::Ready && m_writer.usable() && !m_full;
    if (allowed && !m_recording.exchange(true)) {
        enableKinds();
    }
}

void Session::pause() {
    const EntryGuard guard;
    attempt([this] {
        const std::lock_guard lock(m_mutex);
        m_wanted = false;
        if (m_state == State::Ready && m_recording.exchange(false)) {
            disableKinds();
        }
    });
}

void Session::tellOfHolder() {
    m_control.tell("not recording " + processText() + " while " + m_holder +
                   " uses CUPTI itself: only one can");
}

bool Session::yieldTo(std::string_view who) {
    const EntryGuard guard;
    bool attached = m_converter != nullptr;
    attempt([&] { attached = leaveTo(who); });
    return attached;
}

bool Session::leaveTo(std::string_view who) {
    const std::lock_guard lock(m_mutex);
    const bool attached = m_converter != nullptr;
    if (m_state != State::Ready && m_state != State::Waiting) {
        return attached;
    }
    m_holder = libraryText(who);
    if (m_state == State::Ready) {
        collectRest();
        note("stepped_aside", m_holder + " took CUPTI over; nothing was recorded while it did", 1,
             true);
        tellOfHolder();
        m_recording = false;
        // As if we had never been here.
        m_cupti.setThreadIdType(cupti::kThreadIdDefault);
        m_cupti.registerTimestamp(defaultClock);
    }
    m_state = State::Aside;
    return attached;
}

void Session::comeBack() {
    m_state = m_converter ? State::Ready : State::Waiting;
    if (m_converter) {
        configure();
    }
    if (m_wanted) {
        m_control.tell("recording " + processText() + " again: " + m_holder + " has ended");
        resume();
    }
}

}  // namespace kinetoscope::capture::inject
