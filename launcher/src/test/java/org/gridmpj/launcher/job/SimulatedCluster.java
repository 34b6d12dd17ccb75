package org.gridmpj.launcher.job;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.zip.CRC32C;
import org.gridmpj.checkpoint.EpochId;
import org.gridmpj.checkpoint.EpochManifest;
import org.gridmpj.checkpoint.RankImage;
import org.gridmpj.checkpoint.SnapshotDrill;
import org.gridmpj.job.control.ControlMessage;
import org.gridmpj.launcher.hosts.AgentMessage;
import org.gridmpj.launcher.hosts.AgentRegistration;
import org.gridmpj.launcher.hosts.RankProcess;
import org.jspecify.annotations.Nullable;

/**
 * Hosts with an agent and a disk each, under the real {@link Hosts}. Their power fails, which the launcher finds out later; they come
 * back, with their disk or with an empty one; an agent is started anew; they are to be drained. What the launcher asks of an agent is
 * done when the simulation says so, or fails.
 *
 * <pre>
 *   up ─▶ dark ─────────▶ given up ─▶ up, by another agent, which the launcher meets when it looks
 *    └──▶ agent anew ──────▲
 * </pre>
 */
final class SimulatedCluster {
    static final int HOSTS = 3;

    private static final int PORT = 1;
    private static final String NO_ROOM = "there is no room";

    /** One of the hosts, whoever looks at it. */
    private static final class Place {
        final String name;
        final int slots;
        final Map<String, byte[]> disk = new TreeMap<>();
        long agent = 1;
        boolean isDark;
        boolean isDraining;
        /** It has no room for what comes from elsewhere. */
        boolean isFull;

        String objection = "";

        /** As the launcher knows it; null if it does not, or has given it up. */
        @Nullable
        Agent link;

        Place(String name, int slots) {
            this.name = name;
            this.slots = slots;
        }
    }

    private final LauncherSimulation world;
    private final Random random;
    private final Map<String, Place> places = new TreeMap<>();
    private @Nullable Hosts hosts;
    private int powerCuts;
    private int drains;
    private int copiesFailed;
    /** Images that were written and have no copy yet, with the hosts that have not been asked to take one. */
    private final Map<String, Set<String>> uncopied = new TreeMap<>();

    private String notAsked = "";
    /** Images that a drill is going to find damaged. */
    private int rots;

    private boolean someWereLost;

    int hostsLost;
    int drained;

    SimulatedCluster(LauncherSimulation world, Random random, int size) {
        this.world = world;
        this.random = random;
        int left = size;
        for (int i = 0; i < HOSTS; i++) {
            boolean isLast = i == HOSTS - 1;
            int slots = Math.max(1 + random.nextInt(size + 2), isLast ? left : 1);
            left -= slots;
            places.put("h" + i, new Place("h" + i, slots));
        }
        int slots = places.values().stream().mapToInt(place -> place.slots).sum();
        if (slots % 4 == 0) {
            place("h" + slots / 4 % HOSTS).isFull = true;
        }
        powerCuts = random.nextBoolean() ? 1 + random.nextInt(2) : 0;
        rots = random.nextInt(3);
        drains = random.nextBoolean() ? 1 + random.nextInt(2) : 0;
    }

    /** Whether somebody will want a host to be left. */
    boolean isToBeDrained() {
        return drains > 0;
    }

    /** Another launcher begins, which knows none of the hosts. */
    Hosts begin(Machine machine, Consumer<String> say) {
        places.values().forEach(place -> place.link = null);
        uncopied.clear();
        notAsked = "";
        Hosts begun =
                new Hosts(world.size(), HostWish.of("", HostWish.ALL), new Registered(), machine, world::post, say);
        hosts = begun;
        return begun;
    }

    // ---------------------------------------------------------------- what the launcher finds

