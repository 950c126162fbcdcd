package dev.edl.runtime.protocol;

import java.time.Duration;

/** A worker's or server's connection to one peer, which it opens again after a backoff: 50 ms, doubled up to 2 s. */
final class Dialer {
    private static final long FIRST = Duration.ofMillis(50).toNanos();
    private static final long LAST = Duration.ofSeconds(2).toNanos();

    private final String peer;
    private long number;
    private boolean open;
    private long retryAt = Long.MIN_VALUE;
    private long backoff = FIRST;

    Dialer(String peer) {
        this.peer = peer;
    }

    boolean isOpen() {
        return open;
    }

    /** Whether a message can be sent now; one that is not open is opened by that. */
    boolean isReady(long now) {
        return open || now >= retryAt;
    }

    /** Returns the link to send by, a new one when the last was closed. */
    Link link() {
        if (!open) {
            open = true;
            number++;
        }
        return new Link(peer, number);
    }

    boolean is(Link link) {
        return open && link.number() == number && link.peer().equals(peer);
    }

    /** The peer has answered: the next backoff is the first again. */
    void answered() {
        backoff = FIRST;
    }

    /** Takes a close over; returns whether it is about the link in use. */
    boolean closed(Link link, long now) {
        if (!is(link)) {
            return false;
        }
        open = false;
        retryAt = now + backoff;
        backoff = Math.min(2 * backoff, LAST);
        return true;
    }

    /** Returns when a message can be sent. */
    long retryAt() {
        return open ? Machine.NEVER : retryAt;
    }
}
