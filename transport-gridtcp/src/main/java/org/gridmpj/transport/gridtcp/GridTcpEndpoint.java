package org.gridmpj.transport.gridtcp;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.function.LongSupplier;
import org.gridmpj.job.OutOfReach;
import org.gridmpj.job.RankTable;
import org.gridmpj.transport.Endpoint;
import org.gridmpj.transport.FrameHeader;
import org.gridmpj.transport.FrameKind;
import org.gridmpj.transport.PayloadSource;
import org.gridmpj.transport.ShortMessages;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One peer: its channel, the link that carries it now, and when to dial again. Confined to the holder of the progress lock.
 */
final class GridTcpEndpoint implements Endpoint, ShortMessages {
    private static final Logger LOG = LoggerFactory.getLogger(GridTcpEndpoint.class);

    private static final long FIRST_BACK_OFF_NANOS = 10_000_000;
    private static final long LAST_BACK_OFF_NANOS = 500_000_000;
    /** How long a rank that ends waits for a peer that has said goodbye and whose last acknowledgement is missing. */
    private static final long LINGER_NANOS = 2_000_000_000;

    /** How long a dialed peer may take to answer the hello: it may be computing, but its helper thread polls. */
    private static final long ANSWER_NANOS = 20_000_000_000L;

    /** Who has said nothing for so long speaks. */
    private static final long QUIET_NANOS = 5_000_000_000L;
    /** A connection that brings nothing for so long is given up: the peer may be computing, but its helper thread polls. */
    private static final long SILENT_NANOS = 20_000_000_000L;
    /** Who has not looked for so long was stopped: it cannot have heard anything. */
    private static final long STOPPED_NANOS = 2_000_000_000L;

    private static final int READS_PER_POLL = 8;
    private static final String NOT_REACHED = "it was not reached";
    private static final String NOT_DIALED = "it has not dialed this rank, which has the lower number";
    private static final ByteRun NO_ROOM = new ByteRun();

    private final Channel channel;
    private final Connections connections;
    private final ChannelSizes sizes;
    private final boolean dials;
    private final FirstContact contact;
    private final LongSupplier nanoClock;
    private final @Nullable String ownHostId;
    private final Runnable linkChanged;
    private RankTable.Entry entry;

    private @Nullable Link link;
    /** What the dial under way offers. */
    private @Nullable SharedSegment offered;

    private boolean broken;
    /** The link is new, or the last read filled its room. */
    private boolean moreToRead;
    /** When the link last brought something, but for what it has brought since to who looked. */
    private long heardNanos;

    private boolean heard;
    /** When this end last looked at its watch, and found that it had written something since. */
    private long spokeNanos;

    private boolean spoken;
    private long tickedNanos;
    /** The two ends have met: from then on a broken link is the channel's own affair. */
    private boolean met;

    private boolean dialing;
    /** Number of the dial under way; what an earlier one brings is out of date. */
    private int attempt;

    private long dialedNanos;
    private long backOffNanos = FIRST_BACK_OFF_NANOS;
    private long nextDialNanos;
    /** The peer would refuse this process: a later table has to come first. */
    private boolean awaitsTable;
    /** The next dial is the last one before that table. */
    private boolean rehearses;

    /** How long the first link may take once it is wanted; no limit if 0. */
    private long firstLinkNanos;
    /** Since when the first link has been wanted and possible; meaningful while it is. */
    private long missedSinceNanos;

    private boolean missed;

    private long downSinceNanos;
    private final Outage outage;
    private String lastObstacle;

    /**
     * A peer that is not connected yet.
     *
     * @param contact whether it is to be
     * @param ownHostId of this rank, as the IP table has it; null if shared memory may not carry the bytes, even if the peer is
     *     on this host
     * @param linkChanged told whenever {@link #link} is another one
     */
    GridTcpEndpoint(
            Channel channel,
            FirstContact contact,
            RankTable.Entry entry,
            Connections connections,
            ChannelSizes sizes,
            @Nullable String ownHostId,
            Runnable linkChanged,
            LongSupplier nanoClock) {
        this.contact = contact;
        this.nanoClock = nanoClock;
        this.ownHostId = ownHostId;
        this.linkChanged = linkChanged;
        this.channel = channel;
        this.entry = entry;
        this.connections = connections;
        this.sizes = sizes;
        dials = channel.identity().peerRank() < channel.identity().worldRank();
        long nowNanos = nanoClock.getAsLong();
        nextDialNanos = nowNanos;
        downSinceNanos = nowNanos;
        outage = new Outage(dials, nowNanos);
        lastObstacle = dials ? NOT_REACHED : NOT_DIALED;
        wantIfUsed();
    }

