package dev.edl.testkit;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Allowed dependencies of the assertions. */
@AnalyzeClasses(packages = "dev.edl.testkit", importOptions = ImportOption.DoNotIncludeTests.class)
class TestkitArchitectureTest {
    @ArchTest
    static final ArchRule a_job_that_needs_no_kubernetes_pulls_no_client = noClasses()
            .that()
            .resideOutsideOfPackage("dev.edl.testkit.k8s..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.fabric8..", "dev.edl.k8s..", "dev.edl.testkit.k8s..")
            .because("both are optional dependencies of the module");

    @ArchTest
    static final ArchRule a_job_that_trains_nothing_pulls_no_runtime = noClasses()
            .that()
            .resideOutsideOfPackage("dev.edl.testkit.history..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("dev.edl.runtime..", "dev.edl.testkit.history..")
            .because("the runtime is an optional dependency of the module");

    @ArchTest
    static final ArchRule assertions_on_pods_know_their_types_and_no_client = noClasses()
            .that()
            .resideInAPackage("dev.edl.testkit.k8s..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.fabric8.kubernetes.client.http..", "io.fabric8.kubernetes.client.informers..")
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule no_test_framework_is_needed = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.junit..", "org.opentest4j..", "org.testng..")
            .because("they work in JUnit 5, in JUnit 6, and in others");

    @ArchTest
    static final ArchRule packages_are_free_of_cycles =
            slices().matching("dev.(**)").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule names_say_what_a_thing_is =
            noClasses().should().haveNameMatching(".*(Utils?|Helper|Manager|Impl)");
}
