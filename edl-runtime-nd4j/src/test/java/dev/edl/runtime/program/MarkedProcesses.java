package dev.edl.runtime.program;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Processes of this machine that have a text in their environment. */
final class MarkedProcesses {
    private MarkedProcesses() {}

    static List<ProcessHandle> of(Path folder) {
        return ProcessHandle.allProcesses()
                .filter(process -> environment(process.pid()).contains(Doom.FOLDER + "=" + folder + "\0"))
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
