package dev.edl.runtime.optimizers;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Parser of the text form of learning-rate schedules. */
final class LearningRateText {
    private static final String KIND = "learning rate";
    private static final Map<String, List<String>> KNOWN = new LinkedHashMap<>();

    static {
        KNOWN.put("constant", List.of("rate"));
        KNOWN.put("piecewise", List.of("boundaries", "rates"));
        KNOWN.put("exponential", List.of("initial", "steps", "factor", "staircase"));
        KNOWN.put("polynomial", List.of("initial", "steps", "end", "power"));
        KNOWN.put("cosine", List.of("initial", "steps", "alpha"));
        KNOWN.put("warmup", List.of("steps"));
    }

    private LearningRateText() {}

    static LearningRateSchedule parse(String text) {
        int then = text.indexOf(LearningRateSchedule.THEN);
        SettingsParser s = new SettingsParser(KIND, then < 0 ? text : text.substring(0, then), KNOWN);
        if (s.name().equals("warmup") != then >= 0) {
            throw new IllegalArgumentException(KIND + " \"" + text + "\": a warmup needs a schedule after \"then\","
                    + " and other schedules take none; for example warmup:steps=500 then constant:rate=0.1");
        }
        try {
            return switch (s.name()) {
                case "constant" -> LearningRateSchedule.constant(s.number("rate", null));
                case "piecewise" -> piecewise(s);
                case "exponential" ->
                    LearningRateSchedule.exponential(
                            s.number("initial", null), s.whole("steps"), s.number("factor", null), s.flag("staircase"));
                case "polynomial" ->
                    LearningRateSchedule.polynomial(
                            s.number("initial", null),
                            s.whole("steps"),
                            s.number("end", Double.valueOf(1e-4)),
                            s.number("power", Double.valueOf(1)));
                case "cosine" ->
                    LearningRateSchedule.cosine(
                            s.number("initial", null), s.whole("steps"), s.number("alpha", Double.valueOf(0)));
                default ->
                    parse(text.substring(then + LearningRateSchedule.THEN.length()))
                            .withWarmup(s.whole("steps"));
            };
        } catch (IllegalArgumentException e) {
            throw s.mistake(e);
        }
    }

    private static LearningRateSchedule piecewise(SettingsParser s) {
        long[] boundaries = Arrays.stream(s.need("boundaries").split(";", -1))
                .mapToLong(word -> s.parseWhole("boundaries", word.strip()))
                .toArray();
        double[] rates = Arrays.stream(s.need("rates").split(";", -1))
                .mapToDouble(word -> s.parse("rates", word.strip()))
                .toArray();
        return LearningRateSchedule.piecewise(boundaries, rates);
    }
}