    private final class Registered implements Cluster {
        @Override
        public List<AgentRegistration> agents() {
            return places.values().stream()
                    .filter(place -> !place.isDark)
                    .map(SimulatedCluster.this::registration)
                    .toList();
        }

        @Override
        public AgentHost open(AgentRegistration agent, AgentHost.Listener listener) throws IOException {
            Place place = place(agent.host());
            if (random.nextInt(20) == 0) {
                someWereLost = true;
                throw new IOException("it does not answer");
            }
            for (SimulatedRank each : world.processes()) {
                world.require(!each.exists() || !each.host.equals(place.name), each + " is there, and a job begins");
            }
            return new Agent(place, agent, listener);
        }

        @Override
        public void watch(Hosts of) {
            // the simulation says when a host is found to be gone
        }

        @Override
        public boolean wasLost(AgentRegistration agent) {
            // who comes back is another one
            return false;
        }

        @Override
        public Set<String> draining() {
            return SimulatedCluster.this.draining();
        }

        @Override
        public void object(String host, String reason) {
            place(host).objection = reason;
        }

        @Override
        public void close() {
            // there is nothing to close
        }
    }

    private Place place(String host) {
        return Objects.requireNonNull(places.get(host), host);
    }

    private AgentRegistration registration(Place place) {
        int used = (int) world.processes().stream()
                .filter(each -> each.exists() && each.host.equals(place.name))
                .count();
        return new AgentRegistration(place.name, place.name, PORT, place.slots, used, place.agent);
    }

    /** Hosts on which no rank is to stay. */
    Set<String> draining() {
        Set<String> draining = new TreeSet<>();
        places.values().stream().filter(place -> place.isDraining).forEach(place -> draining.add(place.name));
        return draining;
    }

    /** Why ranks stay at a host that is to be drained; empty if none has to. */
    String objection(String host) {
        return place(host).objection;
    }

    /** The launcher's connection with an agent. */
    private final class Agent implements AgentHost {
        private final Place place;
        private final AgentRegistration self;
        private final Listener listener;
        private final Map<RankProcess, SimulatedRank> processes = new HashMap<>();
        private boolean ended;
        private int requests;

        Agent(Place place, AgentRegistration self, Listener listener) {
            this.place = place;
            this.self = self;
            this.listener = listener;
            place.link = this;
        }

        @Override
        public String name() {
            return place.name;
        }

        @Override
        public AgentRegistration agent() {
            return self;
        }

        @Override
        public boolean has(Process process) {
            return processes.containsValue(process);
        }

        @Override
        public Process start(RankProcess wanted) throws IOException {
            SimulatedRank before = processes.get(wanted);
            if (before != null && before.isAlive()) {
                throw new IOException("a process of rank " + wanted.worldRank() + " has not ended yet: try again");
            }
            SimulatedRank rank = world.begun(wanted, place.name);
            processes.put(wanted, rank);
            if (place.isDark || ended) {
                rank.vanish();
            }
            if (ended) {
                rank.lost();
            }
            return rank;
        }

