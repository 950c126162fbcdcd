package dev.edl.k8s.crd.internal;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.edl.spec.Nearest;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.Quantity;
import java.lang.reflect.Field;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Whether a part of a resource has the form that Kubernetes' own model gives it: at each level no unknown key, and of each
 * key a value of its type. The model is the one of the Kubernetes client, so that this list of keys is nobody's own.
 */
final class PodSchema {
    /** Kubernetes' grammar, which the client reads more loosely; longer numbers are beyond what it counts to. */
    private static final Pattern AMOUNT = Pattern.compile(
            "[+-]?([0-9]{1,30}(\\.[0-9]{0,30})?|\\.[0-9]{1,30})([numkMGTPE]|[KMGTPE]i|[eE][+-]?[0-9]{1,2})?");

    /** The keys of a model in its order, with their types. */
    private static final ClassValue<Map<String, Type>> KEYS = new ClassValue<>() {
        @Override
        protected Map<String, Type> computeValue(Class<?> model) {
            return properties(model);
        }
    };

    private final Report report;
    private boolean good = true;

    private PodSchema(Report report) {
        this.report = report;
    }

    /**
     * Adds a mistake for each key and value of another form.
     *
     * @param model the class of the client that stands for it
     * @return whether there was none
     */
    static boolean check(Fields fields, Class<?> model) {
        PodSchema schema = new PodSchema(fields.report());
        schema.object(fields.path(), fields.content(), model);
        return schema.good;
    }

    private void object(String path, Map<?, ?> map, Class<?> model) {
        Map<String, Type> known = KEYS.get(model);
        map.forEach((key, value) -> {
            String place = path + "." + key;
            Type type = known.get(String.valueOf(key));
            if (type == null) {
                mistake(place + ": unknown key; " + Nearest.hint(String.valueOf(key), known.keySet()));
            } else if (value != null) {
                value(place, value, type);
            }
        });
    }

    private static Map<String, Type> properties(Class<?> model) {
        Map<String, Type> properties = new LinkedHashMap<>();
        for (Field field : model.getDeclaredFields()) {
            JsonProperty property = field.getAnnotation(JsonProperty.class);
            if (property != null) {
                properties.put(property.value(), field.getGenericType());
            }
        }
        return properties;
    }

    private void value(String path, @Nullable Object value, Type type) {
        if (type instanceof ParameterizedType many) {
            Type[] of = many.getActualTypeArguments();
            if (many.getRawType() == List.class) {
                list(path, value, of[0]);
            } else {
                map(path, value, of[1]);
            }
        } else if (type == String.class) {
            if (!(value instanceof String)) {
                mistake(Fields.noText(path, value));
            }
        } else if (type == Boolean.class) {
            want(value instanceof Boolean, path, value, "true or false", "true");
        } else if (type == Integer.class || type == Long.class) {
            boolean fits = value instanceof Long number && (type == Long.class || number.intValue() == number);
            want(fits, path, value, "a whole number", "1");
        } else if (type == Quantity.class) {
            want(isAmount(value), path, value, "an amount", "\"2\" or 2Gi");
        } else if (type == IntOrString.class) {
            want(value instanceof Long || value instanceof String, path, value, "a whole number or a text", "8080");
        } else if (type instanceof Class<?> model && model != Object.class) {
            if (value instanceof Map<?, ?> map) {
                object(path, map, model);
            } else {
                want(false, path, value, "a map", "{name: value}");
            }
        }
    }

    private void list(String path, @Nullable Object value, Type of) {
        if (value instanceof List<?> list) {
            int index = 0;
            for (Object item : list) {
                value(path + "[" + index++ + "]", item, of);
            }
        } else {
            want(false, path, value, "a list", "[" + Fields.shown(value) + "]");
        }
    }

    private void map(String path, @Nullable Object value, Type of) {
        if (value instanceof Map<?, ?> map) {
            map.forEach((key, one) -> value(path + "." + key, one, of));
        } else {
            want(false, path, value, "a map", "{name: value}");
        }
    }

    /** A number as YAML has it without quotes, or a text that is one. */
    private static boolean isAmount(@Nullable Object value) {
        if (value instanceof Double number) {
            return Double.isFinite(number);
        }
        return value instanceof Number || (value instanceof String text && amount(text) != null);
    }

    /** The number of an amount; null for a text that is none. */
    static @Nullable BigDecimal amount(String text) {
        return AMOUNT.matcher(text).matches() ? Quantity.getAmountInBytes(new Quantity(text)) : null;
    }

    private void want(boolean good, String path, @Nullable Object value, String what, String example) {
        if (!good) {
            mistake(path + " must be " + what + ", was " + Fields.shown(value) + "; for example " + example);
        }
    }

    private void mistake(String line) {
        good = false;
        report.mistake(line);
    }
}
