package org.gridmpj.launcher.job;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.gridmpj.checkpoint.EpochManifest;
import org.gridmpj.job.control.ControlLine;
import org.gridmpj.job.control.ControlMessage;
import org.gridmpj.launcher.UserError;
import org.gridmpj.launcher.coordination.CoordinationFailure;
import org.gridmpj.launcher.hosts.AgentMessage;
import org.gridmpj.launcher.hosts.AgentRegistration;
import org.gridmpj.launcher.hosts.RankProcess;
import org.jspecify.annotations.Nullable;

/**
 * The hosts of a job: its connections with their agents, where its ranks are, and which hosts may be used. The job's thread
 * places and starts; the {@link Cluster} says who is gone.
 */
final class Hosts implements RankPlaces {
    private static final int ATTEMPTS = 3;
    private static final long LOOK_SECONDS = 1;

    /** Before hosts that had no room are asked again. */
    private static final long ROOM_SECONDS = 60;

    private final int size;
    private final HostWish wish;
    private final Cluster cluster;
    private final Consumer<JobEvent> events;
    private final Consumer<String> say;
    private final Machine machine;
    private final HostedImages images;
    private final RankListener listener = new RankListener();
    /** By name. Changed by the job's thread and the watch. */
    private final Map<String, AgentHost> links = new ConcurrentHashMap<>();

    private final Map<Integer, String> pins = new HashMap<>();
    private volatile @Nullable Placement placement;
    private boolean takesWhatIsLeft;
    private boolean saidCrowded;
    /** Whether what ranks go back to could be brought to none of the hosts that are there. */
    private boolean isWithoutRoom;
    /** Why hosts were not met when they were last looked for, as it was said. Confined to the job's thread. */
    private final Map<String, String> saidUnmet = new HashMap<>();

    Hosts(int size, HostWish wish, Cluster cluster, Machine machine, Consumer<JobEvent> events, Consumer<String> say) {
        this.size = size;
        this.wish = wish;
        this.cluster = cluster;
        this.events = events;
        this.say = say;
        this.machine = machine;
        this.images = new HostedImages(this::present, machine, say);
        cluster.watch(this);
    }

    /** Hosts that answer, by name. */
    List<AgentHost> present() {
        return links.values().stream()
                .filter(link -> !link.isEnded())
                .sorted(Comparator.comparing(AgentHost::name))
                .toList();
    }

    /** All that have not been given up. */
    List<AgentHost> all() {
        return List.copyOf(links.values());
    }

    /**
     * A host is given up: the job's thread hears of it, once, and its processes count as killed. Any thread may call.
     *
     * @param cause how it was lost, for people
     */
    void giveUp(AgentHost host, String cause) {
        if (links.remove(host.name(), host)) {
            images.lost(host.name());
            events.accept(new JobEvent.HostLost(host, cause));
        }
        host.lost();
    }

    HostedImages images() {
        return images;
    }

    /** The ranks of a host. */
    List<Integer> ranksOf(String host) {
        Placement now = placement;
        return now == null ? List.of() : now.ranksOf(host);
    }

    /**
     * The next time that all ranks start, this one does so at a certain host.
     *
     * @throws IOException saying why not
     */
    void pin(int worldRank, String host) throws IOException {
        pins.put(worldRank, target(worldRank, host).name());
    }

    /** A wish for a place is not to be fulfilled. */
    void unpin(int worldRank) {
        pins.remove(worldRank);
    }

    /** Whether no rank is to stay at a host. */
    boolean isDraining(String host) {
        return cluster.draining().contains(host);
    }

    /** Tells whoever waits for a host to be drained why ranks of this job stay there; an empty text: none does. */
    void object(String host, String reason) {
        try {
            cluster.object(host, reason);
        } catch (CoordinationFailure e) {
            say.accept(e.getMessage() + ": whoever drains host " + host + " is not told why ranks stay");
        }
    }

    /** The slots of the hosts that may be used, those that have come since among them. */
    FreeSlots freeSlots() {
        meet();
        Map<String, Integer> used = new HashMap<>();
        try {
            cluster.agents().forEach(agent -> used.put(agent.host(), agent.used()));
        } catch (CoordinationFailure e) {
            // then only the ranks of this job are known
        }
        SequencedMap<String, FreeSlots.Slots> slots = new LinkedHashMap<>();
        usable().forEach((host, wished) -> {
            AgentHost link = links.get(host);
            int own = ranksOf(host).size();
            int offered = link == null ? 0 : Math.max(wished, link.agent().slots());
            slots.put(host, new FreeSlots.Slots(wished - own, offered, Math.max(own, used.getOrDefault(host, 0))));
        });
        return new FreeSlots(slots);
    }