    /** The channel may go on where one of an earlier process stood: its peer expects that it is linked. */
    private void wantIfUsed() {
        if (channel.isUsed()) {
            boolean _ = contact.want();
        }
    }

    /** From now on the channel goes on where a frozen one stood. */
    void thaw(FrozenChannel frozen) {
        channel.thaw(frozen);
        wantIfUsed();
    }

    /** A rank that cannot be reached when it is needed first is to be noticed, as it is in MPI.Init where that connects all. */
    void limitFirstLink(long timeoutNanos) {
        firstLinkNanos = timeoutNanos;
    }

    /** Whether the first link has been wanted, and not to be had, for longer than it may. */
    boolean isFirstLinkOverdue(long nowNanos) {
        boolean missing = awaitsLink() && !met && !awaitsTable && firstLinkNanos > 0;
        if (!missing || !missed || nowNanos - tickedNanos > STOPPED_NANOS) {
            missed = missing;
            missedSinceNanos = nowNanos;
        }
        tickedNanos = nowNanos;
        return missing && nowNanos - missedSinceNanos > firstLinkNanos;
    }

    /** Does not dial before the next table. */
    void awaitTable() {
        awaitsTable = true;
    }

    /**
     * Dials once, then awaits the next table. The peer knows this process not yet and refuses it, but when that table has come
     * nothing is done for the first time.
     */
    void rehearse() {
        rehearses = true;
        awaitsTable = false;
    }

    @Override
    public Offer offer(FrameHeader header, PayloadSource payload) {
        Link current = link;
        if (current == null && header.kind == FrameKind.FINALIZED && contact.takesGoodbye()) {
            payload.released();
            return Offer.ACCEPTED;
        }
        ShortFrame.Taker taker = current == null || broken ? null : current.takesShortFrames();
        Offer offer = channel.offer(header, payload, taker);
        if (offer == Offer.ACCEPTED) {
            spoken |= taker != null;
            if (current == null) {
                makeContact();
            }
            flush();
        }
        return offer;
    }

    /** There is something for a peer that is not linked: at once, for who offers it may not poll for some time. */
    private void makeContact() {
        if (contact.want()) {
            boolean _ = linkIfDue(nanoClock.getAsLong());
        }
    }

    /** The peer has something for this rank. */
    void knocked(long nowNanos) {
        if (contact.want()) {
            nextDialNanos = nowNanos;
        }
    }

    /** The peer has called Finalize, and had nothing for this rank; whether that is news. */
    boolean heardGoodbye() {
        return contact.hearGoodbye();
    }

    @Override
    public int copiedPayloadLimitBytes() {
        return sizes.copiedPayloadBytes();
    }

    @Override
    public @Nullable ShortMessages shortMessages() {
        Link current = link;
        return current != null && (current.memory() != null || current.asksTheSystem()) ? this : null;
    }

    @Override
    public int longestBytes() {
        return ShortFrame.MOST_PAYLOAD_BYTES;
    }

    @Override
    public boolean isFree() {
        Link current = link;
        return current != null && current.memory() != null;
    }

    @Override
    public int look() {
        Link current = link;
        if (current == null || broken) {
            return OTHER;
        }
        WireBuffer shared = current.memory();
        return shared == null ? lookAtConnection(current) : lookAtMemory(current, shared);
    }

    private int lookAtMemory(Link current, WireBuffer shared) {
        int bytes = current.readable();
        if (bytes == 0) {
            return NOTHING;
        }
        return bytes > 0 && current.isShortFrame() && channel.isNextShortFrame(shared, current.readableOffset(), bytes)
                ? bytes - ShortFrame.HEAD_BYTES
                : OTHER;
    }

    private int lookAtConnection(Link current) {
        int found = channel.look();
        if (found != NOTHING) {
            return found;
        }
        ByteRun room = channel.roomToLook();
        int bytes = current.read(room.memory(), room.offsetBytes, room.lengthBytes);
        if (bytes <= 0) {
            broken = bytes < 0;
            return broken ? OTHER : NOTHING;
        }
        heard = true;
        channel.arrived(bytes);
        return channel.look();
    }

    @Override
    public FrameHeader header() {
        return channel.foundHeader();
    }

