package io.github.kgdb;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Which package may use which. Each has a package-info that says what it is for. */
@AnalyzeClasses(packages = "io.github.kgdb", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {
    private static final String ROOT = "io.github.kgdb";

    @ArchTest
    static final ArchRule noPackageIsPartOfACycle =
            slices().matching(ROOT + ".(**)").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule everyLayerUsesOnlyTheLayersBelow =
            layeredArchitecture()
                    .consideringOnlyDependenciesInAnyPackage(ROOT + "..")
                    .layer("procedure")
                    .definedBy(ROOT + ".procedure..")
                    .layer("graph")
                    .definedBy(ROOT + ".graph..")
                    .layer("cypher")
                    .definedBy(ROOT + ".cypher..")
                    .layer("thought")
                    .definedBy(ROOT + ".thought..")
                    .layer("kernel")
                    .definedBy(ROOT + ".kernel..")
                    .layer("root")
                    .definedBy(ROOT)
                    .whereLayer("procedure")
                    .mayNotBeAccessedByAnyLayer()
                    .whereLayer("graph")
                    .mayOnlyBeAccessedByLayers("procedure")
                    .whereLayer("cypher")
                    .mayOnlyBeAccessedByLayers("procedure", "graph")
                    .whereLayer("thought")
                    .mayOnlyBeAccessedByLayers("procedure", "graph")
                    .whereLayer("kernel")
                    .mayOnlyBeAccessedByLayers("procedure", "graph", "cypher");

    @ArchTest
    static final ArchRule kernelsKnowNothingOfNeo4j =
            noClasses()
                    .that()
                    .resideInAPackage(ROOT + ".kernel..")
                    .should()
                    .dependOnClassesThat()
                    .resideInAPackage("org.neo4j..");

    @ArchTest
    static final ArchRule kernelsKnowNothingOfTheRestOfThePlugin =
            noClasses()
                    .that()
                    .resideInAPackage(ROOT + ".kernel..")
                    .should()
                    .dependOnClassesThat(
                            resideInAPackage(ROOT + "..")
                                    .and(not(resideInAPackage(ROOT + ".kernel.."))));

    /** Kernels that share something share it in kernel.api, so that each can be read alone. */
    @ArchTest
    static final ArchRule kernelsAreIndependentOfEachOther =
            slices().matching(ROOT + ".kernel.(*)..")
                    .should()
                    .notDependOnEachOther()
                    .ignoreDependency(
                            resideInAPackage(ROOT + ".kernel.."),
                            resideInAPackage(ROOT + ".kernel.api"));

    @ArchTest
    static final ArchRule theCypherGuardSharesOnlyTheTimeLimitWithKernels =
            classes()
                    .that()
                    .resideInAPackage(ROOT + ".cypher..")
                    .should()
                    .onlyDependOnClassesThat(
                            not(resideInAPackage(ROOT + ".kernel.."))
                                    .or(resideInAPackage(ROOT + ".kernel.api")));

    @ArchTest
    static final ArchRule theThoughtParserNeedsNoDatabase =
            noClasses()
                    .that()
                    .resideInAPackage(ROOT + ".thought..")
                    .should()
                    .dependOnClassesThat()
                    .resideInAPackage("org.neo4j..");
}
