package dev.edl.runtime.protocol;

/**
 * One end of one connection, as the process at this end names it. A connection keeps the order of its messages; when it breaks, a
 * machine hears {@link Event.Closed} once and nothing more of it.
 *
 * <p>A worker or server numbers the links that it opens, from 1 for each peer; a transport connects at the first message. The
 * transport numbers those that it accepts, so that two connections of one peer are different links.
 *
 * @param peer the name of the process at the other end, for example {@code ps-1}, which the transport has checked
 * @param number tells the connections of one peer apart
 */
public record Link(String peer, long number) {
    /** Returns the text for people, for example {@code ps-1#3}. */
    @Override
    public String toString() {
        return peer + "#" + number;
    }
}
