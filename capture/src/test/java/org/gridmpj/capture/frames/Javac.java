package org.gridmpj.capture.frames;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.tools.ToolProvider;
import mpj.Probe;

/** Compiles programs that call {@link Probe}. */
final class Javac {
    private Javac() {}

    /** Demands that it succeeds. */
    static void compile(List<String> options, Path classes, Path... sources) throws Exception {
        List<String> command = new ArrayList<>(options);
        Path probe = Path.of(
                Probe.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        command.addAll(List.of("-cp", probe.toString(), "-d", classes.toString()));
        Arrays.stream(sources).map(Path::toString).forEach(command::add);
        ByteArrayOutputStream messages = new ByteArrayOutputStream();
        int code = ToolProvider.getSystemJavaCompiler().run(null, messages, messages, command.toArray(String[]::new));
        assertThat(code).as(messages.toString(StandardCharsets.UTF_8)).isZero();
    }
}
