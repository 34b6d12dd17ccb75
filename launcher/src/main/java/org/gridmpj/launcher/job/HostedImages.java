package org.gridmpj.launcher.job;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.gridmpj.checkpoint.EpochId;
import org.gridmpj.checkpoint.EpochManifest;
import org.gridmpj.checkpoint.ImageCorruptException;
import org.gridmpj.checkpoint.ImageSite;
import org.gridmpj.checkpoint.ImagesUnknownException;
import org.gridmpj.checkpoint.RankImage;
import org.gridmpj.job.control.ControlMessage;
import org.gridmpj.launcher.hosts.AgentMessage;
import org.gridmpj.launcher.hosts.AgentRegistration;
import org.jspecify.annotations.Nullable;

/**
 * Images on the disks of the hosts: each where its rank ran and at a partner, another host. An image counts as written only
 * when its copy is there, so the loss of one host never takes an epoch away. A partner that cannot take it, as its disk is full
 * or hangs, has the next one in its place.
 *
 * <p>Who holds what is noted as it becomes known; after the loss of the launcher's memory all hosts are asked. Any thread
 * may call.
 */
final class HostedImages implements ImageSite {
    /**
     * An agent gives a copy up itself when it makes no progress; after so long, and the time for its bytes, nothing is to be
     * expected of the agent: an epoch that waits for ever would be the last one.
     */
    private static final long PATIENCE_SECONDS = 600;

    /** An agent ends a drill after half an hour. */
    private static final long DRILL_MINUTES = 40;

    private static final long SLOWEST_BYTES_PER_SECOND = 1_000_000;
    private static final Pattern IMAGE = Pattern.compile("g(\\d{1,9})-e(\\d{1,9})(?:/.*)?");

    private final Supplier<List<AgentHost>> hosts;
    private final Machine machine;
    private final Map<String, Set<String>> holders = new ConcurrentHashMap<>();
    /** Who held what when it was lost: it may have come back, with the same disk or with another one. */
    private final Map<String, Set<String>> formerHolders = new ConcurrentHashMap<>();
    /** Copies under way, by the folder of their epoch. */
    private final Map<String, Copies> copies = new ConcurrentHashMap<>();
    /** Hosts that could not take a copy which another one has taken since: they are asked last. */
    private final Set<String> unable = ConcurrentHashMap.newKeySet();

    private final Consumer<String> say;

    /** @param isRemoved whether their epoch was removed meanwhile: what comes of them is nobody's */
    private record Copies(int underWay, boolean isRemoved) {}

    /**
     * @param hosts that are there now, in their order
     * @param say tells people
     */
    HostedImages(Supplier<List<AgentHost>> hosts, Machine machine, Consumer<String> say) {
        this.hosts = hosts;
        this.machine = machine;
        this.say = say;
    }

    private void hold(String file, String host) {
        holders.computeIfAbsent(file, key -> ConcurrentHashMap.newKeySet()).add(host);
    }

    /** A host is gone: when it comes back, nobody knows what is on its disk. */
    void lost(String host) {
        unable.remove(host);
        holders.forEach((file, names) -> {
            if (names.remove(host)) {
                formerHolders
                        .computeIfAbsent(file, key -> ConcurrentHashMap.newKeySet())
                        .add(host);
            }
        });
    }

    private boolean holds(AgentHost host, String file) {
        return holders.getOrDefault(file, Set.of()).contains(host.name());
    }

    private boolean mayHold(AgentHost host, String file) {
        return holds(host, file) || formerHolders.getOrDefault(file, Set.of()).contains(host.name());
    }

    /** Where an image can be had, then where it may be; at least one. */
    private List<AgentHost> sources(String file) throws IOException {
        List<AgentHost> present = hosts.get();
        List<AgentHost> sources = new ArrayList<>(
                present.stream().filter(host -> holds(host, file)).toList());
        present.stream()
                .filter(host -> mayHold(host, file) && !sources.contains(host))
                .forEach(sources::add);
        if (sources.isEmpty()) {
            throw new IOException("no host that is left has " + file);
        }
        return sources;
    }

