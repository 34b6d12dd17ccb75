package org.gridmpj.transport.gridtcp;

import java.util.List;
import org.gridmpj.testkit.CollectivesContract;
import org.gridmpj.transport.TransportProvider;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The same with Netty's thread between; fewer calls and sizes, for there is one kind of engine above. */
@Execution(ExecutionMode.CONCURRENT)
class GridTcpPipelineCollectivesTest extends CollectivesContract {
    @Override
    protected TransportProvider transport() {
        return OptionedTransportProvider.PIPELINE;
    }

    @Override
    protected int randomCalls() {
        return 60;
    }

    @Override
    protected List<Integer> sizes() {
        return List.of(3, 8);
    }
}
