package dev.edl.runtime.inprocess;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Collects the warnings of one class, in place of the console, until it is closed. */
public final class LoggedWarnings extends Handler implements AutoCloseable {
    private final List<String> lines = Collections.synchronizedList(new ArrayList<>());
    /** Referenced, because the JDK's registry holds loggers weakly. */
    private final Logger logger;

    /** Collects the warnings that a class logs from now on. */
    public LoggedWarnings(Class<?> type) {
        this(type.getName());
    }

    /** Collects the warnings of a class that the test cannot access. */
    public LoggedWarnings(String type) {
        this.logger = Logger.getLogger(type);
        logger.addHandler(this);
        logger.setUseParentHandlers(false);
    }

    /** Returns the warnings so far. */
    public List<String> lines() {
        return List.copyOf(lines);
    }

    @Override
    public void publish(LogRecord line) {
        if (line.getLevel().intValue() >= Level.WARNING.intValue()) {
            lines.add(line.getMessage());
        }
    }

    @Override
    public void flush() {
        // Lines are in memory.
    }

    @Override
    public void close() {
        logger.setUseParentHandlers(true);
        logger.removeHandler(this);
    }
}