    private static long patienceSeconds(long bytes) {
        return PATIENCE_SECONDS + bytes / SLOWEST_BYTES_PER_SECOND;
    }

    private static String noAnswer(long seconds) {
        return "no answer within " + seconds + " s";
    }

    /**
     * What a host has found of an image.
     *
     * @param isAnswered whether it is the host that says so
     * @param error empty if it has the image whole
     */
    private record Checked(boolean isAnswered, String error) {
        boolean isWhole() {
            return error.isEmpty();
        }
    }

    /**
     * A rank's image is on its host's disk: has it copied to the partner.
     *
     * @return an empty text when the copy is there, or nowhere to put it; else why it failed
     */
    CompletableFuture<String> copy(AgentHost owner, ControlMessage.SnapshotWritten written) {
        List<AgentHost> partners = partners(owner);
        hold(written.file(), owner.name());
        return partners.isEmpty()
                ? CompletableFuture.completedFuture("")
                : copy(owner, partners, written.file(), written.bytes(), written.crc32c());
    }

    /** Copies an image to one of several hosts, the first that can take it. */
    private CompletableFuture<String> copy(
            AgentHost from, List<AgentHost> targets, String file, long bytes, int crc32c) {
        String folder = folder(file);
        copies.merge(folder, new Copies(1, false), (a, b) -> new Copies(a.underWay + 1, a.isRemoved));
        return attempt(from, targets, file, bytes, crc32c).thenApply(copied -> {
            AgentHost taker = copied.taker;
            AtomicBoolean isRemoved = new AtomicBoolean();
            copies.computeIfPresent(folder, (key, before) -> {
                isRemoved.set(before.isRemoved);
                if (taker != null && !before.isRemoved) {
                    hold(file, taker.name());
                }
                return before.underWay == 1 ? null : new Copies(before.underWay - 1, before.isRemoved);
            });
            if (isRemoved.get()) {
                targets.forEach(host -> host.tell(new AgentMessage.Remove(folder)));
            }
            return copied.error;
        });
    }

    /**
     * What became of an image that was to be copied.
     *
     * @param taker who has it now, or null
     * @param error why nobody has, or an empty text
     */
    private record Copied(@Nullable AgentHost taker, String error) {}

    /** One host after the other, until one has it, or none is to have it any more. */
    private CompletableFuture<Copied> attempt(
            AgentHost from, List<AgentHost> targets, String file, long bytes, int crc32c) {
        AgentHost to = targets.getFirst();
        List<AgentHost> others = targets.subList(1, targets.size());
        AgentRegistration target = to.agent();
        long seconds = patienceSeconds(bytes);
        return to.comes(from.request(
                        number -> new AgentMessage.Copy(number, file, bytes, crc32c, target.address(), target.port())))
                .completeOnTimeout(noAnswer(seconds), seconds, TimeUnit.SECONDS)
                .thenCompose(error -> {
                    if (error.isEmpty()) {
                        unable.remove(to.name());
                        return CompletableFuture.completedFuture(new Copied(to, ""));
                    }
                    String what = file + " could not be copied from host " + from.name() + " to host " + to.name()
                            + ": " + error;
                    if (others.isEmpty() || from.isEnded() || isRemoved(file)) {
                        return CompletableFuture.completedFuture(new Copied(null, what));
                    }
                    return attempt(from, others, file, bytes, crc32c).thenApply(next -> {
                        AgentHost taker = next.taker;
                        if (taker == null) {
                            return new Copied(null, what + "; " + next.error);
                        }
                        if (unable.add(to.name())) {
                            say.accept(what + ". Host " + taker.name() + " has it instead; host " + to.name()
                                    + " is asked last from now on");
                        }
                        return next;
                    });
                });
    }

