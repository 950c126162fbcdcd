package dev.edl.runtime.ps.ports;

/** Thrown by a shard that follows a later master. The master that sent the request must stop. */
public final class StaleTermException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    private final long followed;

    /**
     * Creates the exception for one request.
     *
     * @param shard the shard's name, for example {@code ps-1}
     * @param given the term of the request
     * @param followed the term that the shard follows
     */
    public StaleTermException(String shard, Term given, Term followed) {
        super("parameter shard " + shard + " follows " + followed + " and refuses a request of " + given);
        this.followed = followed.number();
    }

    /**
     * Creates the exception of a shard in another process.
     *
     * @param message of the exception in that process
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
