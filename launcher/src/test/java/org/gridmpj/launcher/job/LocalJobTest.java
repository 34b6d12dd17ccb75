package org.gridmpj.launcher.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import org.gridmpj.launcher.Installation;
import org.gridmpj.launcher.UserFolders;
import org.gridmpj.launcher.coordination.Coordination;
import org.gridmpj.launcher.coordination.CoordinationFailure;
import org.gridmpj.launcher.coordination.FolderCoordination;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Whole jobs; their ranks are JVMs. */
@Timeout(120)
class LocalJobTest {
    @TempDir
    Path root;

    private final Set<String> failed = new ConcurrentSkipListSet<>();
    private final Set<String> states = new ConcurrentSkipListSet<>();

    /** What a job asks of it while it runs undisturbed and at its end, it does not answer. */
    private Coordination away(Coordination coordination) {
        return (Coordination) Proxy.newProxyInstance(
                Coordination.class.getClassLoader(),
                new Class<?>[] {Coordination.class},
                (proxy, method, arguments) -> {
                    String call = method.getName();
                    if (Set.of("join", "leave", "state").contains(call)) {
                        failed.add(call);
                        throw new CoordinationFailure("ZooKeeper is away", null);
                    }
                    try {
                        return method.invoke(coordination, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private JobRequest request(String mainClass) {
        return JobRequests.of(mainClass, 2, false, root);
    }

    private int run(String mainClass) throws IOException {
        Installation own = Installation.own();
        try (JobFolder folder = JobFolder.create(new UserFolders(root), null, new Random(1));
                LocalJob job = new LocalJob(new JobLaunch(
                        request(mainClass),
                        folder,
                        new Installation(own.java(), own.classPath(), null, null),
                        away(new FolderCoordination(folder.path())),
                        folder.renewSecret(),
                        null,
                        null,
                        List.of()))) {
            int code = job.run(Beginning.NEW);
            assertThat(JobFolder.readJson(folder.path().resolve(JobFolder.JOB)).get("exitCode"))
                    .isEqualTo((long) code);
            return code;
        }
    }

    @Test
    void shouldEndAsItsRanksDoWhileZooKeeperIsAway() throws IOException {
        assertThat(run("org.gridmpj.launcher.job.Meeting")).isZero();
        assertThat(failed).contains("join", "state");
    }

    @Test
    void shouldKeepTheCodeOfAFailureWhileZooKeeperIsAway() throws IOException {
        assertThat(run("no.such.Program")).isNotZero();
        assertThat(failed).contains("state");
    }

    /** job.json is written whole beside its place first: where a folder is, no file can be. */
    private Coordination withoutJobDocument(Coordination coordination, Path jobFolder) {
        return (Coordination) Proxy.newProxyInstance(
                Coordination.class.getClassLoader(),
                new Class<?>[] {Coordination.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("join")) {
                        Files.createDirectories(jobFolder.resolve(JobFolder.JOB + ".new"));
                    }
                    if (method.getName().equals("state")) {
                        states.add(String.valueOf(arguments[0]));
                    }
                    return method.invoke(coordination, arguments);
                });
    }

    @Test
    void shouldEndAsItsRanksDoWhenThatCannotBeWritten() throws IOException {
        Installation own = Installation.own();
        try (JobFolder folder = JobFolder.create(new UserFolders(root), null, new Random(1));
                LocalJob job = new LocalJob(new JobLaunch(
                        request("org.gridmpj.launcher.job.Meeting"),
                        folder,
                        new Installation(own.java(), own.classPath(), null, null),
                        withoutJobDocument(new FolderCoordination(folder.path()), folder.path()),
                        folder.renewSecret(),
                        null,
                        null,
                        List.of()))) {
            assertThat(job.run(Beginning.NEW)).isZero();
            assertThat(JobFolder.readJson(folder.path().resolve(JobFolder.JOB)).get("exitCode"))
                    .isNull();
        }
        assertThat(states).contains("ended 0");
    }
}
