package dev.edl.runtime.data.tfrecord;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Locale;

/**
 * Writer of TensorBoard event files: numbers and texts over steps.
 *
 * <pre>{@code
 * try (EventWriter events = EventWriter.create(Path.of("out/tensorboard"), clock.instant())) {
 *   events.scalar("train/loss", 200, 0.31f, clock.instant());
 *   events.text("job/members", 200, "worker-0 left, worker-4 joined", clock.instant());
 * }
 * }</pre>
 *
 * <p>The file is a TFRecord file of {@code tensorflow.Event} messages (tensorflow/core/util/event.proto and
 * framework/summary.proto), which starts with the version {@code brain.Event:2}. Each call writes at once, so that a
 * running TensorBoard shows it. Safe for several threads.
 */
public final class EventWriter implements AutoCloseable {
    private static final int MOST_FILES_A_SECOND = 1_000;
    private static final int EVENT_WALL_TIME = 1;
    private static final int EVENT_STEP = 2;
    private static final int EVENT_FILE_VERSION = 3;
    private static final int EVENT_SUMMARY = 5;
    private static final int SUMMARY_VALUE = 1;
    private static final int VALUE_TAG = 1;
    private static final int VALUE_SIMPLE = 2;
    private static final int VALUE_TENSOR = 8;
    private static final int VALUE_METADATA = 9;
    private static final int METADATA_PLUGIN = 1;
    private static final int PLUGIN_NAME = 1;
    private static final int TENSOR_TYPE = 1;
    private static final int TENSOR_SHAPE = 2;
    private static final int TENSOR_STRINGS = 8;
    private static final int TYPE_STRING = 7;
    private static final int SHAPE_DIMENSION = 2;
    private static final int DIMENSION_SIZE = 1;

    private final Path file;
    private final OutputStream out;
    private boolean closed;

    private EventWriter(Path file, OutputStream out) {
        this.file = file;
        this.out = out;
    }

    /** Creates an event file whose name has the host {@code edl}; see {@link #create(Path, Instant, String)}. */
    public static EventWriter create(Path directory, Instant start) throws IOException {
        return create(directory, start, "edl");
    }

    /**
     * Creates a file {@code events.out.tfevents.<seconds>.<host>} in a directory, which is created if missing.
     *
     * <p>If the file already exists, a number is appended to the name.
     *
     * @param start time of the run's start, which the file's name and the first event contain
     * @param host name of the writing host: letters, digits, dots, dashes and underscores
     */
    public static EventWriter create(Path directory, Instant start, String host) throws IOException {
        if (!host.matches("[A-Za-z0-9._-]+")) {
            throw new IllegalArgumentException(
                    "the host must be of letters, digits, dots, dashes and underscores, for example \"edl\", was \""
                            + host + "\"");
        }
        Files.createDirectories(directory);
        String name = String.format(Locale.ROOT, "events.out.tfevents.%010d.%s", start.getEpochSecond(), host);
        Path file = newFile(directory, name);
        EventWriter writer = new EventWriter(file, Files.newOutputStream(file));
        try {
            writer.write(at(start).string(EVENT_FILE_VERSION, "brain.Event:2"));
            return writer;
        } catch (IOException e) {
            writer.close();
            throw e;
        }
    }

    private static Path newFile(Path directory, String name) throws IOException {
        Path file = directory.resolve(name);
        for (int i = 1; i < MOST_FILES_A_SECOND; i++) {
            try {
                return Files.createFile(file);
            } catch (FileAlreadyExistsException e) {
                file = directory.resolve(name + "." + i);
            }
        }
        throw new IOException(directory.resolve(name) + ": there are " + MOST_FILES_A_SECOND
                + " files of this name already; use another directory");
    }

    /** Returns the path of the event file. */
    public Path file() {
        return file;
    }

    /**
     * Adds a number to the plot of a tag.
     *
     * @param tag name of the plot; the part before a slash is its group, for example {@code train/loss}
     * @param step the position on the horizontal axis, from 0
     * @param value any float; TensorBoard marks NaN and infinities
     * @param time time of the measurement
     * @throws IOException when the file cannot be written or the writer is closed
     */
    public void scalar(String tag, long step, float value, Instant time) throws IOException {
        ProtoWriter number = new ProtoWriter().string(VALUE_TAG, tag).float32(VALUE_SIMPLE, value);
        summary(step, number, time);
    }

    /**
     * Adds a text, shown as Markdown.
     *
     * @see #scalar(String, long, float, Instant)
     */
    public void text(String tag, long step, String markdown, Instant time) throws IOException {
        ProtoWriter shape = new ProtoWriter().message(SHAPE_DIMENSION, new ProtoWriter().int64(DIMENSION_SIZE, 1));
        ProtoWriter tensor = new ProtoWriter()
                .int64(TENSOR_TYPE, TYPE_STRING)
                .message(TENSOR_SHAPE, shape)
                .string(TENSOR_STRINGS, markdown);
        ProtoWriter plugin = new ProtoWriter().string(PLUGIN_NAME, "text");
        ProtoWriter text = new ProtoWriter()
                .string(VALUE_TAG, tag)
                .message(VALUE_TENSOR, tensor)
                .message(VALUE_METADATA, new ProtoWriter().message(METADATA_PLUGIN, plugin));
        summary(step, text, time);
    }

    /** Closes the file. */
    @Override
    public synchronized void close() throws IOException {
        closed = true;
        out.close();
    }

    /** Returns, for example, {@code EventWriter[out/events.out.tfevents.1767225600.edl]}. */
    @Override
    public String toString() {
        return "EventWriter[" + file + "]";
    }

    private void summary(long step, ProtoWriter value, Instant time) throws IOException {
        if (step < 0) {
            throw new IllegalArgumentException("the step must be at least 0, was " + step);
        }
        write(at(time).int64(EVENT_STEP, step).message(EVENT_SUMMARY, new ProtoWriter().message(SUMMARY_VALUE, value)));
    }

    private static ProtoWriter at(Instant time) {
        return new ProtoWriter().float64(EVENT_WALL_TIME, time.getEpochSecond() + time.getNano() / 1e9);
    }

    private synchronized void write(ProtoWriter event) throws IOException {
        if (closed) {
            throw new IOException(file + ": the event writer is closed");
        }
        byte[] record = TfRecordFrame.of(event.toByteArray());
        try {
            out.write(record);
        } catch (IOException e) {
            throw new IOException(file + ": cannot write an event: " + e.getMessage(), e);
        }
    }
}
