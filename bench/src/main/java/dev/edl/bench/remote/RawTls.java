package dev.edl.bench.remote;

import dev.edl.runtime.wire.tls.ChannelSecurity;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.security.SecureRandom;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/**
 * Connection over loopback by the JDK's {@link SSLSocket} alone: one end sends a number of bytes, the other returns as
 * many. Socket buffers, chunks and certificates are those of {@link RawTcp} and of EDL's own TLS.
 */
final class RawTls implements AutoCloseable {
    private static final int BUFFER = 256 * 1024;

    private final int bytes;
    private final SSLSocket here;
    private final byte[] chunk = new byte[BUFFER];

    RawTls(int bytes) throws IOException {
        this.bytes = bytes;
        SSLContext context = ChannelSecurity.jdkContext(new SecureRandom());
        try (ServerSocket listening = new ServerSocket()) {
            listening.setReceiveBufferSize(BUFFER);
            listening.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            Socket from = new Socket();
            from.setReceiveBufferSize(BUFFER);
            from.connect(listening.getLocalSocketAddress());
            here = secured(context, from, true);
            SSLSocket there = secured(context, listening.accept(), false);
            Thread thread = new Thread(() -> answer(there), "raw TLS");
            thread.setDaemon(true);
            thread.start();
        }
    }

    private static SSLSocket secured(SSLContext context, Socket socket, boolean caller) throws IOException {
        socket.setSendBufferSize(BUFFER);
        socket.setTcpNoDelay(true);
        SSLSocket secured = (SSLSocket) context.getSocketFactory().createSocket(socket, null, -1, true);
        secured.setUseClientMode(caller);
        secured.setNeedClientAuth(!caller);
        secured.setEnabledProtocols(new String[] {"TLSv1.3"});
        secured.setEnabledCipherSuites(new String[] {"TLS_AES_128_GCM_SHA256"});
        return secured;
    }

    private void answer(SSLSocket there) {
        byte[] own = new byte[BUFFER];
        try (there) {
            while (true) {
                receive(there, own);
                send(there, own);
            }
        } catch (IOException ended) {
            // The measurement has ended.
        }
    }

    private void receive(SSLSocket from, byte[] into) throws IOException {
        InputStream in = from.getInputStream();
        for (int left = bytes; left > 0; ) {
            int read = in.read(into, 0, Math.min(left, BUFFER));
            if (read < 0) {
                throw new EOFException("the other end has closed the connection");
            }
            left -= read;
        }
    }

    private void send(SSLSocket to, byte[] from) throws IOException {
        OutputStream out = to.getOutputStream();
        for (int left = bytes; left > 0; ) {
            int part = Math.min(left, BUFFER);
            out.write(from, 0, part);
            left -= part;
        }
    }

    /** Sends the number of bytes and waits until as many have come back. */
    void exchange() throws IOException {
        send(here, chunk);
        receive(here, chunk);
    }

    @Override
    public void close() throws IOException {
        here.close();
    }

    /** Returns for example {@code TLS of the JDK, 36 bytes there and back}. */
    @Override
    public String toString() {
        return "TLS of the JDK, " + bytes + " bytes there and back";
    }
}
