package mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Compares the compiled classes with what mpiJava 1.2.5 and MPJ Express 0.44 offer, result and field types included: a
 * class file names them. What is missing must stand, with its reason, in {@code not-offered.txt}.
 */
class ApiPresenceTest {
    private static final Pattern CALLABLE =
            Pattern.compile("(new|method|static) ([\\w$]+)(?:\\.([\\w$]+))?\\((.*)\\)(?: (.+))?");
    private static final Pattern VARIABLE = Pattern.compile("(field|constant) ([\\w$]+)\\.([\\w$]+) (.+)");

    private record NotOffered(Pattern pattern, String reason) {}

    @ParameterizedTest
    @ValueSource(strings = {"mpijava-1.2.5.txt", "mpjexpress-0.44.txt"})
    void shouldOfferEverySignatureUnlessItIsListedAsNotOffered(String api) throws IOException {
        List<String> missing = new ArrayList<>();
        Map<String, List<String>> excused = new TreeMap<>();
        for (String signature : lines(api)) {
            if (isOffered(signature)) {
                continue;
            }
            String reason = reason(signature);
            if (reason == null) {
                missing.add(signature);
            } else {
                excused.computeIfAbsent(reason, key -> new ArrayList<>()).add(signature);
            }
        }
        System.out.println(api + ": not offered, by reason");
        excused.forEach((reason, signatures) -> System.out.println("  " + signatures.size() + " × " + reason));
        assertThat(missing).as("missing and not listed in not-offered.txt").isEmpty();
    }

    @Test
    void shouldListNothingAsNotOfferedThatIsOfferedOrUnknown() throws IOException {
        List<String> all = new ArrayList<>(lines("mpijava-1.2.5.txt"));
        all.addAll(lines("mpjexpress-0.44.txt"));
        List<String> stale = new ArrayList<>();
        for (NotOffered entry : notOffered()) {
            if (all.stream().noneMatch(s -> entry.pattern.matcher(s).matches() && !isOffered(s))) {
                stale.add(entry.pattern.pattern());
            }
        }
        assertThat(stale).as("entries of not-offered.txt that excuse nothing").isEmpty();
    }

    @Test
    void shouldLeaveNamesFreeThatOpenMpiGivesAnotherMeaning() {
        assertThat(type("Struct")).as("Open MPI's abstract class mpi.Struct").isNull();
    }

    private static boolean isOffered(String signature) {
        if (signature.startsWith("type ")) {
            Class<?> type = type(signature.substring("type ".length()));
            return type != null && Modifier.isPublic(type.getModifiers());
        }
        Matcher callable = CALLABLE.matcher(signature);
        if (callable.matches()) {
            return isOfferedCallable(callable);
        }
        Matcher variable = VARIABLE.matcher(signature);
        if (!variable.matches()) {
            throw new IllegalArgumentException(signature);
        }
        return isOfferedVariable(variable);
    }

    private static boolean isOfferedCallable(Matcher signature) {
        Class<?> owner = type(signature.group(2));
        Class<?>[] parameters = parameters(signature.group(4));
        if (owner == null || parameters == null || !Modifier.isPublic(owner.getModifiers())) {
            return false;
        }
        if (signature.group(1).equals("new")) {
            return Arrays.stream(owner.getConstructors())
                    .anyMatch(c -> Arrays.equals(c.getParameterTypes(), parameters));
        }
        Class<?> result = type(signature.group(5));
        return Arrays.stream(owner.getMethods())
                .filter(m -> m.getName().equals(signature.group(3)) && Arrays.equals(m.getParameterTypes(), parameters))
                .filter(m -> Modifier.isStatic(m.getModifiers())
                        == signature.group(1).equals("static"))
                .anyMatch(m -> m.getReturnType() == result);
    }

    private static boolean isOfferedVariable(Matcher signature) {
        Class<?> owner = type(signature.group(2));
        Class<?> type = type(signature.group(4));
        return owner != null
                && Arrays.stream(owner.getFields())
                        .filter(f -> f.getName().equals(signature.group(3)) && f.getType() == type)
                        .anyMatch(f -> Modifier.isStatic(f.getModifiers())
                                == signature.group(1).equals("constant"));
    }

    private static Class<?> @Nullable [] parameters(String list) {
        if (list.isEmpty()) {
            return new Class<?>[0];
        }
        Class<?>[] types =
                Arrays.stream(list.split(",", -1)).map(ApiPresenceTest::type).toArray(Class<?>[]::new);
        return Arrays.asList(types).contains(null) ? null : types;
    }

    private static @Nullable Class<?> type(String name) {
        if (name.endsWith("[]")) {
            Class<?> component = type(name.substring(0, name.length() - 2));
            return component == null ? null : component.arrayType();
        }
        Class<?> primitive = Class.forPrimitiveName(name);
        if (primitive != null) {
            return primitive;
        }
        for (String prefix : name.contains(".") ? List.of("") : List.of("mpi.", "java.lang.")) {
            try {
                return Class.forName(prefix + name);
            } catch (ClassNotFoundException e) {
                // the next one
            }
        }
        return null;
    }

    private static @Nullable String reason(String signature) throws IOException {
        return notOffered().stream()
                .filter(entry -> entry.pattern.matcher(signature).matches())
                .map(NotOffered::reason)
                .findFirst()
                .orElse(null);
    }

    private static List<NotOffered> notOffered() throws IOException {
        return lines("not-offered.txt").stream()
                .map(line -> {
                    int bar = line.lastIndexOf(" | ");
                    return new NotOffered(Pattern.compile(line.substring(0, bar)), line.substring(bar + 3));
                })
                .toList();
    }

    private static List<String> lines(String resource) throws IOException {
        try (InputStream in = ApiPresenceTest.class.getResourceAsStream("/mpi/api/" + resource)) {
            assertThat(in).as(resource).isNotNull();
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .toList();
        }
    }
}
