package dev.edl.k8s.render;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Set;

/** Rendering is a pure function: it uses no cluster, disk, clock or random numbers. */
@AnalyzeClasses(packages = "dev.edl.k8s.render", importOptions = ImportOption.DoNotIncludeTests.class)
class RenderArchitectureTest {
    @ArchTest
    static final ArchRule the_client_is_asked_for_nothing_but_text = noClasses()
            .that(describe(
                    "are not the writer of text",
                    type -> !type.getFullName().equals("dev.edl.k8s.render.internal.ManifestYaml")))
            .should()
            .dependOnClassesThat(resideInAPackage("io.fabric8.kubernetes.client.."));

    @ArchTest
    static final ArchRule the_writer_of_text_knows_no_client = noClasses()
            .should()
            .dependOnClassesThat(resideInAPackage("io.fabric8.kubernetes.client..")
                    .and(describe(
                            "other than the serialization",
                            type -> !type.getFullName().equals("io.fabric8.kubernetes.client.utils.Serialization"))));

    @ArchTest
    static final ArchRule it_knows_nothing_of_execution_and_custom_resources = noClasses()
            .should()
            .dependOnClassesThat(
                    resideInAnyPackage("dev.edl.exec..", "dev.edl.reconcile..", "dev.edl.operators.crd.."));

    @ArchTest
    static final ArchRule it_does_no_input_or_output = noClasses()
            .should()
            .dependOnClassesThat(resideInAnyPackage("java.net..", "java.nio.channels..", "java.nio.file..")
                    .or(resideInAPackage("java.io..")
                            .and(describe(
                                    "other than the marker",
                                    type -> !type.getFullName().equals("java.io.Serializable")))));

    @ArchTest
    static final ArchRule it_starts_no_threads_and_draws_nothing = noClasses()
            .should()
            .dependOnClassesThat(resideInAPackage("java.util.concurrent..")
                    .or(resideInAPackage("java.security.."))
                    .or(describe(
                            "threads and dice",
                            type -> Set.of("java.lang.Thread", "java.util.Random", "java.util.UUID", "java.time.Clock")
                                    .contains(type.getFullName()))));

    @ArchTest
    static final ArchRule it_reads_no_clock_and_no_environment = noClasses()
            .should()
            .accessTargetWhere(describe(
                    "reads its surroundings",
                    access -> access.getName().equals("now")
                            || (access.getTargetOwner().getFullName().equals("java.lang.System")
                                    && Set.of("getenv", "getProperty", "currentTimeMillis", "nanoTime")
                                            .contains(access.getName()))));

    @ArchTest
    static final ArchRule jackson_is_known_to_fabric8_alone =
            noClasses().should().dependOnClassesThat(resideInAPackage("com.fasterxml.jackson.."));
}
