package mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
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
 * Compares the compiled classes with what mpiJava 1.2.5 and MPJ Express 0.44 offer. What is missing must stand, with its
 * reason, in {@code not-offered.txt}.
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
        List<String> narrower = new ArrayList<>();
        for (String signature : lines(api)) {
            String found = find(signature);
            if (found == null) {
                String reason = reason(signature);
                if (reason == null) {
                    missing.add(signature);
                } else {
                    excused.computeIfAbsent(reason, key -> new ArrayList<>()).add(signature);
                }
            } else if (!found.isEmpty()) {
                narrower.add(signature + " (here " + found + ")");
            }
        }
        System.out.println(api + ": not offered, by reason");
        excused.forEach((reason, signatures) -> System.out.println("  " + signatures.size() + " × " + reason));
        System.out.println(api + ": offered with a narrower type, which compiles as well: " + narrower);
        assertThat(missing).as("missing and not listed in not-offered.txt").isEmpty();
    }

    @Test
    void shouldListNothingAsNotOfferedThatIsOfferedOrUnknown() throws IOException {
        List<String> all = new ArrayList<>(lines("mpijava-1.2.5.txt"));
        all.addAll(lines("mpjexpress-0.44.txt"));
        List<String> stale = new ArrayList<>();
        for (NotOffered entry : notOffered()) {
            if (all.stream().noneMatch(s -> entry.pattern.matcher(s).matches() && find(s) == null)) {
                stale.add(entry.pattern.pattern());
            }
        }
        assertThat(stale).as("entries of not-offered.txt that excuse nothing").isEmpty();
    }

    @Test
    void shouldLeaveNamesFreeThatOpenMpiGivesAnotherMeaning() {
        assertThat(type("Struct")).as("Open MPI's abstract class mpi.Struct").isNull();
    }

    /** Null: not there; empty: there; else what is there instead and will do in a program's source. */
    private static @Nullable String find(String signature) {
        if (signature.startsWith("type ")) {
            Class<?> type = type(signature.substring("type ".length()));
            return type != null && Modifier.isPublic(type.getModifiers()) ? "" : null;
        }
        Matcher callable = CALLABLE.matcher(signature);
        if (callable.matches()) {
            return findCallable(callable);
        }
        Matcher variable = VARIABLE.matcher(signature);
        if (!variable.matches()) {
            throw new IllegalArgumentException(signature);
        }
        return findVariable(variable);
    }

    private static @Nullable String findCallable(Matcher signature) {
        Class<?> owner = type(signature.group(2));
        Class<?>[] parameters = parameters(signature.group(4));
        if (owner == null || parameters == null || !Modifier.isPublic(owner.getModifiers())) {
            return null;
        }
        if (signature.group(1).equals("new")) {
            return Arrays.stream(owner.getConstructors())
                            .anyMatch(c -> Arrays.equals(c.getParameterTypes(), parameters))
                    ? ""
                    : null;
        }
        Class<?> result = type(signature.group(5));
        List<Method> methods = Arrays.stream(owner.getMethods())
                .filter(m -> m.getName().equals(signature.group(3)) && Arrays.equals(m.getParameterTypes(), parameters))
                .filter(m -> Modifier.isStatic(m.getModifiers())
                        == signature.group(1).equals("static"))
                .toList();
        if (methods.stream().anyMatch(m -> m.getReturnType() == result)) {
            return "";
        }
        return methods.stream()
                .filter(m -> result != null && result.isAssignableFrom(m.getReturnType()))
                .map(m -> m.getReturnType().getSimpleName())
                .findFirst()
                .orElse(null);
    }

    private static @Nullable String findVariable(Matcher signature) {
        Class<?> owner = type(signature.group(2));
        Class<?> type = type(signature.group(4));
        if (owner == null || type == null) {
            return null;
        }
        try {
            Field field = owner.getField(signature.group(3));
            boolean sameKind = Modifier.isStatic(field.getModifiers())
                    == signature.group(1).equals("constant");
            if (!sameKind || !type.isAssignableFrom(field.getType())) {
                return null;
            }
            return field.getType() == type ? "" : field.getType().getSimpleName();
        } catch (NoSuchFieldException e) {
            return null;
        }
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
