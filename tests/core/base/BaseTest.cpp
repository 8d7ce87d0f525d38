// SPDX-License-Identifier: Apache-2.0
#include <QtTest>
#include <string>
#include <vector>

#include "core/base/Demangle.h"
#include "core/base/ProcessMemory.h"
#include "core/base/Progress.h"
#include "core/base/StringPool.h"
#include "core/base/Time.h"
#include "core/text/Format.h"
#include "tests/support/FreedMemory.h"

using namespace kinetoscope;
using namespace kinetoscope::text;

class BaseTest final : public QObject {
    Q_OBJECT

private slots:
    void equalTextsShareAnId();
    void viewsSurviveGrowth();
    void findDoesNotIntern();
    void textsLongerThanABlockAreKept();
    void emptyTextIsIdZero();
    void spansClipAndOverlapHalfOpen();
    void spanWithoutLengthOverlapsAtItsStart();
    void durationsReadInTheirUnit_data();
    void durationsReadInTheirUnit();
    void countsHaveThousandsSeparators();
    void bytesAndPercent();
    void kernelNamesShorten_data();
    void kernelNamesShorten();
    void mangledNamesAreReadable_data();
    void mangledNamesAreReadable();
    void hostileNamesStayShort();
    void progressIsAFraction();
    void memoryThatIsUsedCounts();
};

void BaseTest::equalTextsShareAnId() {
    StringPool pool;
    const NameId a = pool.intern("aten::mm");
    const NameId b = pool.intern("aten::addmm");
    QVERIFY(a != b);
    QCOMPARE(pool.intern(std::string("aten::") + "mm"), a);
    QVERIFY(pool.view(b) == "aten::addmm");
    QCOMPARE(pool.size(), std::size_t{3});  // the empty text is always there
}

void BaseTest::viewsSurviveGrowth() {
    StringPool pool;
    std::vector<std::string_view> views;
    for (int i = 0; i < 20'000; ++i) {
        views.push_back(pool.view(pool.intern("kernel number " + std::to_string(i))));
    }
    for (int i = 0; i < 20'000; ++i) {
        const std::string text = "kernel number " + std::to_string(i);
        QVERIFY(views[static_cast<std::size_t>(i)] == text);
        QCOMPARE(pool.find(text), std::optional<NameId>(static_cast<NameId>(i + 1)));
    }
}

void BaseTest::findDoesNotIntern() {
    StringPool pool;
    QVERIFY(!pool.find("absent"));
    QCOMPARE(pool.size(), std::size_t{1});
}

