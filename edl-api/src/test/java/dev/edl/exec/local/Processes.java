package dev.edl.exec.local;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Waits for processes and finds them. */
final class Processes {
    private Processes() {}

    static void awaitGone(long pid) throws Exception {
        ProcessHandle process = ProcessHandle.of(pid).orElse(null);
        if (process != null) {
            process.onExit().get(30, TimeUnit.SECONDS);
        }
    }

    /** Returns the processes with the mark of a JVM's executors in their environment. */
    static List<Long> marked(long jvm) {
        return ProcessHandle.allProcesses()
                .map(ProcessHandle::pid)
                .filter(pid -> environment(pid).contains(ProcessSupervisor.MARK + "=" + jvm + "-"))
                .toList();
    }

    private static String environment(long pid) {
        try {
            return Files.readString(Path.of("/proc/" + pid + "/environ"), StandardCharsets.ISO_8859_1);
        } catch (IOException gone) {
            // It has ended meanwhile, or belongs to another user.
            return "";
        }
    }
}
