package dev.edl.testkit;

import dev.edl.env.DmlcEnv;
import dev.edl.env.ElasticDlEnv;
import dev.edl.env.HorovodElastic;
import dev.edl.env.HorovodEnv;
import dev.edl.env.MxConfig;
import dev.edl.env.Task;
import dev.edl.env.TfConfig;
import dev.edl.env.TorchrunEnv;
import dev.edl.spec.ElasticBounds;
import dev.edl.spec.RoleType;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Assertions on the environment of a replica or a container: on single variables, and on the parsed variables of a
 * framework. A missing or invalid variable of a framework fails the assertion.
 *
 * @param <S> the type of the assertion itself
 * @param <A> the type of the actual value
 */
public abstract class EnvAssert<S extends EnvAssert<S, A>, A> extends EdlAssert<S, A> {
    /** Creates an assertion; {@code self} is the assertion's own class. */
    protected EnvAssert(@Nullable A actual, Class<S> self) {
        super(actual, self);
    }

    /** Returns the variables with their values. */
    protected abstract Map<String, String> variables();

    /** Returns the value of a variable; if there is none, fails and returns empty. */
    protected abstract Optional<String> variable(String name);

    /**
     * Passes the value of a variable to further assertions:
     * {@code env("PS_ADDRS", v -> assertThat(v).contains("ps-0"))}.
     */
    public S env(String name, Consumer<String> assertions) {
        variable(name).ifPresent(value -> given(value, assertions));
        return myself;
    }

    /** Returns an assertion about the environment's {@code TF_CONFIG}. */
    public TfConfigAssert tfConfig() {
        TfConfig none = TfConfig.parse("{\"cluster\":{}}");
        String owner = subject() + ", " + TfConfig.VARIABLE;
        return variable(TfConfig.VARIABLE)
                .map(json -> read(
                        "a TF_CONFIG",
                        () -> TfConfig.parse(json),
                        config -> new TfConfigAssert(owner, config),
                        () -> none))
                .orElseGet(() -> mute(new TfConfigAssert(owner, none)));
    }

    /** Returns an assertion about the environment's {@code MX_CONFIG}. */
    public MxConfigAssert mxConfig() {
        MxConfig none = new MxConfig(new TreeMap<>(), new TreeMap<>(), new Task("none", 0));
        String owner = subject() + ", " + MxConfig.VARIABLE;
        return variable(MxConfig.VARIABLE)
                .map(json -> read(
                        "an MX_CONFIG",
                        () -> MxConfig.parse(json),
                        config -> new MxConfigAssert(owner, config),
                        () -> none))
                .orElseGet(() -> mute(new MxConfigAssert(owner, none)));
    }

    /** Returns an assertion about MXNet's {@code DMLC_*} variables. */
    public DmlcAssert dmlc() {
        return read(
                "DMLC_*",
                () -> DmlcEnv.parse(variables()),
                env -> new DmlcAssert(subject() + ", DMLC_*", env),
                () -> new DmlcEnv("", 0, 0, 0, "none", false, Optional.empty(), OptionalInt.empty()));
    }

    /** Returns an assertion about torchrun's {@code PET_*} variables. */
    public TorchrunAssert torchrun() {
        return read(
                "PET_*",
                () -> TorchrunEnv.parse(variables()),
                env -> new TorchrunAssert(subject() + ", PET_*", env),
                () -> new TorchrunEnv(
                        new ElasticBounds(1, 1), "1", Optional.empty(), Optional.empty(), OptionalInt.empty()));
    }

    /** Returns an assertion about the variables of ElasticDL and of EDL's own runtime: {@code MASTER_ADDR}, {@code PS_ADDRS}, … */
    public ElasticDlEnvAssert elasticDl() {
        return read(
                "ElasticDL's variables",
                () -> ElasticDlEnv.parse(variables()),
                env -> new ElasticDlEnvAssert(subject() + ", ElasticDL's variables", env),
                () -> new ElasticDlEnv(
                        "none",
                        "none",
                        RoleType.WORKER,
                        0,
                        Optional.empty(),
                        List.of(),
                        OptionalInt.empty(),
                        OptionalInt.empty()));
    }

    /** Returns an assertion about the arguments that make {@code horovodrun} elastic: {@code EDL_HOROVODRUN}. */
    public HorovodElasticAssert horovodElastic() {
        HorovodElastic none = new HorovodElastic(
                1, new ElasticBounds(1, 1), "/none", OptionalInt.empty(), OptionalInt.empty(), OptionalInt.empty());
        String owner = subject() + ", " + HorovodEnv.VARIABLE;
        return variable(HorovodEnv.VARIABLE)
                .map(words -> read(
                        "elastic arguments of horovodrun",
                        () -> HorovodElastic.parse(List.of(words.split(" "))),
                        elastic -> new HorovodElasticAssert(owner, elastic),
                        () -> none))
                .orElseGet(() -> mute(new HorovodElasticAssert(owner, none)));
    }
}