    private boolean isRemoved(String file) {
        Copies some = copies.get(folder(file));
        return some != null && some.isRemoved;
    }

    /** The other hosts in the order in which they are asked: around the ring, those last that were not able. */
    private List<AgentHost> partners(AgentHost owner) {
        List<AgentHost> ring = new ArrayList<>(hosts.get());
        List<String> names = ring.stream().map(AgentHost::name).toList();
        Collections.rotate(ring, -Math.max(0, names.indexOf(owner.name())));
        ring.removeIf(host -> host.name().equals(owner.name()));
        ring.sort(Comparator.comparing(host -> unable.contains(host.name())));
        return ring;
    }

    @Override
    public void require(RankImage image) throws IOException {
        if (hosts.get().stream().noneMatch(host -> holds(host, image.file()))) {
            throw new IOException("no host that is left has " + image.file());
        }
    }

    @Override
    public void verify(EpochManifest manifest, RankImage image) throws IOException {
        Map<AgentHost, CompletableFuture<Checked>> answers = checks(image);
        long seconds = patienceSeconds(image.bytes());
        Set<String> good = ConcurrentHashMap.newKeySet();
        Set<String> silent = ConcurrentHashMap.newKeySet();
        List<String> problems = new ArrayList<>();
        answers.forEach((host, answer) -> {
            Checked checked = await(answer, seconds, why -> new Checked(false, why));
            if (checked.isWhole()) {
                good.add(host.name());
            } else {
                problems.add(host.name() + ": " + checked.error);
                if (!checked.isAnswered) {
                    silent.add(host.name());
                }
            }
        });
        Set<String> away = away(image.file());
        holders.put(image.file(), good);
        Set<String> former = ConcurrentHashMap.newKeySet();
        former.addAll(silent);
        former.addAll(away);
        formerHolders.put(image.file(), former);
        if (good.isEmpty()) {
            String what = "the image of rank " + image.worldRank();
            String found = problems.isEmpty() ? "" : " (" + String.join("; ", problems) + ")";
            if (!silent.isEmpty()) {
                throw new ImagesUnknownException(what + " may be whole at a host that has not answered" + found);
            }
            throw away.isEmpty()
                    ? new ImageCorruptException(what + " is nowhere whole" + found)
                    : new ImagesUnknownException(what + " may be whole at " + (away.size() == 1 ? "host " : "hosts ")
                            + String.join(", ", away) + ", not there now" + found);
        }
    }

    /** Hosts that had an image when they were lost, and have not come back; by name. */
    private Set<String> away(String file) {
        Set<String> away = new TreeSet<>(holders.getOrDefault(file, Set.of()));
        away.addAll(formerHolders.getOrDefault(file, Set.of()));
        hosts.get().forEach(host -> away.remove(host.name()));
        return away;
    }

    /** Hosts that are there and have an image, in their order. */
    List<AgentHost> holders(RankImage image) {
        return hosts.get().stream().filter(host -> holds(host, image.file())).toList();
    }

    /**
     * Has a host try an image that it has.
     *
     * @return what the drill has said, or why there was none
     */
    CompletableFuture<String> drill(EpochManifest manifest, RankImage image, AgentHost at) {
        return at.request(number -> new AgentMessage.Drill(
                        number, image.worldRank(), manifest.file(), ByteBuffer.wrap(manifest.bytesOfFile())))
                .completeOnTimeout("no answer", DRILL_MINUTES, TimeUnit.MINUTES);
    }

    /**
     * Who has an image whole.
     *
     * @param hosts that have, every byte of it read
     * @param isAll whether each host that has it, or had it when it was lost, was there and has answered
     * @param problems why the others have it not, for people
     */
    record Whole(List<AgentHost> hosts, boolean isAll, String problems) {}

