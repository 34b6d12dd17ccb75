package org.gridmpj.launcher;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * JSON (RFC 8259) as the job folder needs it: objects are maps in order of insertion, arrays lists, numbers long or
 * double. Small and free of reflection, since it is on the way of every start.
 */
public final class Json {
    private final String text;
    private int at;

    private Json(String text) {
        this.text = text;
    }

    /** Text of a value made of maps, lists, strings, numbers, booleans and nulls, indented by two. */
    public static String write(@Nullable Object value) {
        StringBuilder out = new StringBuilder();
        write(value, "", out);
        return out.toString();
    }

    private static void write(@Nullable Object value, String indent, StringBuilder out) {
        switch (value) {
            case null -> out.append("null");
            case Map<?, ?> map -> {
                out.append('{');
                String separator = "\n";
                for (Map.Entry<?, ?> entry : map.entrySet()) {
                    out.append(separator).append(indent).append("  ");
                    quote(String.valueOf(entry.getKey()), out);
                    out.append(": ");
                    write(entry.getValue(), indent + "  ", out);
                    separator = ",\n";
                }
                out.append(map.isEmpty() ? "}" : "\n" + indent + "}");
            }
            case List<?> list -> {
                out.append('[');
                String separator = "";
                for (Object element : list) {
                    out.append(separator);
                    write(element, indent + "  ", out);
                    separator = ", ";
                }
                out.append(']');
            }
            case Number number -> out.append(number);
            case Boolean bool -> out.append(bool.booleanValue());
            default -> quote(value.toString(), out);
        }
    }

    private static void quote(String text, StringBuilder out) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                default -> {
                    if (c < ' ') {
                        out.append(String.format("\\u%04x", (int) c));
                    } else {
                        out.append(c);
                    }
                }
            }
        }
        out.append('"');
    }

    /** The value of a text; throws IllegalArgumentException with the place where it is no JSON. */
    public static @Nullable Object parse(String text) {
        Json json = new Json(text);
        Object value = json.value();
        json.space();
        if (json.at < text.length()) {
            throw json.wrong("end");
        }
        return value;
    }

    /** The object of a text. */
    @SuppressWarnings("unchecked") // parse makes maps with strings as keys only
    public static Map<String, @Nullable Object> parseObject(String text) {
        if (parse(text) instanceof Map<?, ?> map) {
            return (Map<String, @Nullable Object>) map;
        }
        throw new IllegalArgumentException("JSON text is no object");
    }

    private IllegalArgumentException wrong(String wanted) {
        return new IllegalArgumentException("JSON: " + wanted + " wanted at character " + at);
    }

    private void space() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private char peek() {
        space();
        if (at == text.length()) {
            throw wrong("a value");
        }
        return text.charAt(at);
    }

    private boolean take(char c) {
        if (peek() == c) {
            at++;
            return true;
        }
        return false;
    }

    private void expect(char c) {
        if (!take(c)) {
            throw wrong("'" + c + "'");
        }
    }

    private @Nullable Object value() {
        return switch (peek()) {
            case '{' -> object();
            case '[' -> array();
            case '"' -> string();
            case 't' -> word("true", true);
            case 'f' -> word("false", false);
            case 'n' -> word("null", null);
            default -> number();
        };
    }

    private Map<String, @Nullable Object> object() {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        expect('{');
        if (take('}')) {
            return map;
        }
        do {
            peek();
            String key = string();
            expect(':');
            map.put(key, value());
        } while (take(','));
        expect('}');
        return map;
    }

    private List<@Nullable Object> array() {
        List<@Nullable Object> list = new ArrayList<>();
        expect('[');
        if (take(']')) {
            return list;
        }
        do {
            list.add(value());
        } while (take(','));
        expect(']');
        return list;
    }

    private String string() {
        expect('"');
        StringBuilder out = new StringBuilder();
        while (at < text.length()) {
            char c = text.charAt(at++);
            if (c == '"') {
                return out.toString();
            }
            out.append(c == '\\' ? escaped() : c);
        }
        throw wrong("'\"'");
    }

    private char escaped() {
        char c = at < text.length() ? text.charAt(at++) : ' ';
        return switch (c) {
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'b' -> '\b';
            case 'f' -> '\f';
            case '"', '\\', '/' -> c;
            case 'u' -> {
                if (at + 4 > text.length()) {
                    throw wrong("four hexadecimal digits");
                }
                at += 4;
                yield (char) Integer.parseInt(text, at - 4, at, 16);
            }
            default -> throw wrong("an escape");
        };
    }

    private @Nullable Object word(String word, @Nullable Object value) {
        if (!text.startsWith(word, at)) {
            throw wrong(word);
        }
        at += word.length();
        return value;
    }

    private Object number() {
        int start = at;
        while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        String digits = text.substring(start, at);
        try {
            if (digits.matches("-?\\d+")) {
                return Long.parseLong(digits);
            }
            return Double.parseDouble(digits);
        } catch (NumberFormatException e) {
            at = start;
            IllegalArgumentException failure = wrong("a value");
            failure.initCause(e);
            throw failure;
        }
    }
}
