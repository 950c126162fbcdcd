import dev.edl.Job;
import dev.edl.env.HorovodHosts;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Writes the hosts of an elastic job as EDL does, while its workers change: {@code Hosts FILE}, where FILE is what the
 * discovery script reads. What HostManager must make of each change is Horovod's own code for it.
 */
final class Hosts {
    private static final int NONE = 0;
    private static final int REMOVED = 1;
    private static final int ADDED = 2;

    private Hosts() {}

    public static void main(String[] args) {
        List<String> steps = new ArrayList<>();
        steps.add(step(args[0], "at the start", 2, ADDED));
        steps.add(step(args[0], "without a change", 2, NONE));
        steps.add(step(args[0], "after the scale-in", 1, REMOVED));
        steps.add(step(args[0], "after the scale-out", 3, ADDED));
        System.out.println("[" + String.join(",", steps) + "]");
    }

    private static String step(String file, String what, int workers, int update) {
        Job job = Job.named("mnist")
                .horovod()
                .launcher(launcher -> {})
                .workers(workers, role -> role.elastic(1, 4).gpu(2))
                .build();
        HorovodHosts hosts = HorovodHosts.of(job.plan());
        String list = hosts.hosts().stream()
                .map(host -> "{\"name\":\"" + host.name() + "\",\"slots\":" + host.slots() + "}")
                .collect(Collectors.joining(",", "[", "]"));
        return "{\"what\":" + json(what) + ",\"update\":" + update + ",\"hosts\":" + list
                + ",\"follows\":" + json(HorovodHosts.script(file)) + ",\"lines\":" + json(hosts.lines())
                + ",\"script\":" + json(hosts.script()) + ",\"hostfile\":" + json(hosts.hostfile())
                + ",\"argument\":" + json(hosts.argument()) + "}";
    }

    private static String json(String text) {
        return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + "\"";
    }
}
