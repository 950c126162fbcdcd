package dev.edl.runtime;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitCallTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;

/** Allowed dependencies between the runtime's packages, and APIs that its pure parts must not use. */
@AnalyzeClasses(packages = "dev.edl.runtime", importOptions = ImportOption.DoNotIncludeTests.class)
class RuntimeArchitectureTest {
    private static final String RUNTIME = "dev.edl.runtime";
    private static final String ENGINE = "dev.edl.runtime.engine..";
    private static final String IN_PROCESS = "dev.edl.runtime.inprocess..";
    private static final String DATA = "dev.edl.runtime.data..";
    private static final String ZOO = "dev.edl.runtime.zoo..";
    private static final String PS = "dev.edl.runtime.ps..";
    private static final String HISTORY = "dev.edl.runtime.history..";
    private static final String TASK = "dev.edl.runtime.task..";
    private static final String WIRE = "dev.edl.runtime.wire..";
    private static final String PROGRAM = "dev.edl.runtime.program..";

    @ArchTest
    static final ArchRule packages_are_free_of_cycles =
            slices().matching("dev.(**)").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule what_a_user_types_knows_nothing_that_runs_it = noClasses()
            .that()
            .resideInAPackage(RUNTIME)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    ENGINE, PS, WIRE, PROGRAM, TASK, HISTORY, IN_PROCESS, "dev.edl.runtime.internal.check..")
            .because("the engine depends on it, and gives it what it needs as an EngineProvider");

    @ArchTest
    static final ArchRule the_roles_know_no_place_where_they_run = noClasses()
            .that()
            .resideInAPackage(ENGINE)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(IN_PROCESS, WIRE, PROGRAM)
            .because("the same roles run as threads of one JVM and as processes");

    @ArchTest
    static final ArchRule a_connection_knows_no_data_no_model_and_no_program = noClasses()
            .that()
            .resideInAPackage(WIRE)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(DATA, ZOO, HISTORY, IN_PROCESS, PROGRAM);

    private static final Set<String> WORKER =
            roles("WorkerRunner", "TaskProcessor", "TrainingTaskProcessor", "PassTaskProcessor", "ForwardPass");
    private static final Set<String> SERVER = roles("PsRunner");
    private static final Set<String> MASTER = roles("MasterRunner", "LedgerMaster", "TrainingMaster", "PassMaster");

    /** Classes that assemble the roles of one JVM; each depends on the parts that it connects. */
    private static final Set<String> WIRING = roles(
            "SharedTrainingState",
            "SharedPassState",
            "LedgerMasterPort",
            "LocalMasterPort",
            "LocalPassMasterPort",
            "LocalRegistrationPort");

    @ArchTest
    static final ArchRule a_worker_knows_master_and_shards_by_their_ports = noClasses()
            .that(are("of a worker", List.of(WORKER)))
            .should()
            .dependOnClassesThat(are("of another role or where roles are put together", List.of(MASTER, SERVER, WIRING))
                    .or(shardsThemselves()));

    @ArchTest
    static final ArchRule a_server_knows_the_master_by_its_port = noClasses()
            .that(are("of a server", List.of(SERVER)))
            .should()
            .dependOnClassesThat(are("of another role or where roles are put together", List.of(MASTER, WORKER, WIRING))
                    .or(resideInAnyPackage("dev.edl.runtime.ps.group..")));

    @ArchTest
    static final ArchRule a_master_knows_shards_by_their_port_and_no_worker = noClasses()
            .that(are("of a master", List.of(MASTER)))
            .should()
            .dependOnClassesThat(are("of another role", List.of(WORKER, SERVER)).or(shardsThemselves()));

    @ArchTest
    static final ArchRule a_port_knows_no_role = noClasses()
            .that()
            .resideInAnyPackage("dev.edl.runtime.engine.ports..", "dev.edl.runtime.ps.ports..")
            .should()
            .dependOnClassesThat(are("of a role", List.of(MASTER, WORKER, SERVER, WIRING))
                    .or(resideInAnyPackage("dev.edl.runtime.ps.group..")));

    private static Set<String> roles(String... names) {
        return Set.of(names);
    }

    private static DescribedPredicate<JavaClass> are(String what, List<Set<String>> roles) {
        return describe("are " + what, type -> {
            String name = type.getFullName();
            String outermost = name.contains("$") ? name.substring(0, name.indexOf('$')) : name;
            return roles.stream()
                    .flatMap(Set::stream)
                    .anyMatch(role -> outermost.equals("dev.edl.runtime.engine." + role));
        });
    }

    /** The shards of this JVM, and all of them together. */
    private static DescribedPredicate<JavaClass> shardsThemselves() {
        return resideInAnyPackage("dev.edl.runtime.ps.group..")
                .or(describe("a shard", type -> type.getFullName().equals("dev.edl.runtime.ps.shard.ParameterShard")));
    }

    @ArchTest
    static final ArchRule a_model_contract_or_an_initializer_knows_the_vocabulary_only = noClasses()
            .that()
            .resideInAnyPackage("dev.edl.runtime.model..", "dev.edl.runtime.initializers..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(DATA, ENGINE, HISTORY, IN_PROCESS, ZOO, PS, TASK, "dev.edl.exec..");

    @ArchTest
    static final ArchRule an_optimizer_knows_no_shard = noClasses()
            .that()
            .resideInAPackage("dev.edl.runtime.optimizers..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(DATA, ENGINE, HISTORY, IN_PROCESS, ZOO, PS, TASK, "dev.edl.exec..");

    @ArchTest
    static final ArchRule data_know_no_other_part = noClasses()
            .that()
            .resideInAPackage(DATA)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    ZOO, PS, TASK, HISTORY, "dev.edl", "dev.edl.plan..", "dev.edl.reconcile..", "dev.edl.exec..");

    @ArchTest
    static final ArchRule parameter_shards_know_no_tasks_no_data_and_no_models = noClasses()
            .that()
            .resideInAPackage(PS)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(DATA, ZOO, TASK, HISTORY, "dev.edl.reconcile..", "dev.edl.exec..");

    @ArchTest
    static final ArchRule a_history_knows_of_parameter_shards_only = noClasses()
            .that()
            .resideInAPackage(HISTORY)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(DATA, ZOO, TASK, "dev.edl", "dev.edl.plan..", "dev.edl.reconcile..", "dev.edl.exec..");

    @ArchTest
    static final ArchRule the_ledger_knows_of_the_data_only_what_a_shard_is_called = noClasses()
            .that()
            .resideInAPackage(TASK)
            .should()
            .dependOnClassesThat(resideInAnyPackage(RUNTIME, DATA, ZOO, PS, HISTORY)
                    .and(describe(
                            "other than DataShard",
                            type -> !type.getFullName().equals("dev.edl.runtime.data.DataShard"))));

    @ArchTest
    static final ArchRule a_model_knows_the_contract_only = noClasses()
            .that()
            .resideInAPackage(ZOO)
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
            .resideInAPackage(ZOO)
            .because("a model that needs no ND4J must train without an ND4J backend");

    @ArchTest
    static final ArchRule nd4j_is_for_models = noClasses()
            .that()
            .resideOutsideOfPackage(ZOO)
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
            noClasses().should().dependOnClassesThat().resideInAnyPackage("io.fabric8..", "dev.edl.k8s..");

    @ArchTest
    static final ArchRule the_ledger_does_no_input_and_output = noClasses()
            .that()
            .resideInAPackage(TASK)
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

    /** Classes whose dates are for people: start of a run, its duration, times in a TensorBoard file. */
    private static final Set<String> DATED = Set.of(
            "dev.edl.runtime.engine.RunClock",
            "dev.edl.runtime.engine.MasterRunner",
            "dev.edl.runtime.engine.SharedPassState",
            "dev.edl.runtime.engine.TrainingMaster",
            "dev.edl.runtime.engine.SharedTrainingState",
            "dev.edl.runtime.engine.files.TensorBoardLog",
            "dev.edl.runtime.engine.files.RunProgress");

    @ArchTest
    static final ArchRule leases_and_bounds_know_no_date = noClasses()
            .that(resideInAnyPackage(TASK, PS, ENGINE)
                    .and(describe("show no dates to people", type -> !DATED.contains(type.getFullName()))))
            .should()
            .dependOnClassesThat(describe(
                    "dates", type -> type.getFullName().matches("java\\.time\\.(Clock|Instant|InstantSource)")))
            .because("a wall clock that jumps, or another node's, must end no lease");

    @ArchTest
    static final ArchRule the_time_is_an_argument = noClasses()
            .that()
            .doNotHaveFullyQualifiedName("dev.edl.runtime.inprocess.InProcessExecutor")
            .and()
            .resideOutsideOfPackage(PROGRAM)
            .should()
            .accessTargetWhere(describe(
                    "reads the wall clock",
                    access -> isSystemClock(access)
                            // The duration of a wait is not a date; the ledger has a stricter rule.
                            || (readsTheTime(access) && !isCall(access, "java.lang.System", "nanoTime"))))
            .because("a user may give another clock; InProcessExecutor takes the system's when none is given");

    @ArchTest
    static final ArchRule randomness_has_a_seed = noClasses()
            .that()
            .resideOutsideOfPackage(PROGRAM)
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
            .doNotHaveFullyQualifiedName("dev.edl.runtime.zoo.internal.graph.GradientFunctionFactory")
            .and()
            .resideOutsideOfPackage(PROGRAM)
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
    static final ArchRule every_file_system_will_do = noClasses()
            .that()
            .doNotHaveFullyQualifiedName("dev.edl.runtime.internal.files.LocalFile")
            .should()
            .callMethod(Path.class, "toFile")
            .orShould()
            .dependOnClassesThat(describe(
                    "take files of the default file system only",
                    type -> Set.of(
                                    "java.io.File",
                                    "java.io.FileInputStream",
                                    "java.io.FileOutputStream",
                                    "java.io.FileReader",
                                    "java.io.FileWriter",
                                    "java.io.RandomAccessFile")
                            .contains(type.getFullName())))
            .because("data and checkpoints may be in any file system; LocalFile is for libraries that take no Path");

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
