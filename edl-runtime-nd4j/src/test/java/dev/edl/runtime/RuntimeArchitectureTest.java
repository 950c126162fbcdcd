package dev.edl.runtime;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitCallTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Set;
import java.util.random.RandomGenerator;

/** Who may know whom in the runtime, and what its pure parts must not touch. */
@AnalyzeClasses(packages = "dev.edl.runtime", importOptions = ImportOption.DoNotIncludeTests.class)
class RuntimeArchitectureTest {
    private static final String RUNTIME = "dev.edl.runtime";
    private static final String DATA = "dev.edl.runtime.data..";
    private static final String MODEL = "dev.edl.runtime.model..";
    private static final String PS = "dev.edl.runtime.ps..";
    private static final String HISTORY = "dev.edl.runtime.history..";
    private static final String TASK = "dev.edl.runtime.task..";

    /** The root package is the vocabulary of all others and their façade, so it is no slice. */
    @ArchTest
    static final ArchRule packages_are_free_of_cycles =
            slices().matching("dev.edl.runtime.(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule data_know_no_other_part = noClasses()
            .that()
            .resideInAPackage(DATA)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    MODEL, PS, TASK, HISTORY, "dev.edl", "dev.edl.plan..", "dev.edl.reconcile..", "dev.edl.exec..");

    @ArchTest
    static final ArchRule parameter_shards_know_no_tasks_no_data_and_no_models = noClasses()
            .that()
            .resideInAPackage(PS)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(DATA, MODEL, TASK, HISTORY, "dev.edl.reconcile..", "dev.edl.exec..");

