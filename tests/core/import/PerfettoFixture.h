// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "tests/support/ProtoBytes.h"
#include "tests/support/TraceText.h"

/// Perfetto's packets, made one by one.
namespace kinetoscope::test::perfetto {

enum : std::int64_t { BeginEvent = 1, EndEvent, InstantEvent, CounterEvent };

inline Proto packetAt(std::uint64_t time, std::int64_t sequence = 1) {
    return Proto().number(8, static_cast<std::int64_t>(time)).number(10, sequence);
}

inline Proto slice(std::int64_t type, std::int64_t track, std::string_view name = {},
                   std::string_view category = {}) {
    Proto slice;
    slice.number(9, type).number(11, track);
    if (!category.empty()) {
        slice.text(22, category);
    }
    if (!name.empty()) {
        slice.text(23, name);
    }
    return slice;
}

inline Proto threadTrack(std::int64_t uuid, std::int64_t pid, std::int64_t tid,
                         std::string_view name) {
    return Proto().message(60, Proto().number(1, uuid).message(
                                   4, Proto().number(1, pid).number(2, tid).text(5, name)));
}

class Packets {
public:
    Packets& add(const Proto& packet) {
        m_trace.message(1, packet);
        return *this;
    }
    Packets& sliceAt(std::uint64_t begin, std::uint64_t end, std::int64_t track,
                     std::string_view name, std::string_view category = {}) {
        add(packetAt(begin).message(11, slice(BeginEvent, track, name, category)));
        return add(packetAt(end).message(11, slice(EndEvent, track)));
    }
    [[nodiscard]] const std::string& bytes() const { return m_trace.bytes(); }
    [[nodiscard]] std::shared_ptr<const kinetoscope::trace::Trace> trace() const {
        const auto trace = importText(bytes());
        return trace ? *trace : nullptr;
    }

private:
    Proto m_trace;
};

inline Proto annotation(std::string_view name, std::int64_t value) {
    return Proto().text(10, name).number(4, value);
}

inline Proto extra(std::string_view name, std::string_view value) {
    return Proto().text(1, name).text(2, value);
}

inline Proto clockOf(std::int64_t id, std::uint64_t time) {
    return Proto().number(1, id).number(2, static_cast<std::int64_t>(time));
}

// As PyTorch's writer has them: one sequence, everything interned first.
inline Packets pytorch() {
    constexpr std::uint64_t kBase = 1'700'000'000'000'000'000;
    Packets packets;
    packets.add(packetAt(kBase).message(
        6, Proto().message(1, clockOf(6, kBase)).message(1, clockOf(1, kBase))));
    packets.add(threadTrack(50, 4711, 4712, "python main"));
    const auto spec = [](std::int64_t id, std::string_view name) {
        return Proto().number(1, id).text(2, name);
    };
    Proto interned;
    interned.message(2, spec(1, "cudaLaunchKernel")).message(2, spec(2, "gemm"));
    interned.message(1, spec(1, "cuda_runtime"));
    interned.message(24, spec(1, "Kernel").number(4, 2)).message(24, spec(2, "Memcpy"));
    interned.message(24, spec(4, "Annotation")).message(24, spec(100, "[07] stream 7"));
    interned.message(1000, Proto().number(1, 1).text(3, "gemm<float>()"));
    interned.message(1001, spec(1, "registers_per_thread"))
        .message(1001, spec(2, "shared_mem_dynamic"));
    packets.add(Proto().number(10, 1).number(13, 1).message(12, interned));
    Proto call;
    call.number(9, BeginEvent).number(11, 50).number(10, 1).number(3, 1);
    call.message(4, annotation("correlation", 33)).message(4, annotation("External id", 5));
    packets.add(packetAt(kBase + 100).number(13, 2).message(11, call));
    packets.add(packetAt(kBase + 200).message(11, slice(EndEvent, 50)));
    const auto stage = [](std::int64_t id, std::int64_t duration) {
        return Proto().number(1, id).number(2, duration).number(11, 3).number(13, 100);
    };
    Proto launch;
    launch.message(1, Proto().number(1, 8).number(2, 4).number(3, 1));
    launch.message(2, Proto().number(1, 256).number(2, 1).number(3, 1));
    launch.message(3, Proto().number(1, 1).number(4, 40))
        .message(3, Proto().number(1, 2).number(4, 512));
    packets.add(packetAt(kBase + 300)
                    .number(13, 2)
                    .message(53, stage(1, 50)
                                     .number(14, 1)
                                     .number(19, 1)
                                     .message(21, launch)
                                     .message(6, extra("correlation", "33"))
                                     .message(6, extra("stream id", "7"))));
    packets.add(packetAt(kBase + 400)
                    .number(13, 2)
                    .message(53, stage(2, 20).number(14, 2).message(6, extra("bytes", "4096"))));
    packets.add(
        packetAt(kBase + 290).number(13, 2).message(53, stage(3, 200).number(14, 4).number(20, 2)));
    return packets;
}

}  // namespace kinetoscope::test::perfetto
