package dev.edl.runtime.wire.bounds;

import dev.edl.internal.text.DurationText;
import dev.edl.runtime.ConnectionSettings;
import java.time.Duration;

/**
 * A time limit of a connection.
 *
 * @param time the time
 * @param setting name of the setting that has it, for messages
 */
public record TimeBound(Duration time, String setting) {
    /** Returns the bound for connecting. */
    public static TimeBound connect(ConnectionSettings settings) {
        return new TimeBound(settings.connect(), "connections.connect");
    }

    /** Returns the bound for the authentication of both ends. */
    public static TimeBound greeting(ConnectionSettings settings) {
        return new TimeBound(settings.greeting(), "connections.greeting");
    }

    /** Returns the bound for a frame, or for each MiB of it. */
    public static TimeBound silence(ConnectionSettings settings) {
        return new TimeBound(settings.silence(), "connections.silence");
    }

    /** Returns the bound for the response to a request. */
    public static TimeBound answer(ConnectionSettings settings) {
        return new TimeBound(settings.answer(), "connections.answer");
    }

    /** Returns the time after which a silent peer counts as lost. */
    public static TimeBound lost(ConnectionSettings settings) {
        return new TimeBound(settings.keepAlive().multipliedBy(2), "twice connections.keepAlive");
    }

    /** Returns the bound for the end of a connection. */
    public static TimeBound close(ConnectionSettings settings) {
        return new TimeBound(settings.close(), "connections.close");
    }

    /** Returns the text for people, for example {@code 30s, the bound connections.silence}. */
    @Override
    public String toString() {
        return DurationText.of(time) + ", the bound " + setting;
    }
}
