package org.gridmpj.launcher.job;

import java.util.Random;

/** Short readable names of jobs: adjective-noun. */
final class JobNames {
    private static final String[] ADJECTIVES = {
        "amber", "azure", "brave", "brisk", "calm", "clear", "coral", "crisp", "dapper", "eager", "early", "fair",
        "fleet", "fresh", "gentle", "glad", "golden", "green", "happy", "hazel", "ivory", "jade", "jolly", "keen",
        "kind", "lively", "lucky", "mellow", "merry", "neat", "noble", "olive", "patient", "plucky", "proud", "quick",
        "quiet", "rapid", "ruby", "sharp", "silver", "smart", "snowy", "solid", "steady", "still", "sunny", "swift",
        "tidy", "true", "vivid", "warm", "wise", "witty", "young", "zesty"
    };
    private static final String[] NOUNS = {
        "badger", "bear", "beaver", "bison", "crane", "crow", "deer", "dove", "eagle", "elk", "falcon", "ferret",
        "finch", "fox", "gecko", "goose", "hare", "hawk", "heron", "ibex", "jay", "kite", "koala", "lark", "lemur",
        "lion", "lynx", "magpie", "marten", "mole", "moose", "newt", "orca", "otter", "owl", "panda", "pike", "puffin",
        "quail", "rabbit", "raven", "robin", "seal", "shrew", "stork", "swan", "tern", "tiger", "toad", "trout",
        "viper", "vole", "whale", "wolf", "wren", "yak"
    };

    private JobNames() {}

    /** One of some 3000; the caller sees to it that no other job has it. */
    static String pick(Random random) {
        return ADJECTIVES[random.nextInt(ADJECTIVES.length)] + "-" + NOUNS[random.nextInt(NOUNS.length)];
    }
}