    /** Where a rank may go: the host that the user has named, or the one with the most room. */
    private AgentHost target(int worldRank, String wished) throws IOException {
        Placement now = placement;
        if (worldRank < 0 || worldRank >= size || now == null) {
            throw new IOException("there is no rank " + worldRank);
        }
        String from = now.host(worldRank);
        if (wished.equals(from)) {
            throw new IOException("rank " + worldRank + " is at host " + from + " already");
        }
        FreeSlots slots = freeSlots();
        String to = wished.isEmpty() ? slots.roomiest(from) : wished;
        AgentHost link = links.get(to);
        if (!slots.has(to) || link == null) {
            throw cannotBeUsed(to);
        }
        slots.require(to);
        return link;
    }

    private IOException cannotBeUsed(String host) {
        return new IOException("host " + host + " cannot be used: " + whyNot(host));
    }

    private String whyNot(String host) {
        if (isDraining(host)) {
            return "it is being drained; mpjctl undrain " + host + " takes that back";
        }
        if (!wish.includes(host)) {
            return "it is not among the hosts that the job was started with (--hosts)";
        }
        return "no agent of that name answers; mpjctl hosts shows those that there are";
    }

    /**
     * Dials the agents that are registered and not yet known, and those whose connection has ended: an agent that answers has
     * ended its ranks with the old one, which is given up before it is forgotten. Nobody else would: the watch looks at the new
     * one from here on.
     */
    private void meet() {
        List<AgentRegistration> agents;
        try {
            agents = cluster.agents();
            saidUnmet.remove("");
        } catch (CoordinationFailure e) {
            sayUnmet("", e.getMessage() + ": the hosts that are known go on");
            return;
        }
        for (AgentRegistration agent : agents) {
            AgentHost known = links.get(agent.host());
            if (agent.slots() == 0
                    || !wish.includes(agent.host())
                    || (known != null && !known.isEnded())
                    || cluster.wasLost(agent)) {
                continue;
            }
            try {
                AgentHost opened = cluster.open(agent, listener);
                if (known != null) {
                    giveUp(known, HostWatch.dropped(agent.address() + ":" + agent.port()));
                }
                links.put(agent.host(), opened);
                saidUnmet.remove(agent.host());
            } catch (IOException e) {
                sayUnmet(agent.host(), "host " + agent.host() + " cannot be used: " + e.getMessage());
            }
        }
    }

    /** They are looked for each second while the job waits for them. */
    private void sayUnmet(String host, String words) {
        if (!words.equals(saidUnmet.put(host, words))) {
            say.accept(words);
        }
    }

    /** Hosts that answer and are not to be left, by name. */
    private List<AgentHost> usableHosts() {
        Set<String> draining = cluster.draining();
        return present().stream()
                .filter(host -> !draining.contains(host.name()))
                .toList();
    }

    /** Hosts that may have ranks, in the order in which they are filled, with their slots. */
    private SequencedMap<String, Integer> usable() {
        SequencedMap<String, Integer> slots = new LinkedHashMap<>();
        List<AgentHost> present = usableHosts();
        Consumer<AgentHost> take = host -> slots.put(host.name(), wish.slots(host.agent()));
        wish.slots()
                .keySet()
                .forEach(name -> present.stream()
                        .filter(host -> host.name().equals(name))
                        .forEach(take));
        present.stream().filter(host -> !slots.containsKey(host.name())).forEach(take);
        return slots;
    }

    @Override
    public void reach(boolean resumed) {
        takesWhatIsLeft |= resumed;
        meet();
    }