    @ArchTest
    static final ArchRule a_history_knows_of_parameter_shards_only = noClasses()
            .that()
            .resideInAPackage(HISTORY)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    DATA, MODEL, TASK, "dev.edl", "dev.edl.plan..", "dev.edl.reconcile..", "dev.edl.exec..");

    @ArchTest
    static final ArchRule the_ledger_knows_of_the_data_only_what_a_shard_is_called = noClasses()
            .that()
            .resideInAPackage(TASK)
            .should()
            .dependOnClassesThat(resideInAnyPackage(RUNTIME, DATA, MODEL, PS, HISTORY)
                    .and(describe(
                            "other than DataShard",
                            type -> !type.getFullName().equals("dev.edl.runtime.data.DataShard"))));

    @ArchTest
    static final ArchRule a_model_knows_the_contract_only = noClasses()
            .that()
            .resideInAPackage(MODEL)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    DATA, PS, TASK, HISTORY, "dev.edl", "dev.edl.plan..", "dev.edl.reconcile..", "dev.edl.exec..");

    @ArchTest
    static final ArchRule the_runtime_trains_any_model = noClasses()
            .that()
            .resideInAPackage(RUNTIME)
            .should()
            .dependOnClassesThat()
            .resideInAPackage(MODEL)
            .because("a model that needs no ND4J must train without an ND4J backend");

    @ArchTest
    static final ArchRule nd4j_is_for_models = noClasses()
            .that()
            .resideOutsideOfPackage(MODEL)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.nd4j..", "org.bytedeco..");

    @ArchTest
    static final ArchRule file_formats_are_for_data = noClasses()
            .that()
            .resideOutsideOfPackage(DATA)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.xerial..", "de.siegmar..");

    @ArchTest
    static final ArchRule the_runtime_knows_no_cluster =
            noClasses().should().dependOnClassesThat().resideInAnyPackage("io.fabric8..", "io.grpc..", "dev.edl.k8s..");

    @ArchTest
    static final ArchRule in_the_ledger_only_the_journal_does_input_and_output = noClasses()
            .that()
            .resideInAPackage(TASK)
            .and()
            .haveNameNotMatching(".*\\.(FileJournal|JournalFile|JournalReader)(\\$.*)?")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("java.io..", "java.nio.file..", "java.nio.channels..", "java.net..");

    @ArchTest
    static final ArchRule the_ledger_starts_no_threads_and_waits_for_none = noClasses()
            .that()
            .resideInAPackage(TASK)
            .should()
            .dependOnClassesThat(resideInAnyPackage("java.util.concurrent..")
                    .or(describe(
                            "threads",
                            type -> Set.of("java.lang.Thread", "java.util.Timer")
                                    .contains(type.getFullName()))))
            .orShould()
            .callMethodWhere(
                    describe("waits", call -> isCall(call, "java.lang.Object", "wait", "notify", "notifyAll")));

    @ArchTest
    static final ArchRule the_ledger_reads_no_clock = noClasses()
            .that()
            .resideInAPackage(TASK)
            .should()
            .accessTargetWhere(describe(
                    "reads a clock",
                    access -> readsTheTime(access)
                            || access.getTargetOwner().getFullName().matches("java\\.time\\.(Clock|InstantSource)")));

    @ArchTest
    static final ArchRule the_time_is_an_argument = noClasses()
            .that()
            .doNotHaveFullyQualifiedName("dev.edl.runtime.InProcessExecutor")
            .should()
            .accessTargetWhere(describe(
                    "reads the wall clock",
                    access -> isSystemClock(access)
                            // How long a wait has taken is no date; the ledger has a stricter rule.
                            || (readsTheTime(access) && !isCall(access, "java.lang.System", "nanoTime"))))
            .because("a user may give another clock; InProcessExecutor takes the system's when none is given");

    @ArchTest
    static final ArchRule randomness_has_a_seed = noClasses()
            .should()
            .accessTargetWhere(describe(
                    "is random without a seed",
                    access -> isCall(access, "java.lang.Math", "random")
                            || isCall(access, "java.util.UUID", "randomUUID")
                            || isCall(access, "java.util.concurrent.ThreadLocalRandom", "current")
                            || isCall(access, "java.lang.System", "identityHashCode")
                            || isWithoutSeed(access)));

    @ArchTest
    static final ArchRule nothing_prints_on_its_own = noClasses()
            .that()
            .doNotHaveFullyQualifiedName("dev.edl.runtime.model.QuietGradients")
            .should()
            .accessTargetWhere(
                    describe("prints", access -> isCall(access, "java.lang.System", "out", "err", "setOut", "setErr")))
            .orShould()
            .callMethod(Throwable.class, "printStackTrace")
            .because("the program decides where output goes; QuietGradients takes some away");

    @ArchTest
    static final ArchRule there_is_no_java_serialization = noClasses()
            .should()
            .dependOnClassesThat()
            .haveFullyQualifiedName("java.io.ObjectInputStream")
            .orShould()
            .dependOnClassesThat()
            .haveFullyQualifiedName("java.io.ObjectOutputStream")
            .orShould()
            .dependOnClassesThat()
            .haveFullyQualifiedName("java.io.Externalizable");

    @ArchTest
    static final ArchRule names_say_what_a_thing_is = noClasses()
            .that()
            .haveSimpleNameNotStartingWith("Immutable")
            .should()
            .haveNameMatching(".*(Utils?|Helper|Manager|Impl)");

    private static boolean readsTheTime(JavaAccess<?> access) {
        return isCall(access, "java.lang.System", "currentTimeMillis", "nanoTime")
                || isCall(access, "java.util.Date", "<init>")
                || (access.getTargetOwner().getPackageName().startsWith("java.time")
                        && access.getName().equals("now"));
    }

    private static boolean isSystemClock(JavaAccess<?> access) {
        return access.getTargetOwner().getFullName().matches("java\\.time\\.(Clock|InstantSource)")
                && (access.getName().startsWith("system") || access.getName().startsWith("tick"));
    }

    private static boolean isWithoutSeed(JavaAccess<?> access) {
        if (!(access.getTarget() instanceof CodeUnitCallTarget call)) {
            return false;
        }
        int arguments = call.getRawParameterTypes().size();
        return (call.getOwner().isAssignableTo(RandomGenerator.class)
                        && call.getName().equals("<init>")
                        && arguments == 0)
                || (isCall(access, "java.util.Collections", "shuffle") && arguments == 1);
    }

    private static boolean isCall(JavaAccess<?> access, String owner, String... names) {
        return access.getTargetOwner().getFullName().equals(owner)
                && Set.of(names).contains(access.getName());
    }
}