        @Override
        public CompletableFuture<String> request(IntFunction<AgentMessage> message) {
            CompletableFuture<String> answer = new CompletableFuture<>();
            AgentMessage asked = message.apply(++requests);
            if (ended) {
                answer.complete("host " + place.name + " is gone");
                return answer;
            }
            switch (asked) {
                case AgentMessage.Copy copy -> {
                    List<String> between = List.of(place.name, copy.host());
                    CompletableFuture<String> copied = new CompletableFuture<>();
                    CompletableFuture<Void> _ = copied.thenAccept(error -> copied(copy, error, answer));
                    uncopied.getOrDefault(copy.file(), new TreeSet<>()).remove(copy.host());
                    ask(between, () -> copy(copy), copied);
                }
                case AgentMessage.Ship ship -> {
                    List<String> between = List.of(place.name, ship.host());
                    ask(between, () -> world.ship(ship.file(), place.name, ship.host()), answer);
                }
                case AgentMessage.Check check -> {
                    Supplier<String> look =
                            () -> isWhole(place, check.file(), check.bytes(), check.crc32c()) ? "" : "it is not whole";
                    world.ask(new LauncherSimulation.Errand(List.of(place.name), () -> true, look, answer, false));
                }
                case AgentMessage.Put put -> {
                    byte[] bytes = new byte[put.content().remaining()];
                    put.content().get(bytes);
                    ask(
                            List.of(place.name),
                            () -> {
                                if (place.isFull) {
                                    return NO_ROOM;
                                }
                                place.disk.put(put.file(), bytes);
                                return "";
                            },
                            answer);
                }
                case AgentMessage.Drill drill ->
                    world.ask(new LauncherSimulation.Errand(
                            List.of(place.name), () -> true, () -> drilled(drill), answer, true));
                default -> throw new AssertionError("a launcher does not ask for " + asked);
            }
            return answer;
        }

        /** By what is on the disk: the epoch may be gone by now. */
        private String drilled(AgentMessage.Drill drill) {
            EpochManifest manifest = world.committed(drill.file());
            if (manifest == null) {
                return random.nextBoolean() ? "" : "DAMAGED 0 1 there is no such file";
            }
            EpochId id = manifest.id();
            RankImage image = manifest.images().get(drill.worldRank());
            if (rots > 0 && random.nextInt(3) == 0 && place.disk.containsKey(image.file())) {
                rots--;
                someWereLost = true;
                place.disk.put(image.file(), new byte[] {1});
                world.findWhatIsOutOfReach();
            }
            boolean isWhole = isWhole(place, image.file(), image.bytes(), image.crc32c());
            return new SnapshotDrill.Result(
                            isWhole ? SnapshotDrill.Verdict.AS_CAPTURED : SnapshotDrill.Verdict.DAMAGED,
                            id,
                            isWhole ? "" : "it is not what was captured")
                    .text();
        }

        private void ask(List<String> between, Supplier<String> arrival, CompletableFuture<String> answer) {
            CompletableFuture<String> inner = new CompletableFuture<>();
            CompletableFuture<Void> _ = inner.thenAccept(error -> {
                copiesFailed += error.isEmpty() || error.equals(NO_ROOM) ? 0 : 1;
                answer.complete(error);
            });
            world.ask(new LauncherSimulation.Errand(between, () -> true, arrival, inner, true));
        }

        /** Another host is asked next, as long as the image is wanted. */
        private void copied(AgentMessage.Copy copy, String error, CompletableFuture<String> answer) {
            if (error.isEmpty()) {
                uncopied.remove(copy.file());
            }
            int before = unasked(copy);
            answer.complete(error);
            if (before > 0 && !ended && unasked(copy) == before) {
                // what is thrown here would end up in the answer
                notAsked = "host " + copy.host() + " could not take a copy of " + copy.file() + " (" + error
                        + "), and no other was asked";
            }
        }

        private int unasked(AgentMessage.Copy copy) {
            return uncopied.getOrDefault(copy.file(), Set.of()).size();
        }

        private String copy(AgentMessage.Copy copy) {
            if (place(copy.host()).isFull) {
                return NO_ROOM;
            }
            if (!isWhole(place, copy.file(), copy.bytes(), copy.crc32c())) {
                return "it is not whole at host " + place.name;
            }
            place(copy.host()).disk.put(copy.file(), Objects.requireNonNull(place.disk.get(copy.file())));
            return "";
        }

        @Override
        public CompletableFuture<String> comes(CompletableFuture<String> answer) {
            // an errand between two hosts is over when one of them is given up
            return answer;
        }

        @Override
        public void tell(AgentMessage message) {
            Predicate<String> isToGo = files(message);
            uncopied.keySet().removeIf(isToGo);
            if (ended || place.isDark || !world.hasLauncher()) {
                return;
            }
            place.disk.keySet().removeIf(isToGo);
            if (message instanceof AgentMessage.Discard discard) {
                world.discard(discard.file(), place.name);
            }
        }