    @Override
    public MemorySegment memory() {
        WireBuffer shared = lookedAt().memory();
        return shared == null ? channel.arrivedMemory() : shared.segment;
    }

    @Override
    public long payloadOffset() {
        Link current = lookedAt();
        return current.memory() == null
                ? channel.foundPayloadOffset()
                : (long) current.readableOffset() + ShortFrame.HEAD_BYTES;
    }

    private Link lookedAt() {
        Link current = link;
        if (current == null) {
            throw new IllegalStateException("no message was found");
        }
        return current;
    }

    @Override
    public void taken() {
        Link current = lookedAt();
        boolean acknowledges;
        if (current.memory() == null) {
            acknowledges = channel.tookMessage();
        } else {
            acknowledges = channel.tookShortFrame();
            current.decoded(ShortFrame.HEAD_BYTES + (int) header().payloadBytes);
        }
        if (acknowledges) {
            flush();
        }
    }

    /**
     * Moves bytes both ways; whether there were any.
     *
     * @param readable whether there may be bytes on any link
     */
    boolean poll(long nowNanos, boolean readable) {
        Link current = link;
        if (current == null) {
            return linkIfDue(nowNanos);
        }
        boolean any = (readable || moreToRead || current.memory() != null || channel.isUndecoded()) && read(current);
        if (any) {
            heardNanos = nowNanos;
        }
        any |= flush();
        if (broken) {
            drop(nowNanos);
        }
        return any;
    }

    private boolean read(Link current) {
        boolean any = channel.isUndecoded();
        if (any) {
            breakUnlessOk(channel.received(0));
        }
        moreToRead = true;
        for (int reads = 0; reads < READS_PER_POLL && moreToRead && !broken; reads++) {
            WireBuffer shared = current.memory();
            ByteRun room = shared == null ? channel.incoming(current.takesArrays()) : NO_ROOM;
            int bytes = shared == null ? current.read(room) : current.readable();
            moreToRead = shared == null ? bytes == room.mostBytes() : bytes > 0;
            if (bytes == 0) {
                break;
            }
            any = true;
            if (bytes < 0) {
                broken = true;
                break;
            }
            Reception reception;
            if (shared == null) {
                reception = channel.received(bytes);
            } else if (current.isShortFrame()) {
                reception = channel.receivedShortFrame(shared, current.readableOffset(), bytes);
            } else {
                reception = channel.received(shared, current.readableOffset(), bytes);
            }
            boolean wholeMessage = shared != null && current.isShortFrame();
            current.decoded(bytes);
            breakUnlessOk(reception);
            if (wholeMessage) {
                // Who waits for it goes on before the line of the next one is fetched, which may take as long as all of
                // this.
                break;
            }
        }
        return any;
    }

    private void breakUnlessOk(Reception reception) {
        if (reception != Reception.OK) {
            LOG.warn("rank {} reconnects to rank {}: {} bytes on the link", rank(), peer(), reception);
            broken = true;
        }
    }

    /** Writes what the link takes. Never drops the link itself, for it may be called from an upcall. */
    private boolean flush() {
        Link current = link;
        if (current == null) {
            return false;
        }
        boolean any = false;
        while (!broken) {
            ByteRun run = channel.outgoing(current.takesArrays());
            if (run.lengthBytes == 0) {
                break;
            }
            int bytes = current.write(run);
            if (bytes == 0) {
                break;
            }
            any = true;
            if (bytes < 0) {
                broken = true;
            } else {
                channel.wrote(bytes);
                spoken = true;
            }
        }
        return any;
    }

    /** Gives the link up; the channel waits for the next one. */
    void drop(long nowNanos) {
        Link current = link;
        if (current != null) {
            LOG.debug("rank {} has lost its link to rank {}", rank(), peer());
            lastObstacle = dials ? NOT_REACHED : NOT_DIALED;
            current.close();
            channel.linkDown();
            link = null;
            linkChanged.run();
            broken = false;
            contact.met(nowNanos);
            nextDialNanos = nowNanos;
            downSinceNanos = nowNanos;
        }
    }

