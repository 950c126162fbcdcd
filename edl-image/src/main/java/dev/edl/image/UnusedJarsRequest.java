package dev.edl.image;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.channels.ByteChannel;
import java.nio.channels.Channels;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Set;

/** Request to a {@link ClassPathReceiver} that lists or removes unused jars. */
final class UnusedJarsRequest {
    private final byte[] key;
    private final int request;
    private final Duration age;
    private final Set<String> used;
    private ClaimStatus status = new ClaimStatus(0, 0, 0, 0);

    UnusedJarsRequest(byte[] key, int request, Duration age, Set<String> used) {
        this.key = key;
        this.request = request;
        this.age = age;
        this.used = used;
    }

    /** Returns the answer. */
    ClaimStatus status() {
        return status;
    }

    /** Returns empty after the answer, or why the connection broke; throws if the receiver refuses the request. */
    Optional<IOException> with(ByteChannel channel) throws TransferRejectedException {
        DataInputStream in = new DataInputStream(Channels.newInputStream(channel));
        DataOutputStream out = new DataOutputStream(Channels.newOutputStream(channel));
        try {
            out.write(key);
            out.write(request);
            out.writeLong(age.toMillis());
            out.writeInt(used.size());
            out.write(HexFormat.of().parseHex(String.join("", used)));
            long unused = FileSender.answer(in);
            status = new ClaimStatus(in.readLong(), in.readLong(), in.readLong(), in.readLong());
            out.write(ClassPathReceiver.DONE);
            return Optional.empty();
        } catch (TransferRejectedException e) {
            throw e;
        } catch (IOException e) {
            return Optional.of(e);
        }
    }
}
