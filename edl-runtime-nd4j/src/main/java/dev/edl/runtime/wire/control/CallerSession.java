package dev.edl.runtime.wire.control;

import dev.edl.runtime.wire.control.internal.BulkTransfer;
import dev.edl.runtime.wire.control.internal.Message;
import java.io.IOException;
import java.io.InputStream;

/** The master's side of one stream whose caller is welcome. */
interface CallerSession {
    /** Takes a request or news, and has the stream read on once it was handled. Does not wait. */
    void received(Message message);

    /** The stream has closed; nothing comes any more. */
    void closed(boolean inPeace);

    /** Writes what was asked for in a call beside the stream; may wait. */
    void download(Message request, BulkTransfer transfer) throws IOException, InterruptedException;

    /** Takes what was sent in a call beside the stream, and returns the answer; may wait. */
    Object upload(Message request, InputStream in) throws IOException, InterruptedException;
}