    /** Dials, or knocks where that is the peer's turn; whether it has dialed. */
    private boolean linkIfDue(long nowNanos) {
        if (dialing && nowNanos - dialedNanos > ANSWER_NANOS) {
            lastObstacle = "it did not answer";
            dialing = false;
        }
        boolean wanted = rehearses || contact.isWanted();
        if (!wanted || awaitsTable || dialing || channel.isFinished()) {
            return false;
        }
        if (!dials) {
            if (!rehearses) {
                contact.knockIfDue(nowNanos);
            }
            return false;
        }
        if (nowNanos - nextDialNanos < 0) {
            return false;
        }
        awaitsTable = rehearses;
        dialing = true;
        dialedNanos = nowNanos;
        attempt++;
        forgetOffer();
        Sharing sharing = Sharing.NONE;
        if (entry.hostId().equals(ownHostId) && SharedFile.hostId() != 0) {
            try {
                SharedSegment segment = SharedSegment.create(sizes.sharedRingBytes());
                offered = segment;
                sharing = segment.offer();
            } catch (IOException | RuntimeException e) {
                LOG.info("rank {} offers no shared memory to rank {}: {}", rank(), peer(), e.toString());
            }
        }
        connections.dial(
                peer(),
                attempt,
                entry.host(),
                entry.port(),
                channel.hello(Admission.ACCEPTED).with(sharing).encode());
        return true;
    }

    private void forgetOffer() {
        SharedSegment segment = offered;
        offered = null;
        if (segment != null) {
            segment.closeFile();
        }
    }

    /** The peer has dialed and knows the secret: answers its hello. */
    void accepted(Link newLink, Hello hello, long nowNanos) {
        Admission admission = dials ? Admission.OTHER_JOB : channel.admit(hello);
        if (admission != Admission.ACCEPTED) {
            LOG.info("rank {} refuses rank {} at {}: {}", rank(), peer(), newLink, admission.text());
            newLink.writeHello(channel.hello(admission).encode());
            newLink.close();
            return;
        }
        drop(nowNanos);
        SharedSegment segment = shared(hello.sharing());
        newLink.writeHello(channel.hello(Admission.ACCEPTED)
                .with(segment == null ? Sharing.NONE : hello.sharing())
                .encode());
        up(segment == null ? newLink : new SharedMemoryLink(newLink, segment), hello, nowNanos);
    }

    /** The segment that a dialer on this host offers, or null: then the connection carries the bytes. */
    private @Nullable SharedSegment shared(Sharing offer) {
        if (ownHostId == null || !offer.isOffered() || offer.hostId() != SharedFile.hostId()) {
            return null;
        }
        try {
            return SharedSegment.attach(offer, sizes.sharedRingBytes());
        } catch (IOException | RuntimeException e) {
            LOG.info("rank {} does not share memory with rank {}: {}", rank(), peer(), e.toString());
            return null;
        }
    }

    /** The peer has answered this rank's hello. */
    void dialed(int ofAttempt, Link newLink, Hello answer, long nowNanos) {
        if (ofAttempt != attempt || !dialing) {
            newLink.close();
            return;
        }
        dialing = false;
        Admission admission = answer.verdict();
        if (admission == Admission.ACCEPTED) {
            admission = channel.admit(answer);
            if (admission == Admission.ACCEPTED) {
                SharedSegment segment = answer.sharing().isOffered() ? offered : null;
                up(segment == null ? newLink : new SharedMemoryLink(newLink, segment), answer, nowNanos);
                forgetOffer();
                return;
            }
            lastObstacle = "it was refused: " + admission.text();
        } else {
            lastObstacle = "it refused this rank: " + admission.text();
        }
        newLink.close();
        backOff(nowNanos);
    }

    void notDialed(int ofAttempt, String reason, long nowNanos) {
        if (ofAttempt != attempt || !dialing) {
            return;
        }
        dialing = false;
        lastObstacle = reason;
        backOff(nowNanos);
    }

    private void backOff(long nowNanos) {
        forgetOffer();
        LOG.debug("rank {} cannot reach rank {}: {}", rank(), peer(), lastObstacle);
        nextDialNanos = nowNanos + backOffNanos;
        backOffNanos = Math.min(LAST_BACK_OFF_NANOS, backOffNanos * 3 / 2);
    }

    private void up(Link newLink, Hello hello, long nowNanos) {
        link = newLink;
        heardNanos = nowNanos;
        spokeNanos = nowNanos;
        tickedNanos = nowNanos;
        linkChanged.run();
        outage.ends();
        met = true;
        contact.met(nowNanos);
        broken = false;
        moreToRead = true;
        backOffNanos = FIRST_BACK_OFF_NANOS;
        newLink.keptBy(channel.keeper());
        channel.linkUp(hello, newLink.takesPayload());
        flush();
    }