        /** Which images are to be removed. */
        private static Predicate<String> files(AgentMessage message) {
            return switch (message) {
                case AgentMessage.Discard discard -> file -> false;
                case AgentMessage.Remove remove -> file -> file.startsWith(remove.epochFolder() + "/");
                case AgentMessage.Keep keep ->
                    file -> {
                        String epoch = file.substring(0, file.indexOf('/'));
                        int generation = Integer.parseInt(epoch.substring(1, epoch.indexOf('-')));
                        return generation < keep.generation()
                                && !keep.epochFolders().contains(epoch);
                    };
                case AgentMessage.Forget forget -> file -> true;
                default -> throw new AssertionError("a launcher does not say " + message);
            };
        }

        /** A rank's image is on the disk: the launcher's reader is told, which may be ahead of who hears what else the rank said. */
        void written(SimulatedRank rank, ControlMessage.SnapshotWritten written, BooleanSupplier isHeard) {
            RankProcess of = new RankProcess(rank.life, rank.worldRank, rank.incarnation);
            CompletableFuture<Void> heard = errand(() -> isHeard.getAsBoolean() || !rank.isWaitedFor(), () -> {});
            CompletableFuture<Void> _ = errand(() -> true, () -> {
                Set<String> others = new TreeSet<>();
                places.values().stream()
                        .filter(other -> other != place && other.link != null && !other.link.ended)
                        .forEach(other -> others.add(other.name));
                uncopied.put(written.file(), others);
                listener.written(this, of, written, heard);
            });
        }

        /** Completed when it is done, or cannot be done any more. */
        private CompletableFuture<Void> errand(BooleanSupplier isPossible, Runnable what) {
            Supplier<String> arrival = () -> {
                what.run();
                return "";
            };
            CompletableFuture<String> answer = new CompletableFuture<>();
            world.ask(new LauncherSimulation.Errand(List.of(place.name), isPossible, arrival, answer, false));
            return answer.thenAccept(error -> {});
        }

        @Override
        public long silenceNanos() {
            throw new UnsupportedOperationException("nobody watches");
        }

        @Override
        public boolean isEnded() {
            return ended;
        }

        /** The connection ends; who waits for something is told. */
        void end() {
            ended = true;
            world.giveUpErrands(place.name);
        }

        @Override
        public void lost() {
            close();
            processes.values().forEach(SimulatedRank::lost);
        }

        @Override
        public void close() {
            if (world.hasLauncher()) {
                end();
            }
        }
    }

    // ---------------------------------------------------------------- disks

    /** The real listener hears of an image, and has it copied. */
    void written(SimulatedRank rank, ControlMessage.SnapshotWritten written, BooleanSupplier isHeard) {
        Agent link = place(rank.host).link;
        if (link != null && link.has(rank)) {
            link.written(rank, written, isHeard);
        }
    }

    void put(String host, String file, byte[] bytes) {
        place(host).disk.put(file, bytes);
    }

    byte @Nullable [] read(String host, String file) {
        return place(host).disk.get(file);
    }

    boolean isWhole(String host, String file, long bytes, int crc32c) {
        return isWhole(place(host), file, bytes, crc32c);
    }

    private static boolean isWhole(Place place, String file, long bytes, int crc32c) {
        byte[] here = place.disk.get(file);
        if (here == null || here.length != bytes) {
            return false;
        }
        CRC32C crc = new CRC32C();
        crc.update(here);
        return (int) crc.getValue() == crc32c;
    }

    /** The hosts that have an image as it was written, whether they are there or not. */
    List<String> holders(String file, long bytes, int crc32c) {
        return places.values().stream()
                .filter(place -> isWhole(place, file, bytes, crc32c))
                .map(place -> place.name)
                .toList();
    }

