package org.gridmpj.testkit.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import mpi.Comm;
import mpi.Intracomm;
import mpi.MPI;
import org.gridmpj.error.ErrorClass;

/** Predefined attributes, own keys, clocks and names. */
public final class AttributesProgram {
    private AttributesProgram() {}

    public static void main(String[] args) throws Exception {
        MPI.Init(args);
        assertThat(MPI.COMM_WORLD.Attr_get(MPI.TAG_UB)).isEqualTo(Integer.MAX_VALUE);
        assertThat(MPI.COMM_WORLD.Attr_get(MPI.HOST)).isEqualTo(MPI.PROC_NULL);
        assertThat(MPI.COMM_WORLD.Attr_get(MPI.IO)).isEqualTo(MPI.ANY_SOURCE);
        assertThat(MPI.COMM_WORLD.Attr_get(MPI.WTIME_IS_GLOBAL)).isIn(0, 1);
        int key = Comm.Keyval_create();
        assertThat(MPI.COMM_WORLD.Attr_get(key)).isEqualTo(MPI.UNDEFINED);
        MPI.COMM_WORLD.Attr_put(key, 17);
        assertThat(MPI.COMM_WORLD.Attr_get(key)).isEqualTo(17);
        Intracomm copy = MPI.COMM_WORLD.clone();
        assertThat(copy.Attr_get(key)).isEqualTo(17);
        MPI.COMM_WORLD.Attr_delete(key);
        assertThat(MPI.COMM_WORLD.Attr_get(key)).isEqualTo(MPI.UNDEFINED);
        assertThat(copy.Attr_get(key)).isEqualTo(17);
        Comm.Keyval_free(key);
        Check.fails(ErrorClass.ARG, () -> MPI.COMM_WORLD.Attr_get(key));
        Check.fails(ErrorClass.ARG, () -> MPI.COMM_WORLD.Attr_put(MPI.TAG_UB, 3));

        double tick = MPI.Wtick();
        assertThat(tick).isPositive().isLessThan(1e-3);
        double before = MPI.Wtime();
        assertThat(MPI.Wtime()).isGreaterThanOrEqualTo(before);
        assertThat(MPI.Get_processor_name()).isNotEmpty();
        assertThat(MPI.queryThread()).isEqualTo(MPI.THREAD_MULTIPLE);
        assertThat(MPI.isMainThread()).isTrue();
        assertThat(MPI.NUM_OF_PROCESSORS).isPositive();
        assertThat(MPI.EMPTY_STATUS.Get_count(MPI.INT)).isZero();
        MPI.Finalize();
    }
}
