package dev.edl.runtime.ps.ports;

/** A shard has refused an order, because it follows a later master. The master that gave it must end. */
public final class StaleTermException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    private final long followed;

    /**
     * Makes the exception of one order.
     *
     * @param shard the shard's name, for example {@code ps-1}
     * @param given the term of the order
     * @param followed the term that the shard follows
     */
    public StaleTermException(String shard, Term given, Term followed) {
        super("parameter shard " + shard + " follows " + followed + " and refuses an order of " + given);
        this.followed = followed.number();
    }

    /**
     * Makes the exception of a shard in another process.
     *
     * @param message that the exception has there
     * @param followed the number of the term that the shard follows
     */
    public StaleTermException(String message, long followed) {
        super(message);
        this.followed = followed;
    }

    /** Returns the number of the term that the shard follows. */
    public long followed() {
        return followed;
    }
}