    /** Whether the launcher knows that a host is gone, or does not know it. */
    boolean isGone(String host) {
        Agent link = place(host).link;
        return link == null || link.ended;
    }

    /** What has gone wrong with copies, or an empty text. */
    String notAsked() {
        return notAsked;
    }

    /** Whether the launcher can have something from a host now. */
    boolean isReachable(String host) {
        return !place(host).isDark && !isGone(host);
    }

    /** Some of those that have a file have something else in its place. */
    void damage(String file, byte[] by) {
        List<Place> having = places.values().stream()
                .filter(place -> place.disk.containsKey(file))
                .toList();
        someWereLost = true;
        boolean all = random.nextInt(3) == 0;
        int only = having.isEmpty() ? -1 : random.nextInt(having.size());
        for (int i = 0; i < having.size(); i++) {
            if (all || i == only) {
                having.get(i).disk.put(file, by);
            }
        }
    }

    // ---------------------------------------------------------------- what happens to them

    boolean isDark(String host) {
        return places.containsKey(host) && place(host).isDark;
    }

    boolean isUnknownToBeGone() {
        return places.values().stream().anyMatch(place -> place.link != null && (place.isDark || place.link.ended));
    }

    boolean isOneDark() {
        return places.values().stream().anyMatch(place -> place.isDark);
    }

    /** Since the last life began: whether an epoch may have fewer copies than it should. */
    boolean someWereLost() {
        return someWereLost;
    }

    /** A life begins. */
    void lifeBegins() {
        someWereLost =
                places.values().stream().anyMatch(place -> place.link == null || place.isDark || place.isDraining);
        copiesFailed = 0;
    }

    /** Whether there may be no place for a life to begin at. */
    boolean hasTrouble() {
        return someWereLost || copiesFailed > 2;
    }

    /** Something happens to one of the hosts. */
    void disturb() {
        List<Place> all = new ArrayList<>(places.values());
        Place place = all.get(random.nextInt(all.size()));
        Agent link = place.link;
        if (link != null && link.ended) {
            giveUp(place.name, "its agent has dropped the connection");
        } else if (link != null && place.isDark) {
            if (random.nextInt(3) == 0) {
                place.isDark = false;
                place.agent++;
                link.end();
            } else {
                giveUp(place.name, "its power is off");
            }
        } else if (place.isDark) {
            place.isDark = false;
            place.agent++;
            if (random.nextInt(4) == 0) {
                place.disk.clear();
            }
        } else if (powerCuts > 0) {
            cutPower(place);
            // two at a time may have all there is of an image
            if (powerCuts > 0 && random.nextBoolean()) {
                cutPower(all.get((all.indexOf(place) + 1) % all.size()));
            }
        }
    }

    private void cutPower(Place place) {
        long dark = places.values().stream().filter(each -> each.isDark).count();
        if (!place.isDark && dark < HOSTS - 1) {
            powerCuts--;
            hostsLost++;
            someWereLost = true;
            place.isDark = true;
            world.vanish(place.name);
        }
    }

    /** Somebody wants a host to be left, or has changed his mind. */
    void drain() {
        if (drains == 0) {
            return;
        }
        List<Place> all = new ArrayList<>(places.values());
        Place place = all.get(random.nextInt(all.size()));
        if (place.isDraining) {
            if (random.nextInt(20) == 0) {
                place.isDraining = false;
                place.objection = "";
            }
        } else if (draining().size() < HOSTS - 1) {
            drains--;
            drained++;
            place.isDraining = true;
            world.post(new JobEvent.HostDraining(place.name));
        }
    }

    /** The launcher finds out that a host is gone, if it does not know it yet. */
    void giveUp(String host, String cause) {
        Place place = place(host);
        Agent link = place.link;
        if (link != null) {
            place.link = null;
            Objects.requireNonNull(hosts).giveUp(link, cause);
        }
    }
}
