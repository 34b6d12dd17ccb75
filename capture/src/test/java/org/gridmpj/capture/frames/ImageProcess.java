package org.gridmpj.capture.frames;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import mpj.Probe;

/**
 * A process of its own that takes images of a sample at each of its calls, or goes on from images that another one has taken:
 * {@code take|resume class folder-of-classes folder-of-images}.
 */
final class ImageProcess {
    private static final String PLAIN = "plain.txt";

    private ImageProcess() {}

    public static void main(String[] args) throws Exception {
        ProgramFiles classes = new ProgramFiles(List.of(Path.of(args[2])));
        Path images = Path.of(args[3]);
        if (args[0].equals("take")) {
            take(args[1], classes, images);
        } else {
            resume(args[1], classes, images);
        }
    }

    private static void take(String sample, ProgramFiles classes, Path images) throws Exception {
        Files.writeString(images.resolve(PLAIN), new ProgramUnderTest(sample, classes).run(0, state -> {}));
        int calls = Probe.calls;
        for (int k = 1; k <= calls; k++) {
            ProgramStatics.reset();
            Killed killed = Killed.at(new ProgramUnderTest(sample, classes), k);
            if (killed != null) {
                write(images.resolve("image-" + k), killed);
            } else {
                System.out.println("call " + k + " of " + calls + " is not captured: " + Probe.lastObstacle);
            }
        }
        System.out.println(calls + " calls");
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

    private static void resume(String sample, ProgramFiles classes, Path images) throws Exception {
        String plain = Files.readString(images.resolve(PLAIN));
        List<Path> files = new ArrayList<>();
        try (var all = Files.list(images)) {
            all.filter(file -> !file.endsWith(PLAIN)).sorted().forEach(files::add);
        }
        int same = 0;
        for (Path file : files) {
            ProgramStatics.reset();
            ProgramUnderTest program = new ProgramUnderTest(sample, classes);
            try (DataInputStream in = new DataInputStream(Files.newInputStream(file))) {
                Probe.calls = in.readInt();
                String[] initialized = new String[in.readInt()];
                for (int i = 0; i < initialized.length; i++) {
                    initialized[i] = in.readUTF();
                }
                ProgramStatics.skipInitializers(Arrays.asList(initialized));
                program.capture().restore(GraphTransfer.read(in.readAllBytes(), program), program);
            }
            String output = program.goOn();
            if (output.equals(plain)) {
                same++;
            } else {
                System.out.println(file.getFileName() + " gave\n" + output + "instead of\n" + plain);
            }
        }
        System.out.println(same + " of " + files.size() + " the same");
    }
}
