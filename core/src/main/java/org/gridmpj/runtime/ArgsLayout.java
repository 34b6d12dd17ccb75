package org.gridmpj.runtime;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What a program finds in {@code main(args)}; real programs rely on each of the three. */
public enum ArgsLayout {
    /** {@code [rank, np, device, user…]}, as MPJ Express passes them. */
    MPJEXPRESS,
    /** {@code [program, user…]}, as C's argv and mpiJava. */
    MPIJAVA,
    /** {@code [user…]}, as any Java program. */
    CLEAN;

    /** The word after {@code --args}. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The layout of a word; throws IllegalArgumentException for any other. */
    public static ArgsLayout of(String word) {
        for (ArgsLayout layout : values()) {
            if (layout.word().equals(word)) {
                return layout;
            }
        }
        throw new IllegalArgumentException("--args is mpjexpress, mpijava or clean, not " + word);
    }

    /** The array that is handed to the program's main. */
    String[] arrange(String program, int worldRank, int size, String device, List<String> user) {
        List<String> args = new ArrayList<>();
        switch (this) {
            case MPJEXPRESS -> args.addAll(List.of(Integer.toString(worldRank), Integer.toString(size), device));
            case MPIJAVA -> args.add(program);
            case CLEAN -> {}
        }
        args.addAll(user);
        return args.toArray(String[]::new);
    }
}