    /** Asks all hosts which of them have an image whole. */
    CompletableFuture<Whole> whole(RankImage image) {
        Map<AgentHost, CompletableFuture<Checked>> answers = checks(image);
        return CompletableFuture.allOf(answers.values().toArray(CompletableFuture<?>[]::new))
                .thenApply(all -> {
                    List<AgentHost> good = answers.entrySet().stream()
                            .filter(answer -> answer.getValue().join().isWhole())
                            .map(Map.Entry::getKey)
                            .toList();
                    String problems = answers.entrySet().stream()
                            .filter(answer -> !good.contains(answer.getKey()))
                            .map(answer -> answer.getKey().name() + ": "
                                    + answer.getValue().join().error)
                            .collect(Collectors.joining("; "));
                    List<AgentHost> present = hosts.get();
                    Set<String> asked = answers.entrySet().stream()
                            // who has gone meanwhile has not answered itself
                            .filter(answer -> present.contains(answer.getKey())
                                    && answer.getValue().join().isAnswered)
                            .map(answer -> answer.getKey().name())
                            .collect(Collectors.toSet());
                    return new Whole(
                            good,
                            asked.containsAll(holders.getOrDefault(image.file(), Set.of()))
                                    && asked.containsAll(formerHolders.getOrDefault(image.file(), Set.of())),
                            problems);
                });
    }

    /** Copies an image once more to a host where it is damaged. */
    CompletableFuture<Drills.Remedy> copyAgain(RankImage image, AgentHost from, AgentHost to) {
        holders.computeIfPresent(image.file(), (file, names) -> {
            names.remove(to.name());
            return names;
        });
        return copy(from, List.of(to), image.file(), image.bytes(), image.crc32c())
                .thenApply(error -> error.isEmpty()
                        ? new Drills.Remedy("it was copied there again from host " + from.name(), true)
                        : new Drills.Remedy("host " + from.name() + " has it whole, but " + error, false));
    }

    /** All hosts are asked, also those of which it is not known that they have it. */
    private Map<AgentHost, CompletableFuture<Checked>> checks(RankImage image) {
        Map<AgentHost, CompletableFuture<Checked>> answers = new LinkedHashMap<>();
        for (AgentHost host : hosts.get()) {
            answers.put(host, check(host, image));
        }
        return answers;
    }

    private static CompletableFuture<Checked> check(AgentHost host, RankImage image) {
        long seconds = patienceSeconds(image.bytes());
        return host.request(number -> new AgentMessage.Check(number, image.file(), image.bytes(), image.crc32c()))
                .thenApply(error -> new Checked(true, error))
                .completeOnTimeout(new Checked(false, noAnswer(seconds)), seconds, TimeUnit.SECONDS);
    }

    /**
     * Brings an epoch to where its ranks are going to start: their images, and its manifest to all hosts.
     *
     * @return why hosts do not have what they are to have, by their names; empty when all is there
     * @throws IOException if an image is nowhere
     */
    Map<String, String> bring(EpochManifest manifest, Map<Integer, AgentHost> places) throws IOException {
        long bytes = manifest.images().stream().mapToLong(RankImage::bytes).sum();
        long seconds = patienceSeconds(bytes) * Math.max(1, hosts.get().size()); // each may be tried in turn
        Map<String, String> problems = new TreeMap<>();
        for (Bringing each : begin(manifest, places)) {
            String error = await(each.answer, seconds, why -> why);
            if (!error.isEmpty()) {
                problems.merge(each.place.name(), error, (first, next) -> first);
            }
        }
        return problems;
    }

    /**
     * Brings an epoch to where one rank is going to start.
     *
     * @return completed on any thread: an empty text when it is there, else why it is not
     */
    CompletableFuture<String> bring(EpochManifest manifest, int worldRank, AgentHost place) {
        try {
            return begin(manifest, Map.of(worldRank, place)).stream()
                    .map(Bringing::answer)
                    .reduce(
                            CompletableFuture.completedFuture(""),
                            (all, each) -> all.thenCombine(each, (a, b) -> a.isEmpty() ? b : a));
        } catch (IOException e) {
            return CompletableFuture.completedFuture(e.getMessage());
        }
    }

