package dev.edl.runtime.wire.tls;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;

/**
 * A connection to a peer over a blocking socket, plain or by TLS. One thread reads while another one writes; any thread
 * may close.
 *
 * <p>An interrupt of a waiting thread, or a close by another thread, ends a read or a write with the same exception as
 * that of a {@link java.nio.channels.SocketChannel}.
 */
public interface PeerChannel extends ByteChannel {
    /**
     * Reads bytes; waits until at least one has arrived.
     *
     * @return number of bytes; -1 if the peer has ended its output
     * @throws TlsMismatchException when one end uses TLS and the other does not
     * @throws java.io.EOFException when a TLS connection ends without the peer's end of output, as after a cut
     */
    @Override
    int read(ByteBuffer into) throws IOException;

    /**
     * Reads bytes that have arrived, and does not wait. No other thread may read or write meanwhile, because it would
     * have to be waited for.
     *
     * @return number of bytes, 0 if none has arrived; -1 if the peer has ended its output
     */
    int readArrived(ByteBuffer into) throws IOException;

    /**
     * Returns the certificates of both ends, for the proof of the token. Performs the TLS handshake first, unless a read or write has done so.
     */
    ChannelBinding binding() throws IOException;

    /** Ends the input: a waiting read returns -1, as every later one does. The output stays open. */
    void shutdownInput() throws IOException;

    /** Ends the output, so that the peer reads the end of the stream. Waits for a write of another thread. */
    void shutdownOutput() throws IOException;

    /** Closes the connection at once, as a failure does; {@link #shutdownOutput} comes before an orderly end. */
    @Override
    void close() throws IOException;
}
