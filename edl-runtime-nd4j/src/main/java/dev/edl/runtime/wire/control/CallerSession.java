package dev.edl.runtime.wire.control;

import dev.edl.runtime.wire.control.internal.BulkTransfer;
import dev.edl.runtime.wire.control.internal.Message;
import java.io.IOException;
import java.io.InputStream;

/** The master's session with one accepted caller. */
interface CallerSession {
    /**
     * Handles a request or notification of the caller. Resumes reading once the message was handled. Does not
     * wait.
     */
    void received(Message message);

    /** Reports that the connection has closed; no message follows. */
    void closed(boolean orderly);

    /** Writes the content that a bulk connection requested; may wait. */
    void download(Message request, BulkTransfer transfer) throws IOException, InterruptedException;

    /** Receives the content sent over a bulk connection; may wait. */
    void upload(Message request, InputStream in) throws IOException, InterruptedException;
}
