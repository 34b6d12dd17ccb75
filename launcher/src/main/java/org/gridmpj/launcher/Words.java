package org.gridmpj.launcher;

import java.util.ArrayList;
import java.util.List;

/** Splits an option's text into words as a shell does: at blanks, but for those in quotes. */
final class Words {
    private Words() {}

    static List<String> of(String option, String text) {
        List<String> words = new ArrayList<>();
        StringBuilder word = new StringBuilder();
        boolean begun = false;
        char quote = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (quote != 0) {
                if (c == quote) {
                    quote = 0;
                } else {
                    word.append(c);
                }
            } else if (c == '"' || c == '\'') {
                quote = c;
                begun = true;
            } else if (Character.isWhitespace(c)) {
                if (begun) {
                    words.add(word.toString());
                }
                word.setLength(0);
                begun = false;
            } else {
                word.append(c);
                begun = true;
            }
        }
        if (quote != 0) {
            throw UserError.usage(option + ": the quote " + quote + " is not closed in " + text);
        }
        if (begun) {
            words.add(word.toString());
        }
        return words;
    }
}
