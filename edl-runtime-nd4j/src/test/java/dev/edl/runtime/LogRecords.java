package dev.edl.runtime;

import dev.edl.runtime.inprocess.Waits;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Collects the log records of a class while it is open, and prints none. */
public final class LogRecords extends Handler implements AutoCloseable {
    private final Logger logger;
    private final List<LogRecord> records = new CopyOnWriteArrayList<>();
    private final CountDownLatch any = new CountDownLatch(1);

    public LogRecords(Class<?> of) {
        logger = Logger.getLogger(of.getName());
        logger.addHandler(this);
        logger.setUseParentHandlers(false);
    }

    public List<LogRecord> records() {
        return records;
    }

    /** Waits for the first one, at most thirty seconds. */
    public LogRecord first() {
        Waits.on(any);
        return records.get(0);
    }

    @Override
    public void publish(LogRecord entry) {
        records.add(entry);
        any.countDown();
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        logger.removeHandler(this);
        logger.setUseParentHandlers(true);
    }
}
