package dev.edl.bench.harness;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * Process of a {@link PeerSoftware} that computes on command, on one thread. The protocol is one line per command and answer.
 * The process times its work itself, so the pipe is not included. The head of {@link PeerSoftware#program} describes the
 * commands.
 */
public final class PeerProcess implements AutoCloseable {
    private final PeerSoftware peer;
    private final Process process;
    private final BufferedWriter commands;
    private final BufferedReader answers;
    private final Path files;

    private PeerProcess(PeerSoftware peer, Process process, Path files) {
        this.peer = peer;
        this.process = process;
        this.files = files;
        commands = new BufferedWriter(new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8));
        answers = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    public static PeerProcess start(PeerSoftware peer, Path python) throws IOException {
        Path files = Files.createTempDirectory("edl-bench-" + peer.id() + "-");
        ProcessBuilder builder =
                new ProcessBuilder(python.toString(), peer.program().toString(), files.toString());
        builder.environment().put("OMP_NUM_THREADS", "1");
        builder.environment().put("MKL_NUM_THREADS", "1");
        builder.redirectError(ProcessBuilder.Redirect.INHERIT);
        return new PeerProcess(peer, builder.start(), files);
    }

    /** Sends a command; returns the text after {@code ok} in the answer. */
    public String ask(String command) throws IOException {
        commands.write(command);
        commands.newLine();
        commands.flush();
        String answer = answers.readLine();
        if (answer == null) {
            throw new IOException(peer + "'s process ended at \"" + command + "\"; standard error says why");
        }
        if (!answer.startsWith("ok")) {
            throw new IOException(peer + " answered \"" + answer + "\" to \"" + command + "\"");
        }
        return answer.substring(2).strip();
    }

    /**
     * Passes a vector to the process under a name, as a file of little-endian floats.
     *
     * @param count number of values to pass, from the first
     */
    public void put(String name, float[] values, int count) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(count * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asFloatBuffer().put(values, 0, count);
        Files.write(files.resolve(name), bytes.array());
    }

    /** Reads a vector that the process wrote under a name. */
    public float[] get(String name) throws IOException {
        ByteBuffer bytes =
                ByteBuffer.wrap(Files.readAllBytes(files.resolve(name))).order(ByteOrder.LITTLE_ENDIAN);
        float[] values = new float[bytes.remaining() / Float.BYTES];
        bytes.asFloatBuffer().get(values);
        return values;
    }

    @Override
    public void close() throws IOException {
        commands.close();
        try {
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
        try (var left = Files.list(files)) {
            for (Path file : left.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(files);
    }
}
