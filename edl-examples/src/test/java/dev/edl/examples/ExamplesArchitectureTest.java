package dev.edl.examples;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Examples use only API that any other program may use. */
@AnalyzeClasses(locations = ExamplesClasses.class, importOptions = ImportOption.DoNotIncludeTests.class)
class ExamplesArchitectureTest {
    @ArchTest
    static final ArchRule examples_have_packages_of_their_own =
            classes().should().resideInAPackage("dev.edl.examples..");

    @ArchTest
    static final ArchRule examples_use_the_public_api = noClasses()
            .should()
            .dependOnClassesThat(describe(
                    "are not public in EDL",
                    type -> type.getPackageName().startsWith("dev.edl")
                            && !type.getPackageName().startsWith("dev.edl.examples")
                            && (!type.getModifiers().contains(JavaModifier.PUBLIC)
                                    || (type.getPackageName().contains(".internal")
                                            && !type.getPackageName().equals("dev.edl.internal.text")))))
            .orShould()
            .dependOnClassesThat()
            .resideInAnyPackage("java.lang.reflect..");
}
