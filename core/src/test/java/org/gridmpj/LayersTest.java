package org.gridmpj;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import mpi.MPI;
import org.junit.jupiter.api.Test;

/** Who imports whom in core (docs/ARCHITECTURE.md): imports run to the right only. */
class LayersTest {
    /** Left to right; each may import those behind it. */
    private static final List<String> LAYERS = List.of(
            "mpj",
            "mpi",
            "org.gridmpj.runtime",
            "org.gridmpj.coll",
            "org.gridmpj.comm",
            "org.gridmpj.pt2pt",
            "org.gridmpj.datatype",
            "org.gridmpj.transport",
            "org.gridmpj.snapshot",
            "org.gridmpj.job",
            "org.gridmpj.event",
            "org.gridmpj.error",
            "org.gridmpj.memory");

    private static final JavaClasses CORE = new ClassFileImporter().importPath(compiled());

    @Test
    void shouldImportOnlyToTheRight() {
        for (int layer = 1; layer < LAYERS.size(); layer++) {
            String[] left =
                    LAYERS.subList(0, layer).stream().map(LayersTest::within).toArray(String[]::new);
            noClasses()
                    .that()
                    .resideInAPackage(within(LAYERS.get(layer)))
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(left)
                    .because("imports run to the right: " + LAYERS)
                    .allowEmptyShould(true)
                    .check(CORE);
        }
    }

    @Test
    void shouldKnowEveryPackage() {
        String[] all = LAYERS.stream().map(LayersTest::within).toArray(String[]::new);
        classes().should().resideInAnyPackage(all).check(CORE);
    }

    @Test
    void shouldHaveNoCycles() {
        slices().matching("org.gridmpj.(*)..").should().beFreeOfCycles().check(CORE);
    }

    @Test
    void shouldImportNothingButTheJdkAndSlf4j() {
        classes()
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "mpi..",
                        "mpj..",
                        "org.gridmpj..",
                        "java..",
                        "javax..",
                        "jdk.jfr..",
                        "com.sun.tools.attach..",
                        "org.slf4j..",
                        "org.jspecify..",
                        "")
                .check(CORE);
    }

    @Test
    void shouldHaveNoClassInTheDefaultPackage() {
        assertThat(CORE.stream().filter(c -> c.getPackageName().isEmpty()))
                .as("a Status without a package would shadow the one of a program's import mpi.*")
                .isEmpty();
    }

    private static Path compiled() {
        try {
            return Path.of(MPI.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String within(String layer) {
        return layer + "..";
    }
}
