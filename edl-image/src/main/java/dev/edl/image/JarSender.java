package dev.edl.image;

import dev.edl.program.ProgramJars;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Sends jars to a {@link ClassPathReceiver}. A new connection continues where the previous one broke. */
final class JarSender {
    private final List<ProgramJars.Jar> jars;
    private final byte[] key;
    private final Consumer<UploadProgress> progress;
    private final JarRequirements requirements;
    private final long totalBytes;
    private int done;
    private int sentJars;
    private long sentBytes;

    JarSender(List<ProgramJars.Jar> jars, byte[] key, Consumer<UploadProgress> progress) throws IOException {
        this.jars = jars;
        this.key = key;
        this.progress = progress;
        requirements = JarRequirements.of(jars);
        long total = 0;
        for (ProgramJars.Jar jar : jars) {
            total += Files.size(jar.file());
        }
        totalBytes = total;
    }

    int sentJars() {
        return sentJars;
    }

    long sentBytes() {
        return sentBytes;
    }

    /** Returns the progress for a message, or an empty text before the first. */
    String state() {
        return done == 0 && sentBytes == 0
                ? ""
                : "; " + done + " of " + jars.size() + " jars are on the claim, and " + sentBytes + " of " + totalBytes
                        + " bytes were sent; the next upload continues";
    }

    /** Returns empty after the last jar, or why the connection broke; throws if the receiver refuses a jar. */
    Optional<IOException> with(ByteChannel channel) throws TransferRejectedException {
        DataInputStream in = new DataInputStream(Channels.newInputStream(channel));
        DataOutputStream out = new DataOutputStream(Channels.newOutputStream(channel));
        try {
            out.write(key);
            out.write(ClassPathReceiver.UPLOAD);
            check(in.readInt(), in.readUTF());
            while (done < jars.size()) {
                boolean sent = send(jars.get(done), in, out);
                done++;
                sentJars += sent ? 1 : 0;
                report();
            }
            out.write(new byte[ClassPathReceiver.DIGEST_BYTES]);
            FileSender.answer(in);
            out.write(ClassPathReceiver.DONE);
            return Optional.empty();
        } catch (TransferRejectedException e) {
            throw e;
        } catch (FileSystemException e) {
            throw new TransferRejectedException(e.getFile() + " cannot be read: " + TransferFileNames.why(e));
        } catch (IOException e) {
            return Optional.of(e);
        }
    }

    /** Checks that the receiver's Java and machine can use the jars. */
    private void check(int java, String architecture) throws TransferRejectedException {
        Optional<String> unmet = requirements.unmet("pods of this image", Optional.of(java), architecture);
        if (unmet.isPresent()) {
            throw new TransferRejectedException(unmet.get());
        }
    }

    private boolean send(ProgramJars.Jar jar, DataInputStream in, DataOutputStream out) throws IOException {
        try (FileChannel file = FileChannel.open(jar.file())) {
            long length = file.size();
            byte[] digest = HexFormat.of().parseHex(jar.digest());
            ByteBuffer asked = ByteBuffer.allocate(digest.length + Long.BYTES);
            out.write(asked.put(digest).putLong(length).array());
            return FileSender.send(file, jar.name(), length, in, out, count -> {
                sentBytes += count;
                report();
            });
        }
    }

    private void report() {
        progress.accept(new UploadProgress(jars.size(), done, sentBytes, totalBytes));
    }
}
