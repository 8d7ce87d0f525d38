// SPDX-License-Identifier: Apache-2.0
// The stack of blocks, pixel by pixel, against one that is built anew at each moment.
#include <QtTest>
#include <map>
#include <random>

#include "core/memory/MemoryReport.h"
#include "core/memory/view/BlockStacks.h"

using namespace kinetoscope;
using namespace kinetoscope::memory;
using namespace kinetoscope::memory::view;

namespace {

// Allocations, frees of them and of what was there before, at times of which many are equal.
std::shared_ptr<const Device> randomDevice(std::uint32_t seed, std::uint32_t events) {
    std::mt19937 engine(seed);
    const auto random = [&engine] { return static_cast<std::int64_t>(engine()); };
    auto device = std::make_shared<Device>();
    std::vector<std::uint32_t> alive;
    for (std::uint32_t i = 0; i < 5; ++i) {
        device->blocks.push_back({0, 100 + random() % 1000, kBefore, kNever, 0});
        device->allocatedBefore += device->blocks.back().bytes;
        alive.push_back(i);
    }
    device->allocatedBefore += seed % 2 == 0 ? 700 : 0;  // told by no block
    std::int64_t now = device->allocatedBefore;
    TimeNs time = 0;
    for (std::uint32_t event = 0; event < events; ++event) {
        time += random() % 3 == 0 ? random() % 50 : 0;
        if (!alive.empty() && random() % 100 < 49) {
            const std::size_t at = static_cast<std::size_t>(random()) % alive.size();
            device->blocks[alive[at]].to = event;
            now -= device->blocks[alive[at]].bytes;
            alive.erase(alive.begin() + static_cast<std::ptrdiff_t>(at));
        } else {
            alive.push_back(static_cast<std::uint32_t>(device->blocks.size()));
            device->blocks.push_back({event, 1 + random() % 500, event, kNever, 0});
            now += device->blocks.back().bytes;
        }
        device->allocated.push_back({time, now});
        if (random() % 20 == 0) {
            device->reserved.push_back({time, random() % 100'000});
        }
    }
    return device;
}

bool isAliveAt(const Device& device, std::size_t block, Moment moment) {
    return moment == 0 ? device.blocks[block].from == kBefore
                       : device.blocks[block].isAliveAfter(moment - 1);
}

std::int64_t allocatedAt(const Device& device, Moment moment) {
    return moment == 0 ? device.allocatedBefore : device.allocated[moment - 1].bytes;
}

// The block at a height of the stack.
std::uint32_t blockAt(const Device& device, Moment moment, std::int64_t height) {
    std::int64_t end = allocatedAt(device, moment);
    for (std::size_t i = 0; i < device.blocks.size(); ++i) {
        end -= isAliveAt(device, i, moment) ? device.blocks[i].bytes : 0;
    }
    if (height < end) {
        return kUntold;
    }
    for (std::size_t i = 0; i < device.blocks.size(); ++i) {
        end += isAliveAt(device, i, moment) ? device.blocks[i].bytes : 0;
        if (height < end) {
            return static_cast<std::uint32_t>(i);
        }
    }
    return kNothing;
}

}  // namespace

class BlockStacksTest : public QObject {
    Q_OBJECT

private slots:
    void everyPixel() {
        std::mt19937 random(11);
        for (std::uint32_t seed = 0; seed < 12; ++seed) {
            const auto device = randomDevice(seed, 3000);
            const BlockStacks stacks(device);
            const TimeSpan whole = stacks.extent();
            for (int part = 0; part < 6; ++part) {
                Area area{whole, 0, stacks.height(), 37, 29};
                if (part > 0) {
                    area.time.start = whole.start - 20 + static_cast<TimeNs>(random() % 8000);
                    area.time.end = area.time.start + 100 + static_cast<TimeNs>(random() % 4000);
                    area.bottom = static_cast<std::int64_t>(random() % 2000);
                    area.top = area.bottom + 1 + static_cast<std::int64_t>(random() % 9000);
                }
                const BlockPicture picture = stacks.draw(area);
                checkColumns(*device, picture);
                checkCells(*device, picture);
            }
        }
    }

    void offsets() {
        const auto device = randomDevice(4, 2000);
        const BlockStacks stacks(device);
        for (Moment moment = 0; moment <= stacks.moments(); moment += 97) {
            for (const std::uint32_t block : stacks.aliveAt(moment)) {
                QVERIFY(stacks.isAlive(block, moment));
                QCOMPARE(blockAt(*device, moment, stacks.offsetAt(block, moment)), block);
                QVERIFY(blockAt(*device, moment, stacks.offsetAt(block, moment) - 1) != block);
            }
        }
    }

    void nothingToDraw() {
        const BlockStacks none(std::make_shared<const Device>());
        QCOMPARE(none.moments(), Moment{0});
        QVERIFY(!none.extent().empty());
        const BlockPicture picture = none.draw({none.extent(), 0, none.height(), 3, 2});
        QCOMPARE(picture.cells, std::vector<std::uint32_t>(6, kNothing));
        QVERIFY(none.draw({none.extent(), 5, 5, 3, 2}).cells.empty());
        QVERIFY(none.draw({{4, 4}, 0, 5, 3, 2}).cells.empty());
    }

    // The peak of a part of the time is what aliveAfter() sums up.
    void peaksOfPartsOfTheTime() {
        const auto device = randomDevice(2, 3000);
        History history;
        history.places.emplace_back();
        for (TimeNs start = -10; start < 9000; start += 700) {
            const TimeSpan time{start, start + 400};
            const std::uint32_t peak = peakWithin(*device, time);
            const auto bytes = [&](std::uint32_t event) {
                return allocatedAt(*device, event == kBefore ? 0 : event + 1);
            };
            // What was allocated when the time began counts too.
            std::int64_t most = device->allocatedBefore;
            for (const Usage& usage : device->allocated) {
                most = usage.time <= start ? usage.bytes : most;
            }
            for (const Usage& usage : device->allocated) {
                most = time.contains(usage.time) ? std::max(most, usage.bytes) : most;
            }
            QCOMPARE(bytes(peak), most);
            std::int64_t told = 0;
            for (const PlaceSum& sum : aliveAfter(history, *device, peak)) {
                told += sum.bytes;
            }
            QCOMPARE(told, most);
        }
    }

private:
    static void checkColumns(const Device& device, const BlockPicture& picture) {
        const Area& area = picture.area;
        QCOMPARE(picture.moments.size(), static_cast<std::size_t>(area.columns));
        const auto starts = [&](int column) {
            return area.time.start +
                   static_cast<TimeNs>(static_cast<double>(column) / area.columns *
                                       static_cast<double>(area.time.duration()));
        };
        for (int column = 0; column < area.columns; ++column) {
            const auto at = static_cast<std::size_t>(column);
            // What was there when the column began, and what came in it.
            std::int64_t most = device.allocatedBefore;
            std::int64_t reserved = device.reservedBefore;
            for (const Usage& usage : device.allocated) {
                most = usage.time < starts(column) ? usage.bytes : most;
            }
            for (const Usage& usage : device.allocated) {
                const bool inside = usage.time >= starts(column) && usage.time < starts(column + 1);
                most = inside ? std::max(most, usage.bytes) : most;
            }
            for (const Usage& usage : device.reserved) {
                reserved = usage.time <= starts(column) ? usage.bytes : reserved;
            }
            for (const Usage& usage : device.reserved) {
                const bool inside = usage.time > starts(column) && usage.time < starts(column + 1);
                reserved = inside ? std::max(reserved, usage.bytes) : reserved;
            }
            QCOMPARE(picture.allocated[at], allocatedAt(device, picture.moments[at]));
            QCOMPARE(picture.allocated[at], most);
            QCOMPARE(picture.reserved[at], reserved);
        }
    }

    static void checkCells(const Device& device, const BlockPicture& picture) {
        const Area& area = picture.area;
        for (int column = 0; column < area.columns; column += 3) {
            for (int row = 0; row < area.rows; row += 2) {
                const double height = static_cast<double>(area.top - area.bottom) / area.rows;
                const auto middle = area.bottom + static_cast<std::int64_t>((row + 0.5) * height);
                QCOMPARE(
                    picture.cell(column, row),
                    blockAt(device, picture.moments[static_cast<std::size_t>(column)], middle));
            }
        }
    }
};

QTEST_APPLESS_MAIN(BlockStacksTest)
#include "BlockStacksTest.moc"