    @Override
    public boolean awaitOthers(long nanos) {
        List<AgentHost> before = usableHosts();
        long begunNanos = machine.nanoTime();
        long elapsedNanos = 0;
        while (elapsedNanos < nanos) {
            machine.rest(LOOK_SECONDS);
            meet();
            elapsedNanos = machine.nanoTime() - begunNanos;
            if (!usableHosts().equals(before)
                    || (isWithoutRoom && elapsedNanos >= TimeUnit.SECONDS.toNanos(ROOM_SECONDS))) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void prepare(int generation, @Nullable EpochManifest from) throws IOException {
        Map<String, String> problems = Map.of();
        Map<String, String> unfit = new TreeMap<>();
        int attempts = 0;
        while (attempts < ATTEMPTS) {
            Map<String, String> before = problems;
            problems = place(from, unfit);
            if (problems.isEmpty()) {
                return;
            }
            Map<String, String> twice = new TreeMap<>(problems);
            twice.keySet().retainAll(before.keySet());
            twice.keySet().removeIf(host -> !isThere(host));
            if (twice.isEmpty()) {
                attempts++; // a host went away in between, or a connection
                meet();
            } else {
                attempts = 0;
                unfit.putAll(twice);
            }
        }
        String last = String.join("; ", problems.values());
        throw new HostsAwayException("the snapshot cannot be brought to the hosts: " + last);
    }

    private boolean isThere(String host) {
        AgentHost link = links.get(host);
        return link != null && !link.isEnded();
    }

    /**
     * @param unfit hosts that get no rank, and why
     * @return why hosts do not have what their ranks are to go back to, by their names; if it is empty, they are the place from here on
     */
    private Map<String, String> place(@Nullable EpochManifest from, Map<String, String> unfit) throws IOException {
        SequencedMap<String, Integer> slots = usable();
        slots.keySet().removeAll(unfit.keySet());
        List<String> absent = wish.slots().keySet().stream()
                .filter(name -> !slots.containsKey(name))
                .toList();
        if (!takesWhatIsLeft && !absent.isEmpty()) {
            throw new UserError(
                    1,
                    "no agent can be used at " + String.join(", ", absent)
                            + " (--hosts): start mpjagent there; mpjctl hosts shows those that there are");
        }
        isWithoutRoom = slots.isEmpty() && !unfit.isEmpty();
        if (isWithoutRoom) {
            throw new HostsAwayException(
                    "the snapshot cannot be brought to any host: " + String.join("; ", unfit.values()));
        }
        if (slots.isEmpty()) {
            throw new HostsAwayException(
                    takesWhatIsLeft
                            ? "no host is left for the ranks"
                            : "no host can be used: is mpjagent started there?");
        }
        Placement next = Placement.of(size, placement, slots, pins);
        if (next.isCrowded(slots)) {
            if (!takesWhatIsLeft) {
                throw new UserError(
                        1,
                        size + " ranks do not fit into the slots of the hosts: " + slots
                                + "; --hosts a:4,b:4 says how many to put on each");
            }
            if (!saidCrowded) {
                say.accept("there are fewer slots left than ranks: hosts take more than their number");
                saidCrowded = true;
            }
        }
        if (from != null) {
            Map<Integer, AgentHost> places = new HashMap<>();
            for (int rank = 0; rank < size; rank++) {
                AgentHost host = links.get(next.host(rank));
                if (host == null) {
                    return Map.of(next.host(rank), "host " + next.host(rank) + " is gone");
                }
                places.put(rank, host);
            }
            Map<String, String> problems = bring(from, places);
            if (!problems.isEmpty()) {
                return problems;
            }
        }
        unfit.forEach((host, why) -> say.accept(
                "host " + host + " cannot take what ranks go back to (" + why + "): they go on at other hosts"));
        pins.clear();
        placement = next;
        return Map.of();
    }

    /** What is nowhere now, since a host went away, may be there at the next attempt. */
    private Map<String, String> bring(EpochManifest from, Map<Integer, AgentHost> places) {
        try {
            return images.bring(from, places);
        } catch (IOException e) {
            return Map.of("", String.valueOf(e.getMessage()));
        }
    }

    @Override
    public Beside start(int worldRank, int incarnation, int life) throws IOException {
        RankProcess wanted = new RankProcess(life, worldRank, incarnation);
        AgentHost host = links.get(host(worldRank));
        if (host == null) {
            RemoteProcess never = new RemoteProcess(this, wanted, message -> {});
            never.lost();
            return new Beside(host(worldRank), never);
        }
        return new Beside(host.name(), host.start(wanted));
    }

    @Override
    public Beside startBeside(int worldRank, int incarnation, int life, String host) throws IOException {
        return startAt(worldRank, incarnation, life, target(worldRank, host).name());
    }

    @Override
    public Beside startAt(int worldRank, int incarnation, int life, String host) throws IOException {
        AgentHost at = links.get(host);
        if (at == null || at.isEnded()) {
            throw new IOException("host " + host + " is gone");
        }
        return new Beside(at.name(), at.start(new RankProcess(life, worldRank, incarnation)));
    }

    @Override
    public String placeFor(int worldRank, String host) throws IOException {
        if (!host.equals(host(worldRank))) {
            return target(worldRank, host).name();
        }
        if (!usable().containsKey(host)) {
            throw cannotBeUsed(host);
        }
        return host;
    }

    @Override
    public Beside startAgain(int worldRank, int incarnation, int life, String host) throws IOException {
        if (links.get(host) == null) {
            meet(); // its agent may have been started anew
        }
        AgentHost at = links.get(host);
        if (at == null || at.isEnded()) {
            String to = freeSlots().roomiest(host);
            at = links.get(to);
            if (at == null) {
                throw new IOException("host " + to + " is gone");
            }
        }
        moved(worldRank, at.name());
        return new Beside(at.name(), at.start(new RankProcess(life, worldRank, incarnation)));
    }

    @Override
    public CompletableFuture<String> bring(EpochManifest from, int worldRank) {
        AgentHost place = links.get(host(worldRank));
        return place == null
                ? CompletableFuture.completedFuture("host " + host(worldRank) + " is gone")
                : images.bring(from, worldRank, place);
    }

    @Override
    public CompletableFuture<String> ship(String image, String fromHost, String toHost) {
        AgentHost from = links.get(fromHost);
        AgentHost to = links.get(toHost);
        if (from == null || to == null) {
            return CompletableFuture.completedFuture("host " + (from == null ? fromHost : toHost) + " is gone");
        }
        AgentRegistration target = to.agent();
        return to.comes(from.request(number -> new AgentMessage.Ship(number, image, target.address(), target.port())));
    }

    @Override
    public void discard(String image, String fromHost, String toHost) {
        for (String host : List.of(fromHost, toHost)) {
            AgentHost link = links.get(host);
            if (link != null) {
                link.tell(new AgentMessage.Discard(image));
            }
        }
    }

    @Override
    public void moved(int worldRank, String host) {
        Placement now = placement;
        if (now != null) {
            placement = now.with(worldRank, host);
        }
    }

    @Override
    public String host(int worldRank) {
        Placement now = placement;
        return now == null ? "" : now.host(worldRank);
    }

    /** "h1 (ranks 0–1), h2 (ranks 2–3)". */
    String summary() {
        List<String> words = new ArrayList<>();
        for (AgentHost host : present()) {
            List<Integer> ranks = ranksOf(host.name());
            if (!ranks.isEmpty()) {
                words.add(host.name() + " (" + words(ranks) + ")");
            }
        }
        return String.join(", ", words);
    }

    /** "rank 3", "ranks 2, 3". */
    static String words(List<Integer> ranks) {
        String numbers = String.join(", ", ranks.stream().map(String::valueOf).toList());
        return (ranks.size() == 1 ? "rank " : "ranks ") + numbers;
    }

    @Override
    public void ended(boolean forGood) {
        if (forGood) {
            present().forEach(host -> host.tell(new AgentMessage.Forget()));
        }
    }

    @Override
    public void close() {
        cluster.close();
        links.values().forEach(AgentHost::close);
    }

    /** What ranks say that the job's thread is to hear of, or not yet. */
    private final class RankListener implements AgentHost.Listener {
        @Override
        public void connected(ControlMessage.Hello hello, ControlLine line) {
            events.accept(new JobEvent.Connected(hello, line));
        }

        @Override
        public void written(
                AgentHost host, RankProcess of, ControlMessage.SnapshotWritten written, CompletableFuture<Void> heard) {
            CompletableFuture<String> copied = images.copy(host, written).thenCombine(heard, (error, nothing) -> error);
            CompletableFuture<Void> _ = copied.thenAccept(error -> {
                // on the thread that hears of either host, of the rank, or the caller's: posting does not block
                events.accept(new JobEvent.Said(
                        of.life(),
                        of.worldRank(),
                        of.incarnation(),
                        error.isEmpty() ? written : new ControlMessage.SnapshotFailed(written.epoch(), error)));
            });
        }

        @Override
        public void notStarted(AgentHost host, int worldRank, String problem) {
            say.accept("rank " + worldRank + " could not be started at host " + host.name() + ": " + problem);
        }
    }
}
