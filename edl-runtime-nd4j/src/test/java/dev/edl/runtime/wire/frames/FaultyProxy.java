package dev.edl.runtime.wire.frames;

import dev.edl.runtime.internal.threads.DaemonThreads;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Forwards frames between a worker and a server, and applies a fault to one frame of the worker. */
final class FaultyProxy implements AutoCloseable {
    /** Writes the replacement of a frame; false ends the connection after it. */
    @FunctionalInterface
    interface Fault {
        boolean pass(byte[] frame, OutputStream out) throws IOException;
    }

    private final InetSocketAddress server;
    private final @Nullable RandomCuts cuts;
    private final ServerSocket listening;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private final List<Thread> threads = new CopyOnWriteArrayList<>();
    private final AtomicReference<Fault> nextPush = new AtomicReference<>();
    private final AtomicReference<Fault> nextResult = new AtomicReference<>();
    private final AtomicInteger fired = new AtomicInteger();

    FaultyProxy(InetSocketAddress server) throws IOException {
        this(server, null);
    }

    FaultyProxy(InetSocketAddress server, @Nullable RandomCuts cuts) throws IOException {
        this.server = server;
        this.cuts = cuts;
        this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        start(this::accept);
    }

    InetSocketAddress address() {
        return (InetSocketAddress) listening.getLocalSocketAddress();
    }

    /** Applies a fault to the next push. */
    void onPush(Fault fault) {
        nextPush.set(fault);
    }

    /** Applies a fault to the next result. */
    void onResult(Fault fault) {
        nextResult.set(fault);
    }

    int fired() {
        return fired.get();
    }

    private void start(Runnable work) {
        Thread thread = new Thread(work, "proxy");
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                Socket worker = listening.accept();
                sockets.add(worker);
                Socket to = new Socket(server.getAddress(), server.getPort());
                sockets.add(to);
                worker.setTcpNoDelay(true);
                to.setTcpNoDelay(true);
                RandomCuts.Line line = cuts == null ? null : cuts.line();
                start(() -> pump(worker, to, FrameKind.PUSH, nextPush, line));
                start(() -> pump(to, worker, FrameKind.RESULT, nextResult, line));
            } catch (IOException e) {
                // Closed.
            }
        }
    }

    private void pump(
            Socket from, Socket to, FrameKind kind, AtomicReference<Fault> next, RandomCuts.@Nullable Line line) {
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            while (true) {
                byte[] frame = frame(in);
                int cut = line == null ? -1 : line.cut(kind == FrameKind.PUSH, frame);
                if (cut >= 0) {
                    out.write(frame, 0, cut);
                    return;
                }
                Fault fault = frame[6] == kind.code() ? next.getAndSet(null) : null;
                if (fault == null) {
                    out.write(frame);
                } else {
                    fired.incrementAndGet();
                    if (!fault.pass(frame, out)) {
                        return;
                    }
                }
                out.flush();
            }
        } catch (IOException e) {
            // One end has closed the connection.
        }
    }

    private static byte[] frame(InputStream in) throws IOException {
        DataInputStream data = new DataInputStream(in);
        byte[] head = new byte[32];
        data.readFully(head);
        int length = (head[8] & 255) | (head[9] & 255) << 8 | (head[10] & 255) << 16 | (head[11] & 255) << 24;
        byte[] frame = Arrays.copyOf(head, 32 + length + 4);
        data.readFully(frame, 32, length + 4);
        return frame;
    }

    /** Ends the current connections. */
    void disconnect() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    @Override
    public void close() throws IOException {
        listening.close();
        disconnect();
        threads.forEach(DaemonThreads::join);
    }
}
