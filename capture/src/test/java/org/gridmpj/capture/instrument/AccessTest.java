package org.gridmpj.capture.instrument;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.gridmpj.capture.samples.hidden.Shapes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.objectweb.asm.Type;

class AccessTest {
    private static final String HIDDEN = Shapes.class.getPackageName().replace('.', '/');

    private final ClassHierarchy hierarchy = new ClassHierarchy(AccessTest.class.getClassLoader());
    private final Access access = new Access(hierarchy, "some/Program");

    @ParameterizedTest
    @CsvSource({
        "Ljava/util/concurrent/atomic/LongAdder;, Ljava/util/concurrent/atomic/LongAdder;",
        "Ljava/util/concurrent/atomic/Striped64;, Ljava/lang/Number;",
        "Ljava/lang/AbstractStringBuilder;,       Ljava/lang/Object;",
        "[[Ljava/util/concurrent/atomic/Striped64;, [[Ljava/lang/Number;",
        "[[I,                                     [[I",
        // public, in a package that its module keeps to itself; what the tests are started with opens the second
        "Lsun/security/provider/Sun;,             Ljava/security/Provider;",
        "Ljdk/internal/misc/Unsafe;,              Ljdk/internal/misc/Unsafe;",
        "Lgone/from/Here;,                        Lgone/from/Here;",
    })
    void shouldFindTheNearestTypeThatMayBeNamed(String type, String nearest) {
        assertThat(access.nearest(Type.getType(type))).isEqualTo(Type.getType(nearest));
    }

    @Test
    void shouldGoByTheClassFileWhenAClassIsNested() {
        Map.of("Shapes$Pair", true, "Base", false, "Corner", false)
                .forEach((name, allowed) ->
                        assertThat(access.allows(HIDDEN + "/" + name)).as(name).isEqualTo(allowed));
        assertThat(new Access(hierarchy, HIDDEN + "/Square").allows(HIDDEN + "/Base"))
                .isTrue();
        assertThat(access.allows(Map.Entry.class.getName().replace('.', '/'))).isTrue();
    }
}
