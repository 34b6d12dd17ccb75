package org.gridmpj.testkit.dialect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import mpi.MPIException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.gridmpj.error.ErrorClass;

/** What the programs have in common. */
final class Check {
    private Check() {}

    /** The call throws an MPIException of a class whose message has these words. */
    static void fails(ErrorClass errorClass, ThrowingCallable call, String... words) {
        assertThatThrownBy(call).isInstanceOfSatisfying(MPIException.class, e -> {
            assertThat(e.getErrorClass()).as(e.getMessage()).isEqualTo(errorClass.code());
            for (String word : words) {
                assertThat(e.getMessage()).contains(word);
            }
        });
    }
}
