package dev.edl.operators.crd;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The rules of the design for custom resources. */
@AnalyzeClasses(packages = "dev.edl.operators.crd", importOptions = ImportOption.DoNotIncludeTests.class)
class CrdArchitectureTest {
    private static final DescribedPredicate<JavaClass> PARSERS =
            JavaClass.Predicates.resideInAnyPackage("com.fasterxml.jackson..", "tools.jackson..", "org.snakeyaml..");

    @ArchTest
    static final ArchRule the_packages_are_free_of_cycles =
            slices().matching("dev.edl.(**)").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule the_systems_do_not_know_each_other = slices().matching(
                    "dev.edl.operators.crd.(tfjob|kubeflow|mxjob|et)")
            .should()
            .notDependOnEachOther();

    @ArchTest
    static final ArchRule no_parser_is_seen_in_a_public_signature = methods()
            .that()
            .arePublic()
            .and()
            .areDeclaredInClassesThat()
            .arePublic()
            .should()
            .notHaveRawReturnType(PARSERS)
            .andShould()
            .notHaveRawParameterTypes(DescribedPredicate.anyElementThat(PARSERS));

    @ArchTest
    static final ArchRule reading_and_writing_is_pure = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("java.io..", "java.nio.file..", "java.net..", "java.util.concurrent..");
}
