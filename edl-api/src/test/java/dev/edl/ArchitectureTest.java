package dev.edl;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Design rules that the compiler does not enforce. */
@AnalyzeClasses(packages = "dev.edl", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    private static final String[] PURE = {
        "dev.edl",
        "dev.edl.elasticdl..",
        "dev.edl.env..",
        "dev.edl.explain..",
        "dev.edl.internal..",
        "dev.edl.plan..",
        "dev.edl.reconcile..",
        "dev.edl.spec..",
        "dev.edl.status.."
    };

    /** Jackson's parsers declare {@code IOException} even for a text in memory. */
    private static final DescribedPredicate<JavaClass> PURE_CLASSES = resideInAnyPackage(PURE)
            .and(describe(
                    "are not the reader of JSON and YAML",
                    type -> !type.getFullName().matches("dev\\.edl\\.internal\\.text\\.DataNodeReader(\\$.*)?")))
            .as("the pure core");

    @ArchTest
    static final ArchRule packages_are_free_of_cycles =
            slices().matching("dev.(**)").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule text_knows_no_rules_of_jobs = noClasses()
            .that(resideInAPackage("dev.edl.internal.text.."))
            .should()
            .dependOnClassesThat(
                    resideInAPackage("dev.edl.(*)..").and(not(resideInAPackage("dev.edl.internal.text.."))));

    @ArchTest
    static final ArchRule the_core_points_one_way = noClasses()
            .that(resideInAPackage("dev.edl.spec.."))
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("dev.edl.plan..", "dev.edl.env..", "dev.edl.reconcile..", "dev.edl.exec..");

    @ArchTest
    static final ArchRule a_plan_knows_no_environment_decision_or_execution = noClasses()
            .that(resideInAPackage("dev.edl.plan.."))
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("dev.edl.env..", "dev.edl.reconcile..", "dev.edl.exec..")
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule an_environment_and_a_decision_know_no_execution = noClasses()
            .that(resideInAnyPackage("dev.edl.env..", "dev.edl.reconcile.."))
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.edl.exec..")
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule the_core_does_no_input_or_output = noClasses()
            .that(PURE_CLASSES)
            .should()
            .dependOnClassesThat(resideInAnyPackage("java.net..", "java.nio.channels..", "java.nio.file..")
                    .or(resideInAPackage("java.io..")
                            .and(describe(
                                    "other than the marker",
                                    type -> !type.getFullName().equals("java.io.Serializable")))))
            .because("what a job means must not depend on where it is asked");

    @ArchTest
    static final ArchRule the_core_starts_no_threads = noClasses()
            .that(PURE_CLASSES)
            .should()
            .dependOnClassesThat(resideInAPackage("java.util.concurrent..")
                    .or(describe(
                            "threads",
                            type -> Set.of(
                                            "java.lang.Thread",
                                            "java.util.Timer",
                                            "java.lang.Process",
                                            "java.lang.ProcessBuilder",
                                            "java.lang.Runtime")
                                    .contains(type.getFullName()))));

    @ArchTest
    static final ArchRule the_core_reads_no_clock = noClasses()
            .that(PURE_CLASSES)
            .should()
            .accessTargetWhere(describe(
                    "reads a clock",
                    access -> access.getTargetOwner().getFullName().equals("java.time.Clock")
                            || (access.getTargetOwner().getPackageName().startsWith("java.time")
                                    && access.getName().equals("now"))
                            || isCall(access, "java.lang.System", "currentTimeMillis", "nanoTime")
                            || isCall(access, "java.util.Date", "<init>")));

    @ArchTest
    static final ArchRule the_core_uses_no_randomness = noClasses()
            .that(PURE_CLASSES)
            .should()
            .accessTargetWhere(describe(
                    "is random",
                    access -> isCall(access, "java.lang.Math", "random")
                            || isCall(access, "java.util.UUID", "randomUUID")
                            || isCall(access, "java.lang.System", "identityHashCode")
                            || isCall(access, "java.util.Collections", "shuffle")
                            || (access.getTargetOwner().isAssignableTo(java.util.random.RandomGenerator.class)
                                    && access.getName().equals("<init>"))));

    @ArchTest
    static final ArchRule the_core_reads_nothing_of_its_surroundings = noClasses()
            .that(PURE_CLASSES)
            .should()
            .accessTargetWhere(describe(
                    "reads the environment",
                    access -> isCall(
                                    access,
                                    "java.lang.System",
                                    "getenv",
                                    "getProperty",
                                    "getProperties",
                                    "lineSeparator")
                            || isCall(access, "java.util.Locale", "getDefault")
                            || isCall(access, "java.time.ZoneId", "systemDefault")))
            .because("two calls give the same bytes, on every machine");

    @ArchTest
    static final ArchRule names_say_what_a_thing_is = noClasses()
            .that()
            .haveSimpleNameNotStartingWith("Immutable")
            .should()
            .haveNameMatching(".*(Utils?|Helper|Manager|Impl)");

    @ArchTest
    static void jackson_is_in_no_public_signature(JavaClasses classes) {
        List<String> seen = classes.stream()
                .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC))
                .flatMap(type -> type.getMembers().stream())
                .filter(member -> member.getModifiers().contains(JavaModifier.PUBLIC)
                        || member.getModifiers().contains(JavaModifier.PROTECTED))
                .filter(member -> signature(member)
                        .flatMap(type -> type.getAllInvolvedRawTypes().stream())
                        .anyMatch(type -> type.getPackageName().startsWith("com.fasterxml.jackson")))
                .map(JavaMember::getFullName)
                .toList();

        assertThat(seen).isEmpty();
    }

    @ArchTest
    static void no_public_name_clashes_with_what_jshell_imports(JavaClasses classes) {
        // JShell's DEFAULT start-up imports, JDK 17; an import of dev.edl.* beside them must stay unambiguous.
        List<String> imported = List.of(
                "java.io",
                "java.math",
                "java.net",
                "java.nio.file",
                "java.util",
                "java.util.concurrent",
                "java.util.function",
                "java.util.prefs",
                "java.util.regex",
                "java.util.stream");
        List<String> clashes = classes.stream()
                .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC) && type.isTopLevelClass())
                .filter(type -> !type.getPackageName().contains(".internal"))
                .flatMap(type -> imported.stream().map(name -> name + "." + type.getSimpleName()))
                .filter(ArchitectureTest::exists)
                .toList();

        assertThat(exists("java.util.concurrent.Executor")).isTrue();
        assertThat(clashes).isEmpty();
    }

    private static boolean exists(String name) {
        try {
            Class.forName(name, false, ClassLoader.getSystemClassLoader());
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    private static Stream<com.tngtech.archunit.core.domain.JavaType> signature(JavaMember member) {
        if (member instanceof JavaCodeUnit code) {
            return Stream.concat(
                    Stream.of(code.getReturnType()),
                    Stream.concat(code.getParameterTypes().stream(), code.getExceptionTypes().stream()));
        }
        return Stream.of(((JavaField) member).getType());
    }

    private static boolean isCall(JavaAccess<?> access, String owner, String... names) {
        AccessTarget target = access.getTarget();
        return target.getOwner().getFullName().equals(owner) && Set.of(names).contains(target.getName());
    }
}
