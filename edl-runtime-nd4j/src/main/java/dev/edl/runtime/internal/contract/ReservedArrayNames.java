package dev.edl.runtime.internal.contract;

import dev.edl.runtime.data.RecordNames;
import dev.edl.runtime.model.EmbeddingTable;
import dev.edl.runtime.model.Model;
import dev.edl.runtime.model.Parameter;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Names of the arrays that an export adds to those of the parameters, which a model must not use. */
public final class ReservedArrayNames {
    public static final String IDS = "/ids";
    public static final String VALUES = "/values";
    public static final String INITIALIZER = "/initializer";
    public static final String SEED = "/seed";

    public static final String OWN = "edl/";
    public static final String STATE = OWN + "state";
    private static final Set<String> OWN_NAMES = Stream.concat(
                    Stream.of(STATE), RecordNames.KINDS.stream().map(OWN::concat))
            .collect(Collectors.toSet());

    private ReservedArrayNames() {}

    /** Reports each parameter name that equals the name of another array of the model. */
    public static void clashes(Model model, Consumer<String> problems) {
        for (Parameter parameter : model.layout().parameters()) {
            if (OWN_NAMES.contains(parameter.name())) {
                problems.accept("\"" + parameter.name() + "\" is a parameter in layout(), but an export uses this name"
                        + " for a list of names; give the parameter another name");
            }
        }
        for (EmbeddingTable table : model.embeddings()) {
            for (String part : List.of(IDS, VALUES, INITIALIZER, SEED)) {
                String name = table.name() + part;
                if (model.layout().parameters().stream().anyMatch(p -> p.name().equals(name))) {
                    problems.accept(
                            "\"" + name + "\" is a parameter in layout(), but an export uses this name for a part of"
                                    + " the table \"" + table.name() + "\"; give one of them another name");
                }
            }
        }
    }
}
