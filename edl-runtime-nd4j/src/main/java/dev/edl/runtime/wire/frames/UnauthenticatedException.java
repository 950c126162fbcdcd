package dev.edl.runtime.wire.frames;

import java.io.IOException;

/**
 * Thrown when the program at an address does not prove to be a part of this job. It may be another job's, so a retry may
 * succeed.
 */
public final class UnauthenticatedException extends IOException {
    private static final long serialVersionUID = 1L;
    /** Largest length of a text that another program may have sent. */
    private static final int LONGEST = 1000;

    /** Takes what the program did, for example {@code failed to authenticate with this job's token}. */
    UnauthenticatedException(String what) {
        super(plain(what));
    }

    /** Returns a text as one line of limited length, because it goes into logs. */
    private static String plain(String text) {
        return (text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "...").replaceAll("\\p{Cntrl}", " ");
    }
}
