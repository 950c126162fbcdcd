package dev.edl.runtime.protocol;

/** A connection between two processes: keeps the order of messages, and breaks. */
final class Connection {
    private final Life life;
    private final Node[] ends;
    private final Link[] links;
    private final long[] last = new long[2];
    private final boolean[] lost = new boolean[2];
    private boolean broken;

    /**
     * Connects two processes.
     *
     * @param dialed the link of the first one
     * @param accepted the link of the second one
     */
    Connection(Life life, Node first, Link dialed, Node second, Link accepted) {
        this.life = life;
        this.ends = new Node[] {first, second};
        this.links = new Link[] {dialed, accepted};
        first.links.put(dialed, this);
        second.links.put(accepted, this);
    }

    boolean isBetween(Node one, Node other) {
        return (ends[0] == one && ends[1] == other) || (ends[0] == other && ends[1] == one);
    }

    void send(Node from, Message message) {
        if (broken) {
            return;
        }
        int to = ends[0] == from ? 1 : 0;
        long at = Math.max(last[to], life.time.now() + life.weather.latency(message));
        last[to] = at;
        life.time.at(at, () -> {
            if (!lost[to] && ends[to].links.get(links[to]) == this) {
                ends[to].hear(new Event.Received(links[to], message));
            }
        });
    }

    /** Breaks; what is under way arrives or is lost, and each end sees it after a while. */
    void breaks() {
        if (broken) {
            return;
        }
        broken = true;
        for (int end = 0; end < 2; end++) {
            lost[end] = life.dice.nextBoolean();
            seen(end, life.weather.seenAfter());
        }
    }

    /** One end closes it, and hears no more of it. */
    void closes(Node by) {
        by.links.remove(links[ends[0] == by ? 0 : 1]);
        breaks();
    }

    private void seen(int end, long after) {
        life.time.in(after, () -> {
            if (ends[end].links.remove(links[end]) == this) {
                ends[end].hear(new Event.Closed(links[end]));
            }
        });
    }
}