    /**
     * Something that a host is to have.
     *
     * @param answer an empty text when it is there, else why it is not
     */
    private record Bringing(AgentHost place, CompletableFuture<String> answer) {}

    private List<Bringing> begin(EpochManifest manifest, Map<Integer, AgentHost> places) throws IOException {
        List<Bringing> under = new ArrayList<>();
        for (RankImage image : manifest.images()) {
            AgentHost place = places.get(image.worldRank());
            if (place != null && !holds(place, image.file())) {
                under.add(new Bringing(place, bring(image, place, sources(image.file()))));
            }
        }
        for (AgentHost place : Set.copyOf(places.values())) {
            under.add(new Bringing(
                    place,
                    place.request(number ->
                            new AgentMessage.Put(number, manifest.file(), ByteBuffer.wrap(manifest.bytesOfFile())))));
        }
        return under;
    }

    /** One source after the other, until it is there. */
    private CompletableFuture<String> bring(RankImage image, AgentHost place, List<AgentHost> sources) {
        AgentHost source = sources.getFirst();
        List<AgentHost> others = sources.subList(1, sources.size());
        CompletableFuture<String> brought = source.name().equals(place.name())
                ? check(place, image).thenApply(Checked::error)
                : copy(source, List.of(place), image.file(), image.bytes(), image.crc32c());
        return others.isEmpty()
                ? brought
                : brought.thenCompose(error -> error.isEmpty() || place.isEnded()
                        ? CompletableFuture.completedFuture(error)
                        : bring(image, place, others).thenApply(next -> next.isEmpty() ? "" : error + "; " + next));
    }

    /** @param otherwise what stands for an answer that has not come, by the reason */
    private <T> T await(CompletableFuture<T> answer, long seconds, Function<String, T> otherwise) {
        try {
            return machine.await(answer, seconds);
        } catch (TimeoutException e) {
            return otherwise.apply(noAnswer(seconds));
        } catch (ExecutionException e) {
            return otherwise.apply(String.valueOf(e.getCause()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return otherwise.apply("interrupted");
        }
    }

    @Override
    public boolean isOwnFolder() {
        return false;
    }

    /** Each host looks itself what it has: images of an earlier launcher, or of an epoch in quarantine, are nowhere noted. */
    @Override
    public void sweep(int generation, Set<EpochId> committed) {
        copies.replaceAll(
                (folder, some) -> new Copies(some.underWay, some.isRemoved || isOver(folder, generation, committed)));
        holders.keySet().removeIf(file -> isOver(file, generation, committed));
        formerHolders.keySet().removeIf(file -> isOver(file, generation, committed));
        List<String> needed =
                committed.stream().map(HostedImages::folder).sorted().toList();
        hosts.get().forEach(host -> host.tell(new AgentMessage.Keep(generation, needed)));
    }

    private static boolean isOver(String file, int generation, Set<EpochId> committed) {
        Matcher name = IMAGE.matcher(file);
        return name.matches()
                && Integer.parseInt(name.group(1)) < generation
                && !committed.contains(new EpochId(Integer.parseInt(name.group(1)), Integer.parseInt(name.group(2))));
    }

    private static String folder(String file) {
        return file.substring(0, file.indexOf('/'));
    }

    private static String folder(EpochId id) {
        return "g" + id.generation() + "-e" + id.epoch();
    }

    @Override
    public void removed(EpochId id) {
        String folder = folder(id);
        // before the names are taken out: a copy that ends now sees it, or its name goes with the others
        copies.computeIfPresent(folder, (key, some) -> new Copies(some.underWay, true));
        holders.keySet().removeIf(file -> file.startsWith(folder + "/"));
        formerHolders.keySet().removeIf(file -> file.startsWith(folder + "/"));
        hosts.get().forEach(host -> host.tell(new AgentMessage.Remove(folder)));
    }
}
