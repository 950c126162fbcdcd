package dev.edl.runtime.wire.tls;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.security.SecureRandom;
import java.security.Security;
import java.util.Arrays;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Sends bytes over connections that renew their keys after each MiB, and prints how many renewals a relay has seen. A
 * process of its own, because the JDK reads the limit once.
 */
final class KeyRenewals {
    private static final int BYTES = 4_000_000;
    /** Bytes of a record with a renewal: its type, length and request, the type of the content, and a tag. */
    private static final int RENEWAL = 1 + 3 + 1 + 1 + 16;
    /** Zeros that the JDK adds to a record. */
    private static final int PADDING = 16;

    private static final int HEADER = 5;
    private static final int APPLICATION_DATA = 0x17;

    private final AtomicInteger there = new AtomicInteger();
    private final AtomicInteger back = new AtomicInteger();

    private KeyRenewals() {}

    public static void main(String[] args) throws Exception {
        Security.setProperty("jdk.tls.keyLimits", "AES/GCM/NoPadding KeyUpdate 2^20");
        ChannelSecurity security = ChannelSecurity.token(new SecureRandom());
        try (Pair near = Pair.of(security, ChannelSecurity.plain());
                Pair far = Pair.of(ChannelSecurity.plain(), security)) {
            new KeyRenewals().exchange(near, far);
        }
    }

    private void exchange(Pair near, Pair far) throws Exception {
        PeerChannel caller = near.caller();
        PeerChannel called = far.called();
        CompletableFuture<Long> forth = Pair.start(() -> pass(near.calledSocket(), far.callerSocket(), there));
        CompletableFuture<Long> home = Pair.start(() -> pass(far.callerSocket(), near.calledSocket(), back));
        CompletableFuture<Long> sent = Pair.start(sends(caller));
        CompletableFuture<Long> sentBack = Pair.start(sends(called));
        CompletableFuture<Boolean> received = Pair.start(receives(caller));
        System.out.println("received " + receives(called).call() + " " + Pair.result(received));
        Pair.result(sent);
        Pair.result(sentBack);
        System.out.println("both write: " + renewals());
        CompletableFuture<Long> alone = Pair.start(sends(caller));
        System.out.println("received " + receives(called).call());
        Pair.result(alone);
        Pair.send(called, "x");
        System.out.println("received " + Pair.receive(caller, 1));
        System.out.println("one writes: " + renewals());
        caller.shutdownOutput();
        called.shutdownOutput();
        System.out.println("ended " + called.read(ByteBuffer.allocate(1)) + " " + caller.read(ByteBuffer.allocate(1)));
        Pair.result(forth);
        Pair.result(home);
    }

    private static Callable<Long> sends(PeerChannel to) {
        return () -> {
            byte[] bytes = bytes();
            Pair.send(to, ByteBuffer.wrap(bytes));
            return (long) bytes.length;
        };
    }

    private static Callable<Boolean> receives(PeerChannel from) {
        return () -> Arrays.equals(Pair.receiveBytes(from, BYTES, 100_000), bytes());
    }

    private static byte[] bytes() {
        byte[] bytes = new byte[BYTES];
        for (int i = 0; i < BYTES; i++) {
            bytes[i] = (byte) ((i * 31) >>> 8);
        }
        return bytes;
    }

    private String renewals() {
        return (there.getAndSet(0) >= 3) + " " + (back.getAndSet(0) > 0);
    }

    /** Passes bytes on and counts renewals. */
    private static long pass(SocketChannel from, SocketChannel to, AtomicInteger renewals) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(30_000);
        long passed = 0;
        int left = 0;
        byte[] header = new byte[HEADER];
        int known = 0;
        while (from.read(bytes) >= 0) {
            bytes.flip();
            for (ByteBuffer seen = bytes.duplicate(); seen.hasRemaining(); ) {
                if (left > 0) {
                    int skipped = Math.min(left, seen.remaining());
                    seen.position(seen.position() + skipped);
                    left -= skipped;
                    continue;
                }
                header[known++] = seen.get();
                if (known == HEADER) {
                    known = 0;
                    left = Short.toUnsignedInt(ByteBuffer.wrap(header).getShort(3));
                    if (header[0] == APPLICATION_DATA && (left == RENEWAL || left == RENEWAL + PADDING)) {
                        renewals.incrementAndGet();
                    }
                }
            }
            passed += bytes.remaining();
            while (bytes.hasRemaining()) {
                to.write(bytes);
            }
            bytes.clear();
        }
        to.shutdownOutput();
        return passed;
    }
}
