package org.gridmpj.deploy;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.lang.foreign.MemorySegment;
import org.gridmpj.memory.Bytes;
import org.junit.jupiter.api.Test;

/** Who imports whom among the modules (docs/ARCHITECTURE.md). */
class ModulesTest {
    private static final JavaClasses ALL = new ClassFileImporter().importPackages("org.gridmpj");

    @Test
    void shouldKeepTransportsAndCheckpointApart() {
        apart("org.gridmpj.transport.gridtcp..", "org.gridmpj.transport.nio..", "org.gridmpj.checkpoint..");
        apart("org.gridmpj.transport.nio..", "org.gridmpj.transport.gridtcp..", "org.gridmpj.checkpoint..");
        apart("org.gridmpj.checkpoint..", "org.gridmpj.transport.gridtcp..", "org.gridmpj.transport.nio..");
    }

    @Test
    void shouldFindTransportsAtRunTimeOnly() {
        apart("org.gridmpj.launcher..", "org.gridmpj.transport.gridtcp..", "org.gridmpj.transport.nio..");
        apart("org.gridmpj.codec.kryo..", "org.gridmpj.transport.gridtcp..", "org.gridmpj.transport.nio..");
    }

    /** The JDK's own loop for short copies is not to be trusted: see {@link Bytes}. */
    @Test
    void shouldCopyBetweenSegmentsByBytesOnly() {
        noClasses()
                .should()
                .callMethod(
                        MemorySegment.class,
                        "copy",
                        MemorySegment.class,
                        long.class,
                        MemorySegment.class,
                        long.class,
                        long.class)
                .orShould()
                .callMethod(MemorySegment.class, "copyFrom", MemorySegment.class)
                .check(ALL);
    }

    private static void apart(String from, String... to) {
        noClasses()
                .that()
                .resideInAPackage(from)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(to)
                .allowEmptyShould(true)
                .check(ALL);
    }
}
