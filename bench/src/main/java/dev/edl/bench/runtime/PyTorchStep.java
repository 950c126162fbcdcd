package dev.edl.bench.runtime;

import dev.edl.bench.harness.Figure;
import dev.edl.bench.harness.Measurement;
import dev.edl.bench.harness.MeasurementSettings;
import dev.edl.bench.harness.PeerProcess;
import dev.edl.bench.harness.PeerSoftware;
import dev.edl.bench.harness.RoundRatios;
import dev.edl.runtime.model.Parameter;
import java.io.IOException;
import java.util.List;
import java.util.Locale;

/**
 * {@code MODEL.BATCH.pytorch}: PyTorch's time of one worker's step, forward and backward on one batch of
 * {@link BenchmarkModel} on one thread, over EDL's.
 *
 * <p>First, both compute the gradient of that batch from the same parameters, with EDL's mask where there is dropout.
 * For each parameter the two gradients may differ by a thousandth of their Euclidean norm. Single elements may differ
 * by much, where rounding decides which of two pixels is larger. Then each in turn makes as many steps as fill half a
 * second, five times a round. For each side, the shortest of its five times counts.
 *
 * <p>It uses its own stopwatch instead of JMH: the peer is another process, and this way both alternate within seconds,
 * without a restart. EDL has warmed up for two seconds, PyTorch for one. PyTorch's step is that of its tutorials
 * without the optimizer: gradients reset, forward, cross entropy, backward.
 */
public final class PyTorchStep implements Measurement {
    private static final double TURN = 0.5;
    private static final int TURNS = 5;
    private static final double TOLERANCE = 1e-3;

    private final BenchmarkModel model;
    private final int batch;
    private final Figure figure;

    private PyTorchStep(BenchmarkModel model, int batch, double goal) {
        this.model = model;
        this.batch = batch;
        figure = new Figure(model.name() + "." + batch + ".pytorch", goal, "a step's speed over PyTorch's, one thread");
    }

    public static PyTorchStep of(BenchmarkModel model, int batch, double goal) {
        return new PyTorchStep(model, batch, goal);
    }

    @Override
    public List<Figure> figures() {
        return List.of(figure);
    }

    @Override
    public RoundRatios measure(MeasurementSettings settings) throws IOException {
        RoundRatios rounds = new RoundRatios();
        try (StandaloneWorker worker = new StandaloneWorker(model, batch);
                PeerProcess peer = PeerProcess.start(
                        PeerSoftware.PYTORCH, settings.python().orElseThrow())) {
            String about = peer.ask("about");
            peer.ask("model " + model.peer());
            peer.put("parameters", worker.parameters(), model.model().layout().trained());
            peer.put(
                    "features", worker.batch().features(), batch * model.model().features());
            peer.put("labels", worker.batch().labels(), batch);
            float[] mask = model.mask(worker.batch());
            peer.put("mask", mask, mask.length);
            peer.ask("load " + batch);
            double off = compare(worker, peer);
            double turn = settings.quick() ? 0.02 : TURN;
            ours(worker, steps(ours(worker, 10) / 10, 4 * turn));
            int ourSteps = steps(ours(worker, 10) / 10, turn);
            theirs(peer, steps(theirs(peer, 10) / 10, 2 * turn));
            int theirSteps = steps(theirs(peer, 10) / 10, turn);
            for (int i = 0; i < settings.rounds(); i++) {
                double us = Double.MAX_VALUE;
                double them = Double.MAX_VALUE;
                for (int t = 0; t < TURNS; t++) {
                    us = Math.min(us, ours(worker, ourSteps) / ourSteps);
                    them = Math.min(them, theirs(peer, theirSteps) / theirSteps);
                }
                rounds.add(figure, them / us)
                        .side(figure, "EDL %.0f us", us * 1e6)
                        .side(figure, "PyTorch %.0f us", them * 1e6);
            }
            rounds.note(figure, about);
            rounds.note(figure, String.format(Locale.ROOT, "gradients differ by %.0e of their length", off));
        }
        return rounds;
    }

    private static int steps(double secondsEach, double seconds) {
        return (int) Math.max(1, Math.round(seconds / secondsEach));
    }

    private static double ours(StandaloneWorker worker, int steps) {
        long began = System.nanoTime();
        for (int i = 0; i < steps; i++) {
            worker.step();
        }
        return (System.nanoTime() - began) / 1e9;
    }

    private static double theirs(PeerProcess peer, int steps) throws IOException {
        return Double.parseDouble(peer.ask("steps " + steps));
    }

    /**
     * Compares both sides' gradients and returns the largest difference for a parameter, as a share of the gradient's
     * Euclidean norm.
     *
     * @throws IOException if a difference is greater than the tolerance
     */
    private double compare(StandaloneWorker worker, PeerProcess peer) throws IOException {
        worker.step();
        peer.ask("gradient");
        float[] theirs = peer.get("gradient");
        int trained = model.model().layout().trained();
        if (theirs.length != trained) {
            throw new IOException(
                    figure.name() + ": PyTorch's gradient must have " + trained + " floats, has " + theirs.length);
        }
        double worst = 0;
        for (Parameter parameter : model.model().layout().parameters()) {
            if (parameter.end() <= trained) {
                double off = off(parameter, worker.gradient(), theirs);
                if (!(off <= TOLERANCE)) {
                    throw new IOException(figure.name() + ": the gradients of " + parameter + " are not the same: they"
                            + " differ by " + off + " of their length");
                }
                worst = Math.max(worst, off);
            }
        }
        return worst;
    }

    private static double off(Parameter parameter, float[] ours, float[] theirs) {
        double length = 0;
        double difference = 0;
        for (int i = parameter.offset(); i < parameter.end(); i++) {
            length = Math.hypot(length, theirs[i]);
            difference = Math.hypot(difference, theirs[i] - ours[i]);
        }
        return difference / length;
    }
}