    /** A new IP table. */
    void update(RankTable.Entry newEntry, long nowNanos) {
        if (awaitsTable || rehearses) {
            // what was dialled before does not count any more
            dialing = false;
            backOffNanos = FIRST_BACK_OFF_NANOS;
        }
        // where nobody listens yet an earlier process of the rank might
        awaitsTable = !newEntry.listens();
        rehearses = false;
        boolean moved = newEntry.incarnation() > entry.incarnation();
        if (newEntry.incarnation() < entry.incarnation()) {
            return;
        }
        if (link == null) {
            nextDialNanos = nowNanos;
            contact.peerMoved();
        }
        entry = newEntry;
        missed = false;
        if (moved) {
            channel.peerMoved(newEntry.incarnation());
            drop(nowNanos);
            outage.ends();
            contact.peerMoved();
            // A dial to where the peer was may never be answered.
            dialing = false;
            backOffNanos = FIRST_BACK_OFF_NANOS;
            nextDialNanos = nowNanos;
        }
    }

    /** Some milliseconds have passed. */
    void tick(long nowNanos) {
        Link current = link;
        if (current != null && current.memory() == null) {
            listen(current, nowNanos);
        }
        channel.tick();
        flush();
    }

    /**
     * A connection can break without a word to either end: a host loses its power, a gateway forgets it, or a reset is lost.
     * Within a host, where memory is shared, nothing stands between.
     */
    private void listen(Link current, long nowNanos) {
        if (heard || nowNanos - tickedNanos > STOPPED_NANOS) {
            heard = false;
            heardNanos = nowNanos;
        }
        tickedNanos = nowNanos;
        if (spoken) {
            spoken = false;
            spokeNanos = nowNanos;
        } else if (nowNanos - spokeNanos > QUIET_NANOS) {
            channel.speak();
        }
        if (nowNanos - heardNanos > SILENT_NANOS) {
            LOG.info(
                    "rank {} gives up its connection with rank {} at {}, over which nothing has come for {} s",
                    rank(),
                    peer(),
                    current,
                    SILENT_NANOS / 1_000_000_000);
            broken = true;
            outage.began(heardNanos, nowNanos);
        }
    }

    /** Begins the orderly end. */
    void sayBye() {
        if (!contact.isOver()) {
            channel.sayBye();
            if (link == null) {
                makeContact();
            }
            flush();
        }
    }

    /** Whether nothing is left to be done with this peer before this rank may end. */
    boolean isDrained(long nowNanos) {
        if (contact.isOver()) {
            return true;
        }
        if (channel.isFinished()) {
            return channel.outgoing().lengthBytes == 0;
        }
        return channel.isByeReceived() && link == null && nowNanos - downSinceNanos > LINGER_NANOS;
    }

    /** For how long a link is missing, counted up to now. */
    void lookForLink(long nowNanos) {
        boolean wanted = contact.isWanted() && !awaitsTable && !rehearses && !channel.isFinished();
        outage.look(wanted && (link == null || broken), nowNanos);
    }

    /** What is to be told of a peer that has been out of reach for long, or null. */
    @Nullable
    OutOfReach outOfReach() {
        return outage.isLong()
                ? new OutOfReach(peer(), entry.host() + ":" + entry.port(), outage.seconds(), lastObstacle)
                : null;
    }

    /** Whether there is to be a link, and is none. */
    boolean awaitsLink() {
        return contact.isWanted() && link == null && !channel.isFinished();
    }

    /** Whether there has ever been a link. */
    boolean hasMet() {
        return met;
    }

    /** "rank 1 (10.0.0.7:4711): connection refused". */
    String obstacle() {
        return "rank " + peer() + " (" + entry.host() + ":" + entry.port() + "): " + lastObstacle;
    }

    Channel channel() {
        return channel;
    }

    /** Where the peer is, as far as is known. */
    RankTable.Entry entry() {
        return entry;
    }

    @Nullable
    Link link() {
        return link;
    }

    @Override
    public String toString() {
        String way = link != null
                ? "by " + link
                : dialing
                        ? "dialing, attempt " + attempt
                        : contact.isWanted() ? "no link, " + lastObstacle : "never needed a link";
        return "rank " + rank() + " and rank " + peer() + ": " + channel + ", " + way;
    }

    void close() {
        Link current = link;
        link = null;
        forgetOffer();
        if (current != null) {
            current.close();
        }
        channel.close();
    }

    private int rank() {
        return channel.identity().worldRank();
    }

    private int peer() {
        return channel.identity().peerRank();
    }
}
