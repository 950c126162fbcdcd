package dev.edl.k8s.crd.internal;

import dev.edl.spec.RoleTemplate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads the container that trains. */
final class ContainerReader {
    static final List<String> CONTAINER = List.of(
            "name",
            "image",
            "command",
            "args",
            "env",
            "envFrom",
            "ports",
            "resources",
            "volumeMounts",
            "volumeDevices",
            "workingDir",
            "imagePullPolicy",
            "lifecycle",
            "livenessProbe",
            "readinessProbe",
            "startupProbe",
            "resizePolicy",
            "restartPolicy",
            "restartPolicyRules",
            "securityContext",
            "stdin",
            "stdinOnce",
            "tty",
            "terminationMessagePath",
            "terminationMessagePolicy");

    private static final List<String> HANDLED =
            List.of("name", "image", "command", "args", "env", "ports", "resources", "volumeMounts");
    private static final List<String> ENV = List.of("name", "value", "valueFrom");
    private static final List<String> PORT = List.of("name", "containerPort", "hostPort", "hostIP", "protocol");
    private static final String CONTAINER_ONLY = "a job says image, command, arguments, environment, resources,"
            + " volumes and port of a container, and no more";

    private final PodForm form;
    private final RoleTemplate.Builder role;

    ContainerReader(PodForm form, RoleTemplate.Builder role) {
        this.form = form;
        this.role = role;
    }

    void read(Fields container, VolumeReader volumes) {
        container.text("name");
        container.filled("image").ifPresent(role::image);
        role.command(container.words("command"));
        role.args(container.words("args"));
        role.env(env(container));
        ports(container);
        ResourcesReader.read(container, role);
        role.volumes(volumes.mounted(container));
        container.loseAllBut(HANDLED, CONTAINER_ONLY);
    }

    private Map<String, String> env(Fields container) {
        Map<String, Fields> last = new LinkedHashMap<>();
        for (Fields entry : container.items("env", ENV)) {
            String name = entry.filled("name").orElse("");
            if (name.isEmpty()) {
                entry.wrong("name", "is missing; for example name: BATCH_SIZE");
                continue;
            }
            Fields before = last.put(name, entry);
            if (before != null) {
                lose(before, "it is given twice, and the last one counts");
            }
        }
        Map<String, String> env = new LinkedHashMap<>();
        last.forEach((name, entry) -> {
            if (form.overwritten().test(name)) {
                lose(entry, "the operator overwrites it");
            } else if (entry.has("valueFrom")) {
                lose(entry, "a job's environment holds values, and no references");
            } else {
                env.put(name, entry.text("value").orElse(""));
            }
        });
        return env;
    }

    private static void lose(Fields entry, String why) {
        entry.report().loss(entry.path(), entry.content(), why);
    }

    private void ports(Fields container) {
        for (Fields port : container.items("ports", PORT)) {
            if (form.portName().filter(name -> name.equals(port.raw("name"))).isPresent()) {
                port.whole("containerPort", role::port);
                port.loseUnless("protocol", "TCP", "a job's ports are TCP");
                port.lose("a job's ports are those of its replicas", "hostPort", "hostIP");
            } else {
                port.report()
                        .loss(
                                port.path(),
                                port.content(),
                                "a role of a job has one port"
                                        + form.portName()
                                                .map(name -> ", here the one named " + name)
                                                .orElse(", which is not said here"));
            }
        }
    }

    static List<String> and(List<String> some, String... more) {
        List<String> all = new ArrayList<>(some);
        all.addAll(List.of(more));
        return all;
    }
}
