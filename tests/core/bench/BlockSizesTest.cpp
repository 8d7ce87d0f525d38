// SPDX-License-Identifier: Apache-2.0
#include <QtTest>

#include "core/bench/plan/BlockSizes.h"

using namespace kinetoscope::bench::plan;

class BlockSizesTest : public QObject {
    Q_OBJECT

private slots:
    void blockSizesComeFromProgramIds();
    void otherProductsAreNoBlockSizes();
    void combinedKernelsShareTheirProgramIds();
};

void BlockSizesTest::blockSizesComeFromProgramIds() {
    const IrBlocks blocks = readIrBlocks(
        "#loc = loc(\"/x/cabc.py\":1:0)\n"
        "tt.func private @helper() {\n  %c = arith.constant 3 : i32\n"
        "  %p = tt.get_program_id x : i32\n  %q = arith.muli %p, %c : i32\n}\n"
        "tt.func public @k() {\n"
        "  %c64_i64 = arith.constant 64 : i64 loc(#loc1)\n"
        "  %c16 = arith.constant 16 : i32\n"
        "  %y = tt.get_program_id y : i32\n"
        "  %z = tt.get_program_id z : i32\n"
        "  %n = tt.get_num_programs y : i32\n"
        "  %zn = arith.muli %z, %n : i32\n"
        "  %yz = arith.addi %y, %zn : i32\n"
        "  %yoffset = arith.muli %yz, %c16 : i32\n"
        "  %x = tt.get_program_id x : i32\n"
        "  %xe = arith.extsi %x : i32 to i64\n"
        "  %xoffset = arith.muli %c64_i64, %xe : i64\n"
        "}\n"
        "tt.func public @other() {\n  %w = tt.get_program_id z : i32\n"
        "  %c9 = arith.constant 9 : i32\n  %v = arith.muli %w, %c9 : i32\n}\n");
    QCOMPARE(blocks.perAxis[0].value_or(0), 64);
    QCOMPARE(blocks.perAxis[1].value_or(0), 16);
    QVERIFY(!blocks.perAxis[2]);
    QCOMPARE(blocks.sourceFile, std::string("cabc.py"));
}

// Triton folds a product with 1; what else multiplies the id is no block size.
void BlockSizesTest::otherProductsAreNoBlockSizes() {
    const auto read = [](const std::string& id, const std::string& product) {
        return readIrBlocks("tt.func public @k() {\n  %c512_i32 = arith.constant 512 : i32\n  " +
                            id + " = tt.get_program_id x : i32\n  " + product + " = arith.muli " +
                            id + ", %c512_i32 : i32\n}\n");
    };
    QCOMPARE(read("%pid", "%xoffset_3").perAxis[0].value_or(0), 512);
    QCOMPARE(read("%r0_offset", "%r0_offset_6").perAxis[0].value_or(0), 512);
    QVERIFY(!read("%xoffset", "%tmp0_4").perAxis[0]);
    QVERIFY(!read("%0", "%1").perAxis[0]);
}

void BlockSizesTest::combinedKernelsShareTheirProgramIds() {
    const IrBlocks blocks = readIrBlocks(
        "tt.func public @triton_per_fused_0() {\n"
        "  %pid = tt.get_program_id x : i32\n"
        "  %c2 = arith.constant 2 : i32\n"
        "  %0 = arith.remsi %pid, %c2 : i32\n"
        "  %pid_offset = arith.divsi %pid, %c2 : i32\n"
        "  %c8 = arith.constant 8 : i32\n"
        "  %xoffset = arith.muli %pid_offset, %c8 : i32\n"
        "}\n");
    QCOMPARE(blocks.perAxis[0].value_or(0), 8);
}

QTEST_APPLESS_MAIN(BlockSizesTest)
#include "BlockSizesTest.moc"