void BaseTest::textsLongerThanABlockAreKept() {
    StringPool pool;
    const std::string large(300'000, 'x');
    const NameId before = pool.intern("before");
    const NameId id = pool.intern(large);
    const NameId after = pool.intern("after");
    QVERIFY(pool.view(id) == large);
    QVERIFY(pool.view(before) == "before");
    QVERIFY(pool.view(after) == "after");
}

void BaseTest::emptyTextIsIdZero() {
    StringPool pool;
    QCOMPARE(pool.intern(""), kEmptyName);
    QVERIFY(pool.view(kEmptyName).empty());
}

void BaseTest::spansClipAndOverlapHalfOpen() {
    constexpr TimeSpan span{10, 20};
    QVERIFY(span.overlaps({19, 30}));
    QVERIFY(!span.overlaps({20, 30}));
    QVERIFY(!span.overlaps({0, 10}));
    QVERIFY((span.clip({0, 15}) == TimeSpan{10, 15}));
    QVERIFY((span.clip({15, 99}) == TimeSpan{15, 20}));
    QVERIFY(span.clip({30, 40}).empty());
    QVERIFY(span.clip({0, 5}).empty());
}

void BaseTest::spanWithoutLengthOverlapsAtItsStart() {
    constexpr TimeSpan span{10, 20};
    QVERIFY(span.overlaps({10, 10}));
    QVERIFY(!span.overlaps({20, 20}));
}

void BaseTest::durationsReadInTheirUnit_data() {
    QTest::addColumn<qint64>("ns");
    QTest::addColumn<QString>("text");
    QTest::newRow("nothing") << qint64{0} << "0 ns";
    QTest::newRow("below a microsecond") << qint64{999} << "999 ns";
    QTest::newRow("microseconds") << qint64{5632} << QStringLiteral("5.632 µs");
    QTest::newRow("milliseconds") << qint64{1'250'000} << "1.250 ms";
    QTest::newRow("seconds") << qint64{12'345'678'901} << "12.346 s";
    QTest::newRow("negative") << qint64{-1500} << QStringLiteral("-1.500 µs");
}

void BaseTest::durationsReadInTheirUnit() {
    QFETCH(qint64, ns);
    QFETCH(QString, text);
    QCOMPARE(QString::fromStdString(formatDuration(ns)), text);
}

void BaseTest::countsHaveThousandsSeparators() {
    QCOMPARE(formatCount(0), std::string("0"));
    QCOMPARE(formatCount(999), std::string("999"));
    QCOMPARE(formatCount(1000), std::string("1,000"));
    QCOMPARE(formatCount(3'300'000), std::string("3,300,000"));
    QCOMPARE(formatCount(-123'456), std::string("-123,456"));
}

void BaseTest::bytesAndPercent() {
    QCOMPARE(formatBytes(1023), std::string("1023 B"));
    QCOMPARE(formatBytes(1536), std::string("1.5 KiB"));
    QCOMPARE(formatBytes(3ULL << 30U), std::string("3.0 GiB"));
    QCOMPARE(formatPercent(1.0, 3.0), std::string("33.33 %"));
    QCOMPARE(formatPercent(1.0, 0.0), std::string("–"));
}

void BaseTest::kernelNamesShorten_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("expected");
    QTest::newRow("template")
        << "void at::native::elementwise_kernel<128, 2, foo<int> >(int, foo<int>)"
        << "elementwise_kernel";
    QTest::newRow("anonymous namespace")
        << "void at::native::(anonymous namespace)::fused_dropout_kernel_vec<float>(int)"
        << "fused_dropout_kernel_vec";
    QTest::newRow("plain") << "nvjet_sm90_tst_96x128_64x7_2x1_v_bz_bias_TNN"
                           << "nvjet_sm90_tst_96x128_64x7_2x1_v_bz_bias_TNN";
    QTest::newRow("copy") << "Memcpy HtoD (Pageable -> Device)"
                          << "Memcpy HtoD (Pageable -> Device)";
    QTest::newRow("no return type")
        << "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgs<4096ul>)"
        << "ncclDevKernel_AllReduce_Sum_f32_RING_LL";
    QTest::newRow("class template member")
        << "void cutlass::Kernel2<cutlass_80_simt_sgemm_256x128_8x4_nn_align1>(Params)"
        << "Kernel2<cutlass_80_simt_sgemm_256x128_8x4_nn_align1>";
    QTest::newRow("cast among arguments")
        << "void at::native::multi_tensor_apply_kernel<Functor<4, (at::native::ADAM_MODE)1>>(int)"
        << "multi_tensor_apply_kernel";
    QTest::newRow("empty") << ""
                           << "";
}

void BaseTest::kernelNamesShorten() {
    QFETCH(QString, name);
    QFETCH(QString, expected);
    QCOMPARE(QString::fromStdString(shortKernelName(name.toStdString())), expected);
}

void BaseTest::mangledNamesAreReadable_data() {
    QTest::addColumn<QString>("mangled");
    QTest::addColumn<QString>("readable");
    QTest::addColumn<QString>("shortName");
    QTest::newRow("function") << "_ZN7ck_tile6kentryILi256EfEEvT0_"
                              << "void ck_tile::kentry<256, float>(float)"
                              << "kentry";
    QTest::newRow("bfloat16")
        << "_ZN5aiter24add_rmsnorm_quant_kernelIDF16bDF16bLi256ELb1EEEvPT0_PT_i"
        << "void aiter::add_rmsnorm_quant_kernel<__bf16, __bf16, 256, true>(__bf16*, __bf16*, int)"
        << "add_rmsnorm_quant_kernel";
    // Of newer compilers than the runtime, or cut off: the path alone.
    QTest::newRow("unknown template parameter")
        << "_ZN7sgl_hip10activation18act_and_mul_kernelI14__hip_bfloat16TnPFT_RKS3_EXadL_Z4siluIS2_"
           "ES3_S5_EEEEvPS3_PS4_i"
        << "sgl_hip::activation::act_and_mul_kernel<__hip_bfloat16…>"
        << "act_and_mul_kernel";
    QTest::newRow("cut off")
        << "_ZN2ck16tensor_operation6device37kernel_batched_gemm_xdlops_bwd_weightINS_47Gridwise"
        << "ck::tensor_operation::device::kernel_batched_gemm_xdlops_bwd_weight<…>"
        << "kernel_batched_gemm_xdlops_bwd_weight";
    QTest::newRow("the first argument of one that says nothing")
        << "_ZN17cutlass__5x_cudnn6KernelINS_4conv6kernel23ImplicitGemmConvolutionINS1_11thread"
        << "cutlass__5x_cudnn::Kernel<conv::kernel::ImplicitGemmConvolution…>"
        << "Kernel<conv::kernel::ImplicitGemmConvolution…>";
    QTest::newRow("anonymous") << "_ZN12_GLOBAL__N_13addILi1EE???"
                               << "(anonymous namespace)::add<…>"
                               << "add";
    for (const char* same : {"_Zebra", "_Z", "_ZN", "_ZN5aiter", "_ZN99999999999999999999aE",
                             "nvjet", "_ZN3abcIiEE\xff", "Memcpy HtoD (Pageable -> Device)", ""}) {
        QTest::newRow(qPrintable(QStringLiteral("as it is: %1").arg(same)))
            << QString::fromLatin1(same)
            << (QByteArray(same).contains("abc") ? QStringLiteral("abc<…>")
                                                 : QString::fromLatin1(same))
            << (QByteArray(same).contains("abc") ? QStringLiteral("abc")
                                                 : QString::fromLatin1(same));
    }
}

void BaseTest::mangledNamesAreReadable() {
    QFETCH(QString, mangled);
    QFETCH(QString, readable);
    QFETCH(QString, shortName);
    const std::string name = mangled.toStdString();
    QCOMPARE(QString::fromStdString(demangledName(name)), readable);
    QCOMPARE(QString::fromStdString(shortKernelName(name)), shortName);
    const bool isWhole = !readable.contains(QChar(0x2026));
    QCOMPARE(QString::fromStdString(demangledSignature(name)), isWhole ? readable : mangled);
    QCOMPARE(demangledName(name + std::string(1, '\0') + "more"),
             name + std::string(1, '\0') + "more");
}

// Each type is made of two of the one before: 245 letters would be 71 million.
void BaseTest::hostileNamesStayShort() {
    const std::string_view digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    std::string nested = "_Z1fI1bIiiE";
    std::string packs = "_Z1fI";
    for (std::size_t i = 2; i < 30; ++i) {
        const std::string last = {'S', digits[i - 1], '_'};
        nested += "S0_I" + last + last + "E";
        packs += "Dp";
    }
    const std::string huge = "_Z1fI" + std::string(1'000'000, 'P') + "iEvv";
    for (const std::string& name : {nested + "Evv", packs + "T_JiiiiiiiiiEEvv", huge,
                                    "_ZN" + std::string(1'000'000, '1') + "aE"}) {
        QElapsedTimer clock;
        clock.start();
        QVERIFY(demangledName(name).size() <= name.size());
        QVERIFY(clock.elapsed() < 1000);
    }
}

void BaseTest::progressIsAFraction() {
    Progress progress;
    QCOMPARE(progress.fraction(), 0.0);
    progress.start(200);
    progress.set(50);
    QCOMPARE(progress.fraction(), 0.25);
    progress.set(500);
    QCOMPARE(progress.fraction(), 1.0);
}

void BaseTest::memoryThatIsUsedCounts() {
    constexpr std::uint64_t kBytes = 64U << 20;
    const std::uint64_t before = residentMemory();
    QVERIFY(before > 0);
    {
        std::vector<char> room;
        room.reserve(kBytes);
        QVERIFY(residentMemory() < before + kBytes / 8);
    }
    {
        const std::vector<char> used(kBytes, 'x');
        QVERIFY(residentMemory() >= before + kBytes - kBytes / 8);
        QVERIFY(machineMemory() > residentMemory());
    }
    releaseFreeMemory();
    QVERIFY(residentMemory() < before + kBytes / 2);
}

QTEST_APPLESS_MAIN(BaseTest)
#include "BaseTest.moc"
