package dev.edl.exec.local;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Shell, tools and environment variables of this machine, with which replicas are started. */
final class HostEnvironment {
    private static final String DEFAULT_PATH = "/usr/local/bin:/usr/bin:/bin";
    private static final List<String> TOOLS = List.of("awk", "cat", "grep", "sleep");

    private final Map<String, String> environment;

    private HostEnvironment(Map<String, String> environment) {
        this.environment = Map.copyOf(environment);
    }

    /**
     * Returns the environment of a machine.
     *
     * @param os the operating system's name, as in the system property {@code os.name}
     * @param environment the variables of this JVM
     * @throws UnsupportedOperationException on Windows
     */
    static HostEnvironment of(String os, Map<String, String> environment) {
        if (os.startsWith("Windows")) {
            throw new UnsupportedOperationException("jobs run as local processes on Linux and macOS, this is " + os
                    + ": Windows has neither their signals nor their sessions; run this program in the Windows"
                    + " Subsystem for Linux");
        }
        return new HostEnvironment(environment);
    }

    /** Returns the environment of the machine on which this JVM runs. */
    static HostEnvironment here() {
        return of(System.getProperty("os.name"), System.getenv());
    }

    /** Returns the variables of this JVM. */
    Map<String, String> environment() {
        return environment;
    }

    String path() {
        return environment.getOrDefault("PATH", DEFAULT_PATH);
    }

    /**
     * Returns the supervisor that starts and ends programs with this machine's tools.
     *
     * @throws UnsupportedOperationException when a tool is missing
     */
    ProcessSupervisor supervisor() {
        String tools = path() + ":" + DEFAULT_PATH;
        for (String tool : TOOLS) {
            if (ExecutableLookup.find(tool, tools).isEmpty()) {
                throw new UnsupportedOperationException("local processes need the tools " + String.join(", ", TOOLS)
                        + " on the PATH; there is no " + tool + " on " + tools);
            }
        }
        Optional<Path> setsid = ExecutableLookup.find("setsid", tools);
        if (setsid.isPresent()) {
            return new ProcessSupervisor(List.of(setsid.get().toString()), tools);
        }
        Path perl = ExecutableLookup.find("perl", tools)
                .orElseThrow(() -> new UnsupportedOperationException("local processes need setsid (of util-linux) or"
                        + " perl, which starts a session for each of them; neither is on the PATH "
                        + tools));
        // macOS has perl, but no setsid.
        return new ProcessSupervisor(
                List.of(perl.toString(), "-MPOSIX", "-e", "POSIX::setsid(); exec { $ARGV[0] } @ARGV"), tools);
    }
}
