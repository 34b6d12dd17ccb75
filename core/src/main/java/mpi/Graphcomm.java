package mpi;

import java.util.function.Function;
import org.gridmpj.comm.Communicator;
import org.gridmpj.comm.GraphTopology;
import org.gridmpj.error.ErrorClass;
import org.gridmpj.error.MpiFailure;

/** A communicator whose processes are the nodes of a graph (MPI standard, 8.5). */
public class Graphcomm extends Intracomm {
    Graphcomm(Communicator communicator) {
        super(communicator);
    }

    @Override
    public Graphcomm clone() {
        return inherit(new Graphcomm(duplicate()));
    }

    /** The whole graph. */
    public GraphParms Get() {
        return ask("Get", graph -> new GraphParms(graph.index(), graph.edges()));
    }

    /** Neighbours of a rank. */
    public int[] Neighbours(int rank) {
        return ask("Neighbours", graph -> graph.neighbours(rank));
    }

    /** The rank that this process would have in a graph, or MPI.UNDEFINED (MPI_Graph_map). */
    public int Map(int[] index, int[] edges) {
        return ask("Map", graph -> new GraphTopology(index, edges).map(Rank()));
    }

    private <T> T ask(String call, Function<GraphTopology, T> question) {
        try {
            if (open(call).topology() instanceof GraphTopology graph) {
                return question.apply(graph);
            }
            throw Arguments.bad(ErrorClass.TOPOLOGY, call, this, "it has no graph");
        } catch (MpiFailure failure) {
            throw raise(failure);
        }
    }
}
