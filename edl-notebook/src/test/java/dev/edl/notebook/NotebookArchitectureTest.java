package dev.edl.notebook;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/**
 * Pages depend on no kernel and no display, and each on one module, so that a missing module disables only its own
 * page.
 */
@AnalyzeClasses(packages = "dev.edl.notebook", importOptions = ImportOption.DoNotIncludeTests.class)
class NotebookArchitectureTest {
    @ArchTest
    static final ArchRule only_the_extension_knows_a_kernel = noClasses()
            .that()
            .resideOutsideOfPackage("dev.edl.notebook.jjava")
            .should()
            .dependOnClassesThat(resideInAPackage("org.dflib..").or(resideInAPackage("dev.edl.notebook.jjava")));

    @ArchTest
    static final ArchRule pictures_need_no_display = noClasses()
            .should()
            .dependOnClassesThat(resideInAPackage("java.awt..").or(resideInAPackage("javax..")));

    @ArchTest
    static final ArchRule jobs_need_edl_api_alone = noClasses()
            .that()
            .haveSimpleName("JobHtml")
            .or()
            .haveSimpleName("Html")
            .should()
            .dependOnClassesThat(resideInAPackage("dev.edl.k8s..")
                    .or(resideInAPackage("dev.edl.operators.."))
                    .or(resideInAPackage("io.fabric8.."))
                    .or(resideInAPackage("dev.edl.runtime.."))
                    .or(resideInAPackage("dev.edl.testkit..")));

    @ArchTest
    static final ArchRule kubernetes_objects_need_no_operators = noClasses()
            .that()
            .haveSimpleName("KubernetesHtml")
            .should()
            .dependOnClassesThat(resideInAPackage("dev.edl.operators.."));

    @ArchTest
    static final ArchRule trainings_need_no_cluster = noClasses()
            .that()
            .haveSimpleNameStartingWith("TrainingHtml")
            .or()
            .haveSimpleNameStartingWith("Curve")
            .or()
            .haveSimpleNameStartingWith("Live")
            .or()
            .haveSimpleName("EdlNotebook")
            .should()
            .dependOnClassesThat(resideInAPackage("dev.edl.k8s..")
                    .or(resideInAPackage("dev.edl.operators.."))
                    .or(resideInAPackage("io.fabric8.."))
                    .or(resideInAPackage("dev.edl.testkit..")));
}
