package dev.edl.image;

import java.io.IOException;

/** Thrown when another connection does not help. */
final class RefusedException extends IOException {
    private static final long serialVersionUID = 1;

    RefusedException(String why) {
        super(why);
    }

    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }
}
