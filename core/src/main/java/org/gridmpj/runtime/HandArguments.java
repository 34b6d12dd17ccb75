package org.gridmpj.runtime;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.gridmpj.error.ErrorClass;
import org.gridmpj.error.MpiFailure;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of a rank that is started by hand (2005 report): {@code host port -np N [user…]} for the master,
 * {@code host port -yourrank r -amslave -yourname h -np N [user…]} for a slave.
 *
 * @param masterHost where the master listens
 * @param ownHost name under which the other ranks reach this one
 * @param userArgs what is left
 */
record HandArguments(
        String masterHost, int masterPort, int size, int worldRank, String ownHost, List<String> userArgs) {
    HandArguments {
        userArgs = List.copyOf(userArgs);
    }

    /** Those of a start by hand, or null if these arguments are something else. */
    static @Nullable HandArguments of(String[] args) {
        List<String> rest = new ArrayList<>(Arrays.asList(args));
        if (rest.size() < 4 || !rest.get(1).matches("\\d{1,5}") || !rest.contains("-np")) {
            return null;
        }
        String masterHost = rest.removeFirst();
        int masterPort = Integer.parseInt(rest.removeFirst());
        int size = number("-np", take(rest, "-np"));
        boolean slave = rest.remove("-amslave");
        String rank = take(rest, "-yourrank");
        String name = take(rest, "-yourname");
        int worldRank = rank == null ? 0 : number("-yourrank", rank);
        if (size < 1 || worldRank < 0 || worldRank >= size || slave != worldRank > 0) {
            throw new MpiFailure(
                    ErrorClass.ARG,
                    "the start by hand is \"host port -np N\" for the master, which is rank 0, and \"host port -yourrank r"
                            + " -amslave -yourname thisHost -np N\" with 0 < r < N for a slave; rank " + worldRank
                            + " of " + size + (slave ? " with" : " without") + " -amslave is neither");
        }
        return new HandArguments(masterHost, masterPort, size, worldRank, name != null ? name : masterHost, rest);
    }

    private static @Nullable String take(List<String> args, String option) {
        int at = args.indexOf(option);
        if (at < 0) {
            return null;
        }
        args.remove(at);
        if (at == args.size()) {
            throw new MpiFailure(ErrorClass.ARG, option + " wants a value");
        }
        return args.remove(at);
    }

    private static int number(String option, @Nullable String value) {
        try {
            return Integer.parseInt(String.valueOf(value));
        } catch (NumberFormatException e) {
            throw new MpiFailure(ErrorClass.ARG, option + " wants a number, not " + value, e);
        }
    }
}
