package org.gridmpj.capture.frames;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import mpj.Probe;

/**
 * A process of its own that takes images of programs at their calls, or goes on from images that another one has taken:
 * {@code take|resume folder-of-images [class most class-path]…}.
 */
final class ImageProcess {
    private static final String PLAIN = "plain.txt";
    private static final Pattern COUNTED =
            Pattern.compile("^(\\d+) of (\\d+) (?:captured, (\\d+) later|the same)$", Pattern.MULTILINE);

    private static final String MAIN_THREAD = Thread.currentThread().getName();
    private static final Locale LOCALE = Locale.getDefault();
    private static final Map<Object, Object> PROPERTIES = Map.copyOf(System.getProperties());

    private ImageProcess() {}

    /** A JVM that programs are run in, and its options, with blanks between them. */
    record Jvm(Path home, String options) {
        /** The one of this process. */
        Jvm(String options) {
            this(Path.of(System.getProperty("java.home")), options);
        }
    }

    /** @param calls how many of its calls, at like distances, are to be captured at least; all if it has fewer */
    record Program(String main, List<Path> classPath, int calls) {
        Program(String main, List<Path> classPath) {
            this(main, classPath, Integer.MAX_VALUE);
        }
    }

    /** @param later of those done, the ones that could not be captured at the very call, but at one soon after */
    record Count(int done, int of, int later) {
        boolean isAll() {
            return done == of && later == 0;
        }
    }

    /** What a process has counted, program by program, and all that it has said. */
    record Report(List<Count> counts, String said) {}

    /**
     * Takes images of programs in one process, and has another one go on from each: the output must be that of the program left
     * alone. Returns at how many calls each was captured.
     */
    static Report takeAndResume(String first, String second, Path images, List<Program> programs)
            throws IOException, InterruptedException {
        return takeAndResume(new Jvm(first), new Jvm(second), images, programs);
    }

    /** As above, in JVMs of which each may be of another build. */
    static Report takeAndResume(Jvm first, Jvm second, Path images, List<Program> programs)
            throws IOException, InterruptedException {
        Report taken = run(first, "take", images, programs);
        Report resumed = run(second, "resume", images, programs);
        assertThat(resumed.counts())
                .as(resumed.said())
                .isEqualTo(taken.counts().stream()
                        .map(each -> new Count(each.done(), each.done(), 0))
                        .toList());
        return taken;
    }

    private static Report run(Jvm jvm, String what, Path images, List<Program> programs)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(jvm.home.resolve("bin").resolve("java").toString());
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(each -> each.startsWith("--add-"))
                .forEach(command::add);
        command.addAll(List.of(jvm.options.split(" ")));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), ImageProcess.class.getName(), what));
        command.add(images.toString());
        for (Program each : programs) {
            command.addAll(List.of(each.main(), String.valueOf(each.calls()), joined(each.classPath())));
        }
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        List<Count> counts = new ArrayList<>();
        Matcher counted = COUNTED.matcher(said);
        while (counted.find()) {
            counts.add(new Count(number(counted, 1), number(counted, 2), number(counted, 3)));
        }
        assertThat(counts).as(said).hasSameSizeAs(programs);
        return new Report(counts, said);
    }

    private static int number(Matcher counted, int group) {
        return counted.group(group) == null ? 0 : Integer.parseInt(counted.group(group));
    }

    private static String joined(List<Path> classPath) {
        return classPath.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
    }

    public static void main(String[] args) throws Exception {
        for (int i = 2; i < args.length; i += 3) {
            ProgramFiles files = new ProgramFiles(Stream.of(args[i + 2].split(File.pathSeparator))
                    .map(Path::of)
                    .toList());
            Path images = Files.createDirectories(Path.of(args[1], String.valueOf(i)));
            if (args[0].equals("take")) {
                take(args[i], files, Integer.parseInt(args[i + 1]), images);
            } else {
                resume(args[i], files, images);
            }
        }
    }

    /** Nothing is left of a program that ran before, which a process of its own would not have either. */
    private static void begin() {
        ProgramStatics.reset();
        Thread.currentThread().setName(MAIN_THREAD);
        Locale.setDefault(LOCALE);
        System.getProperties().keySet().retainAll(PROPERTIES.keySet());
        System.getProperties().putAll(PROPERTIES);
    }

    private static void take(String main, ProgramFiles files, int most, Path images) throws Exception {
        begin();
        Files.writeString(images.resolve(PLAIN), new ProgramUnderTest(main, files).run(0, state -> {}));
        int calls = Probe.calls;
        int step = Math.max(1, calls / most);
        int captured = 0;
        int tried = 0;
        int later = 0;
        for (int k = 1; k <= calls; k += step) {
            tried++;
            begin();
            Killed killed = Killed.at(new ProgramUnderTest(main, files), k);
            if (Probe.lastObstacle != null) {
                System.out.println(main + " is not captured at call " + k + ": " + Probe.lastObstacle);
            }
            if (killed != null) {
                later += killed.calls >= k ? 1 : 0;
                write(images.resolve("image-" + k), killed);
                captured++;
            }
        }
        System.out.println(captured + " of " + tried + " captured, " + later + " later");
    }

    private static void write(Path file, Killed killed) throws IOException {
        try (DataOutputStream out = new DataOutputStream(Files.newOutputStream(file))) {
            out.writeInt(killed.calls);
            out.writeInt(killed.initialized.length);
            for (String name : killed.initialized) {
                out.writeUTF(name);
            }
            out.write(killed.image);
        }
    }

    private static void resume(String main, ProgramFiles classes, Path images) throws Exception {
        String plain = Files.readString(images.resolve(PLAIN));
        List<Path> files = new ArrayList<>();
        try (var all = Files.list(images)) {
            all.filter(file -> !file.endsWith(PLAIN)).sorted().forEach(files::add);
        }
        int same = 0;
        for (Path file : files) {
            begin();
            ProgramUnderTest program = new ProgramUnderTest(main, classes);
            try (DataInputStream in = new DataInputStream(Files.newInputStream(file))) {
                Probe.calls = in.readInt();
                String[] initialized = new String[in.readInt()];
                for (int i = 0; i < initialized.length; i++) {
                    initialized[i] = in.readUTF();
                }
                ProgramStatics.skipInitializers(Arrays.asList(initialized));
                GraphTransfer.restore(in.readAllBytes(), program);
            }
            String output = program.goOn();
            if (output.equals(plain)) {
                same++;
            } else {
                System.out.println(main + ": " + file.getFileName() + " gave\n" + output + "instead of\n" + plain);
            }
        }
        System.out.println(same + " of " + files.size() + " the same");
    }
}
