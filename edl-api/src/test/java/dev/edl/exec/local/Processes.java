package dev.edl.exec.local;

import java.util.concurrent.TimeUnit;

/** Processes that are waited for, by their ids. */
final class Processes {
    private Processes() {}

    static void awaitGone(long pid) throws Exception {
        ProcessHandle process = ProcessHandle.of(pid).orElse(null);
        if (process != null) {
            process.onExit().get(30, TimeUnit.SECONDS);
        }
    }
}
