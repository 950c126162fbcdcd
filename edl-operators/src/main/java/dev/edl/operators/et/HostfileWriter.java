package dev.edl.operators.et;

import dev.edl.env.HorovodHosts;
import dev.edl.exec.JobLostException;
import dev.edl.k8s.exec.ExecException;
import dev.edl.k8s.exec.ExecException.Reason;
import dev.edl.k8s.exec.PodCommand;
import dev.edl.k8s.exec.PodResult;
import dev.edl.k8s.spi.JobPods;
import dev.edl.operators.crd.et.AttachedWorkers;
import dev.edl.plan.JobPlan;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Writes the hosts of a launcher to two places: the ConfigMap {@code NAME-config}, which a relaunched launcher mounts,
 * and the files that the running launcher reads. The ConfigMap has the mark of the job's driver, so that a replaced
 * driver cannot write. Not thread-safe.
 */
final class HostfileWriter {
    private static final String HOSTS = "hostfile";
    private static final String DEEPSPEED = "deepspeed-hostfile";
    private static final String DRIVER = "edl.dev/driver";
    private static final String SCALING = "edl.dev/scaling";
    private static final String LEAVING = "edl.dev/leaving";
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final int TRIES = 10;

    /**
     * Shell script that replaces the launcher's hosts file atomically from standard input, whose length in bytes is
     * {@code $1}. It writes a temporary file and renames it once it is complete. If DeepSpeed's directory {@code /job}
     * exists, the script also writes the hosts in DeepSpeed's format.
     */
    static final String WRITE = "umask 077; head -c $1 >/etc/edl/.hostfile"
            + " && [ $(wc -c </etc/edl/.hostfile) -eq $1 ] && mv /etc/edl/.hostfile /etc/edl/hostfile"
            + " && { [ ! -d /job ] || { sed 's/:\\([0-9]*\\)$/ slots=\\1/' /etc/edl/hostfile >/job/.hostfile"
            + " && mv /job/.hostfile /job/hostfile; }; }";

    /**
     * Shell script that prints the command line of each process in the launcher; it needs no {@code ps}, which some
     * images lack.
     */
    static final String PROCESSES = "for f in /proc/[0-9]*/cmdline; do tr '\\000' ' ' <\"$f\" 2>/dev/null; echo; done";

    private final KubernetesClient client;
    private final JobPlan plan;
    private final String driver;
    private final JobPods pods;
    private @Nullable ConfigMap latest;

    HostfileWriter(JobPods pods) {
        this.client = pods.client();
        this.plan = pods.plan();
        this.driver = pods.driverToken();
        this.pods = pods;
    }

    /** Returns the hosts that are persisted in the ConfigMap. */
    HorovodHosts kept() {
        return HorovodHosts.parse(
                Optional.ofNullable(map().getData()).orElse(Map.of()).getOrDefault(HOSTS, ""));
    }

    /** Returns the persisted state of the users' scaling requests; empty when none is persisted. */
    Optional<String> scaling() {
        return note(SCALING);
    }

    void keepScaling(String text) {
        keep(SCALING, text);
    }

    /** Returns the persisted state of moving workers off nodes; empty when none is persisted. */
    Optional<String> leaving() {
        return note(LEAVING);
    }

    void keepLeaving(String text) {
        keep(LEAVING, text);
    }

    private Optional<String> note(String key) {
        return Optional.ofNullable(map().getMetadata().getAnnotations()).map(notes -> notes.get(key));
    }

    private void keep(String key, String text) {
        save(map -> map.editMetadata().addToAnnotations(key, text).endMetadata());
    }

    /**
     * Persists the hosts in the ConfigMap, for later launchers, and then writes them into the running launcher's pod.
     */
    void write(String launcher, HorovodHosts hosts) throws InterruptedException {
        String lines = hosts.lines();
        save(map -> map.addToData(HOSTS, lines).addToData(DEEPSPEED, hosts.hostfile()));
        int bytes = lines.getBytes(StandardCharsets.UTF_8).length;
        PodCommand command = PodCommand.of("sh", "-c", WRITE, "hosts", Integer.toString(bytes))
                .limit(LIMIT);
        succeed(launcher, bytes == 0 ? command : command.input(lines));
    }

    /** Returns the names of the hosts on which the launcher has a process. */
    Set<String> attached(String launcher) throws InterruptedException {
        return AttachedWorkers.in(succeed(
                        launcher,
                        PodCommand.of("sh", "-c", PROCESSES).limit(LIMIT).keep(8 << 20))
                .out());
    }

    private PodResult succeed(String launcher, PodCommand command) throws InterruptedException {
        PodResult result = pods.exec(launcher, command);
        if (!result.succeeded() || result.dropped() > 0) {
            throw new ExecException(Reason.NOT_STARTED, "\"" + command + "\" in pod " + launcher + ": " + result, null);
        }
        return result;
    }

    private interface Change {
        ConfigMapBuilder of(ConfigMapBuilder map);
    }

    private ConfigMap map() {
        ConfigMap map = latest;
        return map == null ? save(same -> same) : map;
    }

    /**
     * Applies a change to the ConfigMap and marks it as written by this program's driver; retries after a conflict with
     * another write.
     */
    private ConfigMap save(Change change) {
        boolean sure = latest == null;
        for (int attempt = 1; ; attempt++) {
            ConfigMap before = latest == null ? read() : latest;
            ConfigMap after = change.of(new ConfigMapBuilder(before)
                            .editMetadata()
                            .addToAnnotations(DRIVER, driver)
                            .endMetadata())
                    .build();
            if (after.equals(before)) {
                if (sure) {
                    latest = before;
                    return before;
                }
                // Nothing is written, so no conflict would reveal another driver.
                refresh();
                sure = true;
                continue;
            }
            try {
                latest = client.resource(after)
                        .lockResourceVersion(before.getMetadata().getResourceVersion())
                        .update();
                return latest;
            } catch (KubernetesClientException e) {
                if (e.getCode() != HttpURLConnection.HTTP_CONFLICT || attempt == TRIES) {
                    throw e;
                }
                refresh();
            }
        }
    }

    /**
     * Reads the ConfigMap again after a conflict, for example when a user has added a label. Throws JobLostException if
     * another driver has marked it.
     */
    private void refresh() {
        if (latest == null) {
            return;
        }
        ConfigMap now = read();
        String mark = Optional.ofNullable(now.getMetadata().getAnnotations())
                .map(notes -> notes.get(DRIVER))
                .orElse(driver);
        if (!mark.equals(driver)) {
            throw new JobLostException("another program drives it now, " + mark);
        }
        latest = now;
    }

    private ConfigMap read() {
        String name = plan.name() + "-config";
        ConfigMap found =
                client.configMaps().inNamespace(plan.namespace()).withName(name).get();
        if (found == null) {
            throw new JobLostException("ConfigMap " + name + " was deleted, and with it the launcher's hosts");
        }
        return found;
    }
}
