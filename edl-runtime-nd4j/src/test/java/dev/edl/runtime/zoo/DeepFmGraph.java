package dev.edl.runtime.zoo;

import dev.edl.runtime.model.Parameter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.nd4j.autodiff.samediff.SDVariable;
import org.nd4j.autodiff.samediff.SameDiff;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.weightinit.impl.XavierInitScheme;

/** A {@link DeepFm} as a graph whose variables have the names of the parameters. */
final class DeepFmGraph {
    private DeepFmGraph() {}

    static SameDiffModel of(DeepFm like) {
        SameDiffModel.Builder builder = SameDiffModel.builder(graph(like))
                .table(like.embeddings().get(0), "weights")
                .table(like.embeddings().get(1), "vectors")
                .labels("label")
                .probability()
                .loss("loss")
                .predictions("probability");
        return (like.features() == 0 ? builder : builder.features("numeric")).build();
    }

    private static Supplier<SameDiff> graph(DeepFm like) {
        int fields = like.ids();
        int dimension = like.embeddings().get(1).dimension();
        return () -> {
            SameDiff sd = SameDiff.create();
            SDVariable w = sd.placeHolder("weights", DataType.FLOAT, -1, fields, 1);
            SDVariable v = sd.placeHolder("vectors", DataType.FLOAT, -1, fields, dimension);
            SDVariable label = sd.placeHolder("label", DataType.FLOAT, -1);
            List<SDVariable> inputs = new ArrayList<>(List.of(sd.reshape(v, -1, (long) fields * dimension)));
            SDVariable sums = v.sum(1);
            SDVariable pairs = sums.mul(sums).sum(1).sub(v.mul(v).sum(1, 2)).mul(0.5);
            SDVariable logit = w.sum(1, 2).add(pairs).add(variable(sd, like, "bias"));
            if (like.features() > 0) {
                SDVariable x = sd.placeHolder("numeric", DataType.FLOAT, -1, like.features());
                inputs.add(x);
                logit = logit.add(x.mul(variable(sd, like, "numeric/weights")).sum(1));
            }
            SDVariable deep = inputs.size() == 1 ? inputs.get(0) : sd.concat(1, inputs.toArray(SDVariable[]::new));
            for (Parameter p : like.layout().parameters()) {
                if (p.name().equals("logit/kernel")) {
                    logit = logit.add(sd.reshape(deep.mmul(variable(sd, like, p.name())), -1));
                } else if (p.name().endsWith("/kernel")) {
                    SDVariable bias = variable(sd, like, p.name().replace("kernel", "bias"));
                    deep = sd.nn.relu(deep.mmul(variable(sd, like, p.name())).add(bias), 0);
                }
            }
            sd.nn.sigmoid("probability", logit);
            sd.loss.sigmoidCrossEntropy("loss", label, logit, null);
            return sd;
        };
    }

    private static SDVariable variable(SameDiff sd, DeepFm like, String name) {
        Parameter p = like.layout().parameters().stream()
                .filter(found -> found.name().equals(name))
                .findFirst()
                .orElseThrow();
        long[] shape = p.shape().stream().mapToLong(d -> d).toArray();
        return sd.var(name, new XavierInitScheme('c', shape[0], 1), DataType.FLOAT, shape);
    }
}
