package org.gridmpj.coll;

import java.util.Arrays;
import org.gridmpj.comm.Communicator;
import org.gridmpj.comm.CreationExchange;
import org.gridmpj.datatype.BaseType;
import org.gridmpj.datatype.TypeMap;

/** The exchange that creating communicators needs, by this package's own collectives. */
public final class CollectiveExchange implements CreationExchange {
    private static final TypeMap LONG = TypeMap.of(BaseType.LONG);

    @Override
    public long[][] allgather(Communicator communicator, long[] values) {
        Collectives collectives = Collectives.of(communicator);
        int size = communicator.size();
        long[] lengths = communicator.pointToPoint().keep(() -> new long[size]);
        communicator
                .pointToPoint()
                .await(collectives.allgather(new long[] {values.length}, 0, 1, LONG, lengths, 0, 1, LONG));
        int[] counts = Arrays.stream(lengths).mapToInt(Math::toIntExact).toArray();
        int[] displacements = new int[size];
        for (int rank = 1; rank < size; rank++) {
            displacements[rank] = Math.addExact(displacements[rank - 1], counts[rank - 1]);
        }
        int total = Math.addExact(displacements[size - 1], counts[size - 1]);
        long[] all = communicator.pointToPoint().keep(() -> new long[total]);
        communicator
                .pointToPoint()
                .await(collectives.allgatherv(values, 0, values.length, LONG, all, 0, counts, displacements, LONG));
        long[][] byRank = new long[size][];
        Arrays.setAll(byRank, rank -> Arrays.copyOfRange(all, displacements[rank], displacements[rank] + counts[rank]));
        return byRank;
    }
}
