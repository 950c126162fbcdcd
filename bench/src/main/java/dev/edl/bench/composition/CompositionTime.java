package dev.edl.bench.composition;

import dev.edl.bench.harness.Figure;
import dev.edl.bench.harness.JmhTime;
import dev.edl.bench.harness.Measurement;
import dev.edl.bench.harness.MeasurementSettings;
import dev.edl.bench.harness.PeerProcess;
import dev.edl.bench.harness.PeerSoftware;
import dev.edl.bench.harness.RoundRatios;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.runner.RunnerException;

/**
 * Measures by JMH ({@link CompositionBenchmark}) the time to compose a job of 5,000 replicas, from the first builder call to the
 * YAML. The peer is TorchX's dry run of the same job.
 *
 * <ul>
 * <li>{@code composition.time}, {@code composition.mxnet}: 100 ms, the bound, divided by the time for an ElasticDL or
 *     an MXNet job.
 * <li>{@code composition.roles}: time per role of a one-role TensorFlow job of 400 workers, divided by that of a
 *     four-role job; below 1 if the time grows faster than the number of roles.
 * <li>{@code composition.torchx}: TorchX's time to build its objects, without printing, divided by EDL's time to the
 *     YAML.
 * <li>{@code composition.pods.torchx}: the same time of TorchX, divided by EDL's time to one pod object per replica.
 * </ul>
 *
 * <p>TorchX times itself after one dry run as warm-up, because JMH cannot time another process.
 */
public final class CompositionTime implements Measurement {
    private static final double BOUND_MILLIS = 100;
    private static final int ROLES = 4;

    private final Figure time = new Figure("composition.time", 1, "100 ms over the time of an ElasticDL job's YAML");
    private final Figure mxnet = new Figure("composition.mxnet", 1, "100 ms over the time of an MXNet job's YAML");
    private final Figure roles =
            new Figure("composition.roles", 0.8, "a role's cost in a job of one over that in a job of four");
    private final Figure torchx =
            new Figure("composition.torchx", 10, "TorchX's time to its objects over EDL's to the YAML");
    private final Figure pods = new Figure(
            "composition.pods.torchx", 2, "TorchX's time to its objects over EDL's to a pod for each replica");

    @Override
    public List<Figure> figures() {
        return List.of(time, mxnet, roles, torchx, pods);
    }

    @Override
    public RoundRatios measure(MeasurementSettings settings) throws IOException, RunnerException {
        int replicas = settings.either(5000, 50);
        int workers = settings.either(400, 10);
        RoundRatios rounds = new RoundRatios();
        if (settings.wants(torchx) || settings.wants(pods)) {
            try (PeerProcess peer =
                    PeerProcess.start(PeerSoftware.TORCHX, settings.python().orElseThrow())) {
                String about = peer.ask("about");
                peer.ask(CompositionBenchmark.peer(replicas));
                peer.ask("objects 1");
                for (int i = 0; i < settings.rounds(); i++) {
                    double them = Double.parseDouble(peer.ask("objects 1")) * 1e3;
                    against(torchx, them, "text", replicas, rounds, settings);
                    against(pods, them, "pods", replicas, rounds, settings);
                }
                for (Figure figure : List.of(torchx, pods)) {
                    rounds.note(figure, about).note(figure, replicas + " replicas");
                }
            }
        }
        for (int i = 0; i < settings.rounds(); i++) {
            bound(time, "elasticdl", replicas, rounds, settings);
            bound(mxnet, "mxnet", replicas, rounds, settings);
            if (settings.wants(roles)) {
                double one = millis("text", "tensorflow", workers, 1, settings);
                double all = millis("text", "tensorflow", workers, ROLES, settings);
                rounds.add(roles, one * ROLES / all)
                        .side(roles, "one role %.2f ms", one)
                        .side(roles, "four %.2f ms", all);
            }
        }
        return rounds;
    }

    private static void against(
            Figure figure, double them, String method, int replicas, RoundRatios rounds, MeasurementSettings settings)
            throws RunnerException {
        if (settings.wants(figure)) {
            double us = millis(method, "elasticdl", replicas, 1, settings);
            rounds.add(figure, them / us).side(figure, "EDL %.2f ms", us).side(figure, "TorchX %.0f ms", them);
        }
    }

    private static void bound(
            Figure figure, String framework, int replicas, RoundRatios rounds, MeasurementSettings settings)
            throws RunnerException {
        if (settings.wants(figure)) {
            double large = millis("text", framework, replicas, 1, settings);
            double small = millis("text", framework, 10, 1, settings);
            rounds.add(figure, BOUND_MILLIS / large)
                    .side(figure, replicas + " replicas %.2f ms", large)
                    .side(figure, "10 replicas %.2f ms", small);
        }
    }

    private static double millis(String method, String framework, int replicas, int roles, MeasurementSettings settings)
            throws RunnerException {
        Map<String, String> shape = Map.of("framework", framework, "replicas", "" + replicas, "roles", "" + roles);
        return JmhTime.nanos(CompositionBenchmark.class, method, 1, shape, settings) / 1e6;
    }
}
