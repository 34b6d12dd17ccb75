package org.gridmpj.testkit.dialect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import mpj.Communicator;
import mpj.DataLoc;
import mpj.Datatype;
import mpj.MPJ;
import mpj.MPJException;
import mpj.MPJMessage;
import mpj.Op;
import mpj.Request;
import mpj.Status;
import mpj.User_function;
import org.gridmpj.datatype.SerializationBuffers;

/** The MPJ names: both spellings, matching by type, DataLoc. */
public final class Report2005 {
    private Report2005() {}

    public static void main(String[] args) throws Exception {
        assertThat(MPJ.Init(args)).isEqualTo(args);
        int rank = MPJ.COMM_WORLD.Rank();
        int size = MPJ.COMM_WORLD.Size();
        MPJ.COMM_WORLD.SetBufferSize(655365);
        assertThat(MPJ.COMM_WORLD.GetBufferSize()).isEqualTo(655365);
        assertThat(SerializationBuffers.sizeBytes()).isEqualTo(655365);
        int right = (rank + 1) % size;
        int left = (rank + size - 1) % size;

        // a message of another datatype stays queued
        Request ints = MPJ.COMM_WORLD.Isend(new int[] {1}, 0, 1, MPJ.INT, right, 5);
        Request floats = MPJ.COMM_WORLD.isend(new float[] {2}, 0, 1, MPJ.FLOAT, right, 5);
        float[] f = new float[1];
        int[] i = new int[1];
        MPJMessage message = MPJ.COMM_WORLD.recv(f, 0, 1, MPJ.FLOAT, left, MPJ.ANY_TAG);
        assertThat(f[0]).isEqualTo(2);
        assertThat(message.getMessage()).isSameAs(f);
        assertThat(message.getStatus().source).isEqualTo(left);
        Status status = MPJ.COMM_WORLD.Recv(i, 0, 1, MPJ.INT, MPJ.ANY_SOURCE, 5);
        assertThat(i[0]).isEqualTo(1);
        assertThat(status.Get_count(MPJ.INT)).isEqualTo(1);
        Status[] sent = Request.Waitall(new Request[] {ints, floats});
        assertThat(sent).hasSize(2);

        MPJ.COMM_WORLD.send(new double[] {rank}, 0, 1, MPJ.DOUBLE, right, 6);
        double[] d = new double[1];
        Status got = MPJ.COMM_WORLD.IRecv(d, 0, 1, MPJ.DOUBLE, left, 6).Wait();
        assertThat(d[0]).isEqualTo(left);
        assertThat(got.tag).isEqualTo(6);

        DataLoc[] most = rank == 0 ? new DataLoc[2] : null;
        MPJ.COMM_WORLD.Reduce(new int[] {rank, -rank}, 0, most, 0, 2, MPJ.INT, MPJ.MAXLOC, 0);
        if (most != null) {
            assertThat(most[0].data).isEqualTo(size - 1);
            assertThat(most[0].loc).isEqualTo(size - 1);
            assertThat(most[1].loc).isZero();
        }
        DataLoc[] least = {new DataLoc()};
        MPJ.COMM_WORLD.Reduce(new double[] {0.5 * rank}, 0, least, 0, 1, MPJ.DOUBLE, MPJ.MINLOC, size - 1);
        assertThat(least[0].loc).isZero();

        int[] all = new int[size];
        MPJ.COMM_WORLD.AllGather(new int[] {rank}, 0, 1, MPJ.INT, all, 0, 1, MPJ.INT);
        assertThat(all[size - 1]).isEqualTo(size - 1);
        Op times = new Op(
                new User_function() {
                    @Override
                    public void Call(Object in, int io, Object inout, int oo, int count, Datatype type) {
                        for (int k = 0; k < count; k++) {
                            ((int[]) inout)[oo + k] *= ((int[]) in)[io + k];
                        }
                    }
                },
                true);
        MPJ.COMM_WORLD.Allreduce(new int[] {2}, 0, i, 0, 1, MPJ.INT, times);
        assertThat(i[0]).isEqualTo(1 << size);
        Communicator half = MPJ.COMM_WORLD.Split(rank % 2, rank);
        assertThat(half.Rank()).isEqualTo(rank / 2);
        Datatype two = Datatype.Contiguous(2, MPJ.BYTE);
        assertThat(two.Size()).isEqualTo(2);

        assertThatThrownBy(() -> MPJ.COMM_WORLD.Send(i, 0, 1, MPJ.INT, size, 0))
                .isInstanceOf(MPJException.class)
                .hasMessageContaining("destination " + size);
        MPJ.Finalize();
    }
}
