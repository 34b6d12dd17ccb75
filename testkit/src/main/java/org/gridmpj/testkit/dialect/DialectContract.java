package org.gridmpj.testkit.dialect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.gridmpj.error.ErrorClass;
import org.gridmpj.testkit.FacadeCluster;
import org.gridmpj.transport.TransportProvider;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** What programs in the dialects of mpiJava, MPJ Express and the 2005 report find, whatever the transport. */
public abstract class DialectContract {
    private static final List<Class<?>> PROGRAMS = List.of(
            Ring.class,
            SendModes.class,
            BasicTypes.class,
            DerivedTypes.class,
            Packing.class,
            Requests.class,
            Persistent.class,
            Probing.class,
            Shifts.class,
            Groups.class,
            Communicators.class,
            Topologies.class,
            CollectiveCallsProgram.class,
            ZeroItems.class,
            Operations.class,
            AttributesProgram.class,
            Errors.class,
            Again.class,
            Threads.class,
            Report2005.class);

    /** The transport to run over; a fresh one for each call. */
    protected abstract TransportProvider provider();

    /** The numbers of ranks to run every program at. */
    protected IntStream sizes() {
        return IntStream.of(1, 2, 3, 4, 7);
    }

    @TestFactory
    Stream<DynamicTest> shouldRunPrograms() {
        return PROGRAMS.stream()
                .flatMap(program -> sizes().mapToObj(size -> DynamicTest.dynamicTest(
                        program.getSimpleName() + " at np " + size,
                        () -> assertThat(run(size, program)).isZero())));
    }

    @Test
    void shouldEndAllRanksWithTheCodeOfAbort() {
        assertThat(run(3, Aborting.class)).isEqualTo(42);
    }

    @Test
    void shouldEndAllRanksWhenAnErrorIsFatal() {
        assertThat(run(3, FatalError.class)).isEqualTo(ErrorClass.RANK.code());
    }

    @Test
    void shouldNameTheRankThatThrew() {
        assertThatThrownBy(() -> run(3, Throwing.class))
                .hasMessageContaining("rank 2")
                .hasMessageContaining("boom");
    }

    private int run(int size, Class<?> program) {
        return FacadeCluster.of(size, provider()).run(program, "some", "arguments");
    }
}
