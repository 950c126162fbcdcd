package dev.edl.internal.job;

import dev.edl.internal.text.DataNode;
import dev.edl.internal.text.MessageText;
import dev.edl.spec.Backoff;
import dev.edl.spec.Framework;
import dev.edl.spec.JobSpec;
import dev.edl.spec.Resources;
import dev.edl.spec.RoleSpec;
import dev.edl.spec.RoleTemplate;
import dev.edl.spec.RunPolicy;
import dev.edl.spec.Volume;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Converts a job to the tree of its JSON or YAML. Omits default values, as a handwritten file does. */
public final class JobWriter {
    private JobWriter() {}

    public static DataNode.Mapping write(JobSpec spec) {
        Tree job = new Tree().text("name", spec.name());
        if (!spec.namespace().equals("default")) {
            job.text("namespace", spec.namespace());
        }
        if (spec.framework() != Framework.ELASTICDL) {
            job.text("framework", spec.framework().id());
        }
        spec.frameworkVersion().ifPresent(version -> job.text("frameworkVersion", version));
        spec.runId().ifPresent(id -> job.text("runId", id));
        job.texts("labels", spec.labels()).texts("annotations", spec.annotations());
        policy(job, spec.policy());
        Tree defaults = new Tree();
        template(defaults, spec.defaults());
        job.fields("defaults", defaults);
        Tree roles = new Tree();
        spec.roles().forEach(role -> roles.put(role.type().id(), role(role)));
        return job.put("roles", roles.node()).node();
    }

    private static void policy(Tree job, RunPolicy policy) {
        policy.success().ifPresent(success -> job.text("success", MessageText.word(success)));
        if (policy.cleanup() != RunPolicy.defaults().cleanup()) {
            job.text("cleanup", MessageText.word(policy.cleanup()));
        }
        policy.ttl().ifPresent(ttl -> job.text("ttl", ttl.toString()));
        policy.deadline().ifPresent(deadline -> job.text("deadline", deadline.toString()));
        Backoff backoff = policy.backoff();
        if (!backoff.equals(Backoff.NONE)) {
            job.fields(
                    "backoff",
                    new Tree()
                            .text("initial", backoff.initial().toString())
                            .put("factor", new DataNode.Numeral(MessageText.decimal(backoff.factor())))
                            .text("max", backoff.max().toString()));
        }
    }

    private static DataNode role(RoleSpec role) {
        Tree fields = new Tree();
        if (!role.type().single()) {
            fields.put("replicas", DataNode.Numeral.of(role.replicas()));
        }
        role.elastic()
                .ifPresent(bounds -> fields.fields(
                        "elastic",
                        new Tree()
                                .put("min", DataNode.Numeral.of(bounds.min()))
                                .put("max", DataNode.Numeral.of(bounds.max()))));
        template(fields, role.template());
        return fields.node();
    }

    private static void template(Tree fields, RoleTemplate template) {
        template.image().ifPresent(image -> fields.text("image", image));
        words(fields, "command", template.command());
        words(fields, "args", template.args());
        fields.texts("env", template.env());
        Tree secrets = new Tree();
        template.secretEnv().forEach((name, ref) -> secrets.text(name, ref.toString()));
        fields.fields("secretEnv", secrets);
        template.requests().ifPresent(requests -> resources(fields, "requests", requests));
        template.limits().ifPresent(limits -> resources(fields, "limits", limits));
        template.priority()
                .ifPresent(priority -> fields.put(
                        "priority",
                        priority.toString().matches("[\\d.]+")
                                ? new DataNode.Numeral(priority.toString())
                                : new DataNode.Text(priority.toString())));
        if (!template.volumes().isEmpty()) {
            fields.put(
                    "volumes",
                    new DataNode.Sequence(
                            template.volumes().stream().map(JobWriter::volume).toList()));
        }
        template.port().ifPresent(port -> fields.put("port", DataNode.Numeral.of(port)));
        template.restart().ifPresent(restart -> fields.text("restart", MessageText.word(restart)));
        template.exitCodes()
                .ifPresent(codes -> fields.put(
                        "exitCodes",
                        new Tree()
                                .numbers("free", codes.free())
                                .numbers("fatal", codes.fatal())
                                .numbers("temporary", codes.temporary())
                                .node()));
        template.relaunchLimit().ifPresent(limit -> fields.put("relaunchLimit", DataNode.Numeral.of(limit)));
    }

    private static void words(Tree fields, String key, List<String> words) {
        if (!words.isEmpty()) {
            fields.put(
                    key,
                    new DataNode.Sequence(
                            words.stream().<DataNode>map(DataNode.Text::new).toList()));
        }
    }

    private static void resources(Tree fields, String key, Resources resources) {
        if (resources.amounts().isEmpty()) {
            fields.put(key, new DataNode.Mapping(Map.of()));
        } else {
            fields.text(key, resources.toString());
        }
    }

    private static DataNode volume(Volume volume) {
        Tree fields = new Tree().text("mountPath", volume.mountPath());
        volume.claimName().ifPresent(name -> fields.text("claimName", name));
        volume.hostPath().ifPresent(path -> fields.text("hostPath", path));
        volume.image().ifPresent(image -> fields.text("image", image));
        volume.type().ifPresent(type -> fields.text("type", type));
        volume.subPath().ifPresent(path -> fields.text("subPath", path));
        if (volume.readOnly()) {
            fields.put("readOnly", new DataNode.BooleanValue(true));
        }
        return fields.node();
    }

    /**
     * Fields of one mapping in the order in which they are written. Leaves out a field whose value is an empty map.
     */
    private static final class Tree {
        private final Map<String, DataNode> nodes = new LinkedHashMap<>();

        Tree put(String key, DataNode node) {
            nodes.put(key, node);
            return this;
        }

        Tree text(String key, String text) {
            return put(key, new DataNode.Text(text));
        }

        Tree fields(String key, Tree tree) {
            return tree.nodes.isEmpty() ? this : put(key, tree.node());
        }

        Tree texts(String key, Map<String, String> texts) {
            Tree tree = new Tree();
            texts.forEach(tree::text);
            return fields(key, tree);
        }

        Tree numbers(String key, Iterable<Integer> numbers) {
            List<DataNode> items = new ArrayList<>();
            numbers.forEach(number -> items.add(DataNode.Numeral.of(number)));
            return items.isEmpty() ? this : put(key, new DataNode.Sequence(items));
        }

        DataNode.Mapping node() {
            return new DataNode.Mapping(nodes);
        }
    }
}
