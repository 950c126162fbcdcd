package dev.edl;

import dev.edl.internal.text.ResourceAmountText;
import dev.edl.spec.ExitCodePolicy;
import dev.edl.spec.Priority;
import dev.edl.spec.Resources;
import dev.edl.spec.RestartPolicy;
import dev.edl.spec.SecretRef;
import dev.edl.spec.Volume;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Settings of one role's replicas, or defaults for all roles.
 *
 * <p>If a single value is repeated, the last one counts. Environment variables and resources are merged by name.
 * Volumes accumulate. A role's own settings are merged over the job's defaults by the same rules.
 *
 * <p>No method here throws for a wrong value. The builder records each mistake, and {@link JobBuilder#build} reports
 * all of them. Not safe for use by several threads.
 *
 * @param <S> type of this scope, which each method returns
 */
public abstract sealed class RoleScope<S extends RoleScope<S>> permits JobBuilder, RoleBuilder {
    RoleScope() {}

    /** Returns the draft that receives the settings. */
    abstract RoleDraft draft();

    /**
     * Records a mistake.
     *
     * @param line path of the wrong setting, and what is wrong with it
     */
    abstract void mistake(String line);

    abstract S self();

    /**
     * Sets the container image.
     *
     * @param image name of the image, not empty and without spaces: {@code registry.example/acme/mnist:1}
     */
    public S image(String image) {
        return set("image", image, () -> draft().image = image);
    }

    /**
     * Sets the entry point, replacing that of the image.
     *
     * @param words program and its first arguments, at least one word, such as {@code "python", "train.py"}
     */
    public S command(String... words) {
        return words("command", words, list -> draft().command = list);
    }

    /**
     * Sets the arguments of the entry point.
     *
     * @param words arguments, at least one
     */
    public S args(String... words) {
        return words("args", words, list -> draft().args = list);
    }

    /**
     * Adds an environment variable; replaces an earlier one with the same name.
     *
     * @param name name of the variable, a C identifier
     * @param value value of the variable, any text without NUL
     */
    public S env(String name, String value) {
        return set(
                "env",
                name,
                () -> set("env." + name, value, () -> {
                    draft().secretEnv.remove(name);
                    draft().env.put(name, value);
                }));
    }

    /**
     * Adds an environment variable whose value comes from a Secret; replaces an earlier one with the same name. The
     * job, its YAML and its plan hold only the reference. {@link dev.edl.exec.local.LocalExecutor} reads the value from
     * a file or from its own environment; see {@code LocalExecutorBuilder.secretsIn}.
     *
     * @param name name of the variable, a C identifier
     * @param secret the Secret's name, such as {@code s3}
     * @param key the entry within the Secret, such as {@code secret}
     */
    public S secretEnv(String name, String secret, String key) {
        return set(
                "secretEnv",
                name,
                () -> set(
                        "secretEnv." + name,
                        secret,
                        () -> set(
                                "secretEnv." + name,
                                key,
                                () -> read("secretEnv." + name, () -> new SecretRef(secret, key), ref -> {
                                    draft().env.remove(name);
                                    draft().secretEnv.put(name, ref);
                                }))));
    }

    /**
     * Replaces the environment variables of this scope. A role still inherits those of the job's defaults.
     *
     * @param variables values of the variables, by name. They are set in the order of their names, because the
     *     iteration order of a map may vary between runs; where the order matters, use {@link #env(String, String)}
     */
    public S env(Map<String, String> variables) {
        return set("env", variables, () -> {
            draft().env = new LinkedHashMap<>();
            variables.entrySet().stream()
                    .sorted(Comparator.comparing(entry -> String.valueOf(entry.getKey())))
                    .forEach(entry -> env(entry.getKey(), entry.getValue()));
        });
    }

    /**
     * Requests resources; keeps earlier amounts of other resources.
     *
     * @param resources text in ElasticDL's grammar, such as {@code cpu=2,memory=2048Mi}, see {@link Resources}
     */
    public S request(String resources) {
        return set(
                "requests",
                resources,
                () -> request(new Resources(ResourceAmountText.parse(resources, told("requests")))));
    }

    /** Requests resources; keeps earlier amounts of other resources. */
    public S request(Resources resources) {
        return set("requests", resources, () -> draft().requests = laidOver(draft().requests, resources));
    }

    /**
     * Limits resources; keeps earlier limits of other resources. A resource without a limit is limited to its request.
     * For cpu, memory and storage, a request of 0 sets no limit.
     *
     * @param resources text in ElasticDL's grammar, such as {@code cpu=2,memory=2048Mi}, see {@link Resources}
     */
    public S limit(String resources) {
        return set(
                "limits", resources, () -> limit(new Resources(ResourceAmountText.parse(resources, told("limits")))));
    }

    /** Limits resources; keeps earlier limits of other resources. */
    public S limit(Resources resources) {
        return set("limits", resources, () -> draft().limits = laidOver(draft().limits, resources));
    }

    /**
     * Requests CPU.
     *
     * @param cores number of cores, at least 0; rounded up to thousandths
     */
    public S cpu(double cores) {
        return read("requests", () -> Resources.of().cpu(cores), this::request);
    }

    /**
     * Requests memory.
     *
     * @param amount number of bytes, with an optional suffix, such as {@code 2048Mi}
     */
    public S memory(String amount) {
        return set(
                "requests", amount, () -> read("requests", () -> Resources.of().memory(amount), this::request));
    }

    /**
     * Requests ephemeral storage.
     *
     * @param amount number of bytes, with an optional suffix, such as {@code 10Gi}
     */
    public S disk(String amount) {
        return set(
                "requests", amount, () -> read("requests", () -> Resources.of().disk(amount), this::request));
    }

    /**
     * Requests NVIDIA GPUs.
     *
     * @param count number of GPUs, at least 0
     */
    public S gpu(int count) {
        return read("requests", () -> Resources.of().gpu(count), this::request);
    }

    /**
     * Requests another extended resource.
     *
     * @param name name of the extended resource, such as {@code amd.com/gpu}
     * @param count number of devices, at least 0
     */
    public S gpu(String name, int count) {
        return set("requests", name, () -> read("requests", () -> Resources.of().gpu(name, count), this::request));
    }

    /** Sets the priority class. */
    public S priority(Priority priority) {
        return set("priority", priority, () -> draft().priority = priority);
    }

    /**
     * Sets the priority class.
     *
     * @param priority a class name or, for workers, a fraction: {@code low}, {@code 0.5} or {@code high=0.5}
     */
    public S priority(String priority) {
        return set("priority", priority, () -> read("priority", () -> Priority.parse(priority), this::priority));
    }

    /**
     * Adds volumes.
     *
     * @param volumes text in ElasticDL's grammar, such as {@code mount_path=/data,claim_name=fileserver-claim}, see
     *     {@link Volume#parse}
     */
    public S volume(String volumes) {
        return set(
                "volumes", volumes, () -> Volume.parse(volumes, told("volumes")).forEach(this::volume));
    }

    /** Adds a volume. */
    public S volume(Volume volume) {
        return set("volumes", volume, () -> draft().volumes.add(volume));
    }

    /** Replaces the volumes of this scope. A role still inherits those of the job's defaults. */
    public S volumes(List<Volume> volumes) {
        return set("volumes", volumes, () -> {
            draft().volumes = new ArrayList<>();
            volumes.forEach(this::volume);
        });
    }

    /**
     * Sets the port that the replicas listen on.
     *
     * @param port number of the port, 1 to 65535
     */
    public S port(int port) {
        draft().port = port;
        return self();
    }

    /** Sets the policy for relaunching an ended replica; by default {@link RestartPolicy#ON_FAILURE}. */
    public S restart(RestartPolicy policy) {
        return set("restart", policy, () -> draft().restart = policy);
    }

    /**
     * Sets how exit codes affect the relaunch; by default {@link ExitCodePolicy#ELASTICDL}: 137 free, 70 fatal, 75
     * and 143 temporary.
     */
    public S exitCodes(ExitCodePolicy policy) {
        return set("exitCodes", policy, () -> draft().exitCodes = policy);
    }

    /**
     * Sets how many relaunches a replica and its successors may spend; by default 1.
     *
     * @param relaunches number of relaunches, at least 0
     */
    public S relaunchLimit(int relaunches) {
        draft().relaunchLimit = relaunches;
        return self();
    }

    /** Runs the setting; if the value is null, records a mistake instead. */
    final S set(String field, @Nullable Object value, Runnable setting) {
        if (value == null) {
            mistake(draft().path + "." + field + " must not be null");
        } else {
            setting.run();
        }
        return self();
    }

    /** Passes the parsed value to the setting; if parsing fails, records a mistake instead. */
    final <T> S read(String field, Supplier<T> reading, Consumer<T> setting) {
        T value;
        try {
            value = reading.get();
        } catch (IllegalArgumentException e) {
            told(field).accept(String.valueOf(e.getMessage()));
            return self();
        }
        setting.accept(value);
        return self();
    }

    final Consumer<String> told(String field) {
        String path = draft().path + "." + field + ": ";
        return line -> mistake(path + line);
    }

    private S words(String field, String[] words, Consumer<List<String>> setting) {
        return set(field, words, () -> {
            for (String word : words) {
                if (word == null) {
                    mistake(draft().path + "." + field + " must not hold null");
                    return;
                }
            }
            if (words.length == 0) {
                mistake(draft().path + "." + field + " must have at least one word; for example " + field
                        + (field.equals("command") ? "(\"python\", \"train.py\")" : "(\"--epochs\", \"5\")"));
            }
            setting.accept(List.of(words));
        });
    }

    private static Resources laidOver(@Nullable Resources before, Resources resources) {
        return before == null ? resources : resources.over(before);
    }
}
