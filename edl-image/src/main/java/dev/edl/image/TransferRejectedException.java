package dev.edl.image;

import java.io.IOException;

/** Thrown when a transfer is rejected; another connection does not help. */
final class TransferRejectedException extends IOException {
    private static final long serialVersionUID = 1;

    TransferRejectedException(String why) {
        super(why);
    }

    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }
}
