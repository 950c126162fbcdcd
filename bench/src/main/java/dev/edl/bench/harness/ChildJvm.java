package dev.edl.bench.harness;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Child JVM with the same java, flags and class path, which works on command. The protocol is one line per command on
 * its standard input and one per answer on its standard output; {@link ChildCommandLoop} implements it. The child writes to
 * this JVM's standard error. It ends when its input ends, so it does not outlive this JVM. Not thread-safe.
 */
public final class ChildJvm implements AutoCloseable {
    private static final Duration END = Duration.ofSeconds(10);

    private final String name;
    private final Process process;
    private final BufferedWriter commands;
    /** Lines of the child's standard output; an empty element follows the last one. */
    private final BlockingQueue<Optional<String>> answers = new LinkedBlockingQueue<>();

    private String told = "";

    private ChildJvm(String name, Process process) {
        this.name = name;
        this.process = process;
        commands = new BufferedWriter(new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8));
        Thread reader = new Thread(this::read, name + "-answers");
        reader.setDaemon(true);
        reader.start();
    }

    /** Returns the command line of a JVM with this one's java, flags and class path. */
    public static List<String> command(Class<?> main, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(arguments);
        return command;
    }

    /**
     * Starts a JVM.
     *
     * @param name name for the JVM in messages
     * @param main main class, which calls {@link ChildCommandLoop#serve}
     */
    public static ChildJvm start(String name, Class<?> main) throws IOException {
        return new ChildJvm(
                name,
                new ProcessBuilder(command(main, List.of()))
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start());
    }

    private void read() {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                answers.add(Optional.of(line));
            }
        } catch (IOException closed) {
            // Destroying the process closes its streams; the exit status below suffices.
        }
        answers.add(Optional.empty());
    }

    /** Sends a command. The caller must take its {@link #answer} before it sends the next one. */
    public void tell(String command) throws IOException {
        told = command;
        try {
            commands.write(command);
            commands.newLine();
            commands.flush();
        } catch (IOException ended) {
            // The exit code is more informative than the broken pipe, and reading the answer reports it.
            if (process.isAlive()) {
                throw ended;
            }
        }
    }

    /**
     * Returns the text after {@code ok} in the answer to the last command.
     *
     * @throws IOException when the JVM fails, ends, or does not answer within the bound
     */
    public String answer(Duration bound) throws IOException, InterruptedException {
        Optional<String> answer = answers.poll(bound.toMillis(), TimeUnit.MILLISECONDS);
        if (answer == null) {
            throw new IOException(this + " did not answer \"" + told + "\" within " + bound.toMillis() + " ms");
        }
        if (answer.isEmpty()) {
            String code = process.waitFor(END.toSeconds(), TimeUnit.SECONDS) ? "" + process.exitValue() : "unknown";
            throw new IOException(
                    this + " ended with exit code " + code + " at \"" + told + "\"; standard error says why");
        }
        String line = answer.get();
        if (!line.equals("ok") && !line.startsWith("ok ")) {
            throw new IOException(this + " answered \"" + line + "\" to \"" + told + "\"");
        }
        return line.substring(2).strip();
    }

    /** Sends a command and returns its answer. */
    public String ask(String command, Duration bound) throws IOException, InterruptedException {
        tell(command);
        return answer(bound);
    }

    /** Closes the JVM's input, waits ten seconds for its end, and then kills it. */
    @Override
    public void close() {
        try {
            commands.close();
        } catch (IOException ended) {
            // The JVM has ended before, as the answer to the last command reported.
        }
        try {
            if (!process.waitFor(END.toSeconds(), TimeUnit.SECONDS)) {
                System.err.println(this + " did not end within " + END.toSeconds() + " s and is killed");
                process.destroyForcibly().waitFor(END.toSeconds(), TimeUnit.SECONDS);
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    /** Returns for example {@code JVM "both" (process 4711)}. */
    @Override
    public String toString() {
        return "JVM \"" + name + "\" (process " + process.pid() + ")";
    }

    boolean alive() {
        return process.isAlive();
    }

    void kill() {
        process.destroyForcibly();
    }
}
