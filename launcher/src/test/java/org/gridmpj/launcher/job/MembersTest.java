package org.gridmpj.launcher.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.gridmpj.job.control.ControlMessage;
import org.gridmpj.launcher.coordination.Coordination;
import org.gridmpj.launcher.coordination.CoordinationFailure;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class MembersTest {
    private static final int LAST = 3;

    private final CountDownLatch answers = new CountDownLatch(1);
    private final CountDownLatch last = new CountDownLatch(1);
    private final List<String> said = new CopyOnWriteArrayList<>();

    /** Answers late, and with a failure until the last rank leaves. */
    private final Coordination coordination = (Coordination) Proxy.newProxyInstance(
            Coordination.class.getClassLoader(), new Class<?>[] {Coordination.class}, (proxy, method, arguments) -> {
                answers.await();
                if (arguments[0].equals(LAST)) {
                    last.countDown();
                    return null;
                }
                throw new CoordinationFailure("ZooKeeper is away (" + method.getName() + ")", null);
            });

    @Test
    void shouldNeitherWaitNorSayMoreThanOnceThatItCannotBeNoted() throws InterruptedException {
        try (Members members = new Members(coordination, said::add)) {
            members.joined(0, new ControlMessage.Bound("127.0.0.1", 9, "here"));
            members.left(0);
            members.left(1);
            members.left(LAST);
            assertThat(said).isEmpty();
            answers.countDown();
            assertThat(last.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(said)
                    .containsExactly(
                            "which ranks are there cannot be noted now, the job goes on: ZooKeeper is away (join)");
        }
    }
}
