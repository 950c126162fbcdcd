package dev.edl.operators.crd.et;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds the workers on which the launcher still has a process. Horovod starts a worker's processes by {@code ssh} or by
 * the operator's {@code kubexec.sh}, whose own process in the launcher lives as long as the worker's processes. EDL's
 * {@code kubexec.sh} replaces its process by that of {@code kubectl exec}. Host names are whole words of a command line,
 * so a process of {@code worker-10} does not count for {@code worker-1}.
 */
public final class AttachedWorkers {
    // Options of ssh with a value may precede the host.
    private static final Pattern ATTACHED = Pattern.compile(
            "(?:^|[\\s/])(?:ssh(?:\\s+-[oplFi]\\s*\\S+)*|kubexec\\.sh|kubectl\\s+exec)\\s+([a-z0-9][a-z0-9.-]*)(?=\\s|$)");

    private AttachedWorkers() {}

    /**
     * Returns the hosts to which processes of the launcher are connected.
     *
     * @param processes output of {@code ps -ef} in the launcher
     * @return the names of hosts, in the order of their processes
     */
    public static Set<String> in(String processes) {
        Set<String> hosts = new LinkedHashSet<>();
        Matcher matcher = ATTACHED.matcher("");
        processes.lines().forEach(line -> {
            matcher.reset(line);
            while (matcher.find()) {
                hosts.add(matcher.group(1));
            }
        });
        return hosts;
    }
}
