package dev.edl.operators.crd.et;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * On which workers the launcher still holds a process. Horovod starts a worker's processes by {@code ssh} or by the operator's
 * {@code kubexec.sh}, whose own process in the launcher lives as long as they do. Names count as whole words, so that
 * {@code worker-10} is not taken for {@code worker-1}.
 */
public final class AttachedWorkers {
    // ssh's options that take a word may stand before the host
    private static final Pattern ATTACHED = Pattern.compile(
            "(?:^|[\\s/])(?:ssh(?:\\s+-[oplFi]\\s*\\S+)*|kubexec\\.sh)\\s+([a-z0-9][a-z0-9.-]*)(?=\\s|$)");

    private AttachedWorkers() {}

    /**
     * Reads what {@code ps -ef} printed in the launcher.
     *
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
