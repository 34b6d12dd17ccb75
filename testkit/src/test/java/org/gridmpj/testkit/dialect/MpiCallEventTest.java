package org.gridmpj.testkit.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.gridmpj.event.MpiCall;
import org.gridmpj.testkit.FacadeCluster;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MpiCallEventTest {
    @TempDir
    Path folder;

    @Test
    void shouldGiveNoEventWhenNothingIsRecorded() {
        assertThat(MpiCall.start()).isNull();
    }

    @Test
    void shouldRecordOperationCommunicatorPeerBytesAndTagOfEachCall() throws Exception {
        Path file = folder.resolve("calls.jfr");
        try (Recording recording = new Recording()) {
            recording.enable("org.gridmpj.MpiCall").withThreshold(Duration.ZERO);
            recording.start();
            FacadeCluster.of(2).run(Ring.class);
            recording.stop();
            recording.dump(file);
        }
        List<RecordedEvent> calls = RecordingFile.readAllEvents(file).stream()
                .filter(event -> event.getEventType().getName().equals("org.gridmpj.MpiCall"))
                .toList();
        assertThat(calls)
                .extracting(event -> event.getString("operation"))
                .containsExactlyInAnyOrder("Isend", "Recv", "Recv", "Send");
        assertThat(calls).allSatisfy(event -> {
            assertThat(event.getString("communicator")).contains("WORLD");
            assertThat(event.getLong("bytes")).isEqualTo(4);
            assertThat(event.getInt("tag")).isEqualTo(7);
            assertThat(event.getInt("peer")).isBetween(0, 1);
        });
    }
}
