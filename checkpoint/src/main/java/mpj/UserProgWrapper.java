package mpj;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.gridmpj.ateam.Ateam;
import org.gridmpj.checkpoint.ProgramSnapshots;
import org.gridmpj.error.ErrorClass;
import org.gridmpj.error.MpiFailure;
import org.gridmpj.runtime.RankEnvironment;

/**
 * Runs a program that is written as functions {@code int func_0()}, {@code int func_1()} … of one object, as
 * AgentTeamwork's wrapper did: each returns the index of the next, −2 ends. After each function a snapshot is taken; the
 * fields of the object are the program's state and come back after a crash, when the function that was next runs next.
 *
 * <pre>
 *   mpjrun -np 4 --checkpoint 1s mpj.UserProgWrapper Program arguments…
 *
 *   java … mpj.UserProgWrapper -iptable mnode0,mnode1 -port 10000             Program arguments…     by hand: rank 0
 *   java … mpj.UserProgWrapper -iptable mnode0,mnode1 -port 10000 -yourrank 1 Program arguments…     rank 1
 * </pre>
 *
 * <p>The wrapper calls {@link MPJ#Init(String[], IpTableEntry[], GridTcp)} before the first function and {@link
 * MPJ#Finalize} after the last. A function may take {@code String[]}: the program's own arguments. Static fields are no
 * state: they are as at the start after a crash.
 */
public final class UserProgWrapper {
    /** What a function returns to end the program. */
    static final int END = -2;

    private static final String FUNCTION_VARIABLE = "UserProgWrapper.next";
    private static final int DEFAULT_PORT = 10_000;

    private UserProgWrapper() {}

    /** Runs a program; what it throws goes to the caller. */
    public static void main(String[] args) throws Throwable {
        Start start = Start.of(args);
        String[] own = start.programArguments().toArray(String[]::new);
        // what a launcher knows of the arguments begins with the program's class
        String[] _ = MPJ.Init(own, start.ipTable().toArray(IpTableEntry[]::new), start.gridTcp());
        UserFunctions functions = UserFunctions.of(start.program());
        int next = 0;
        if (Ateam.isResumed()) {
            functions.restore(ProgramSnapshots.ofThisProcess()::retrieve);
            if (Ateam.retrieveLocalVar(FUNCTION_VARIABLE) instanceof Integer saved) {
                next = saved;
            }
        }
        functions.register(ProgramSnapshots.ofThisProcess()::registerSource);
        while (next != END) {
            next = functions.call(next, own);
            if (next != END) {
                Ateam.registerLocalVar(FUNCTION_VARIABLE, next);
                ProgramSnapshots.ofThisProcess().takeNow(next);
            }
        }
        if (MPJ.Initialized()) {
            MPJ.Finalize();
        }
    }

    /**
     * What the command line says.
     *
     * @param program name of the class
     */
    private record Start(String program, List<String> programArguments, List<IpTableEntry> ipTable, GridTcp gridTcp) {

        static Start of(String[] args) {
            List<String> hosts = List.of();
            int port = DEFAULT_PORT;
            int rank = 0;
            int at = 0;
            while (at + 1 < args.length && args[at].startsWith("-")) {
                String value = args[at + 1];
                switch (args[at]) {
                    case "-iptable" -> hosts = List.of(value.split(",", -1));
                    case "-port" -> port = number("-port", value);
                    case "-yourrank" -> rank = number("-yourrank", value);
                    default -> throw wrong("it does not know " + args[at]);
                }
                at += 2;
            }
            if (at >= args.length || args[at].startsWith("-")) {
                throw wrong("the program's class is missing");
            }
            List<String> own = Arrays.asList(args).subList(at + 1, args.length);
            Optional<RankEnvironment> launched = RankEnvironment.of(System.getenv());
            if (launched.isPresent()) {
                hosts = Collections.nCopies(
                        launched.get().size(), launched.get().bindHost());
                return new Start(args[at], own, table(hosts), new GridTcp());
            }
            if (hosts.isEmpty()) {
                hosts = List.of("localhost");
            }
            return new Start(args[at], own, table(hosts), new GridTcp(rank, port));
        }

        private static List<IpTableEntry> table(List<String> hosts) {
            List<IpTableEntry> table = new ArrayList<>();
            for (String host : hosts) {
                table.add(new IpTableEntry(table.size(), host));
            }
            return table;
        }

        private static int number(String option, String value) {
            try {
                return Integer.parseInt(value);
            } catch (NumberFormatException e) {
                throw wrong(option + " wants a number, not \"" + value + "\"");
            }
        }

        private static MPJException wrong(String why) {
            return new MPJException(new MpiFailure(
                    ErrorClass.ARG,
                    "UserProgWrapper: " + why
                            + ". Usage: [-iptable host0,host1,… -port P -yourrank R] Program arguments…"));
        }
    }
}
