package dev.edl.operators.crd.internal;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.edl.internal.text.DataNode;
import dev.edl.internal.text.FieldReader;
import dev.edl.internal.text.FieldReaderSettings;
import dev.edl.internal.text.ResourceQuantity;
import dev.edl.internal.text.ValueReader;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.Quantity;
import java.lang.reflect.Field;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Checks a part of a resource against Kubernetes' own model: no key may be unknown at any level, and each value must
 * have its key's type. The model is a class of the Kubernetes client, so EDL has no list of keys.
 */
final class ModelClassValidator {
    /** JSON properties of a Kubernetes client class, in declaration order, with their types. */
    private static final ClassValue<Map<String, Type>> KEYS = new ClassValue<>() {
        @Override
        protected Map<String, Type> computeValue(Class<?> model) {
            return properties(model);
        }
    };

    private final ValueReader values;

    private ModelClassValidator(Consumer<String> mistakes) {
        this.values = new ValueReader(FieldReaderSettings.KUBERNETES, mistakes);
    }

    /**
     * Adds a mistake for each unknown key and each value of another type.
     *
     * @param model class of the Kubernetes client that represents the part
     * @return true if no mistake was added
     */
    static boolean check(CustomObjectFieldReader fields, Class<?> model) {
        boolean[] good = {true};
        ModelClassValidator schema = new ModelClassValidator(line -> {
            good[0] = false;
            fields.report().mistake(line);
        });
        schema.value(fields.path(), fields.node(), model);
        return good[0];
    }

    /** Adds a mistake for each value of the map that is not a quantity. */
    static void checkQuantities(CustomObjectFieldReader fields) {
        ModelClassValidator schema = new ModelClassValidator(fields.report()::mistake);
        fields.node().nodes().forEach((name, amount) -> schema.value(fields.at(name), amount, Quantity.class));
    }

    private void object(FieldReader fields, Class<?> model) {
        Map<String, Type> known = KEYS.get(model);
        fields.only(known.keySet());
        for (String key : fields.keys()) {
            Type type = known.get(key);
            if (type != null) {
                fields.node(key).ifPresent(value -> value(fields.at(key), value, type));
            }
        }
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

    private void value(String path, DataNode value, Type type) {
        if (type instanceof ParameterizedType many) {
            Type[] of = many.getActualTypeArguments();
            if (many.getRawType() == List.class) {
                values.items(path, value, (place, item) -> value(place, item, of[0]));
            } else if (value instanceof DataNode.Mapping map) {
                map.nodes().forEach((key, one) -> value(path + "." + key, one, of[1]));
            } else {
                values.map(path, value);
            }
        } else if (type == String.class) {
            values.text(path, value);
        } else if (type == Boolean.class) {
            values.flag(path, value);
        } else if (type == Integer.class || type == Long.class) {
            values.whole(path, value, type == Integer.class ? Integer.SIZE : Long.SIZE);
        } else if (type == Quantity.class) {
            want(isQuantity(value), path, value, "an amount", "\"2\" or 2Gi");
        } else if (type == IntOrString.class) {
            if (ValueReader.isWhole(value)) {
                values.whole(path, value, Integer.SIZE);
            } else {
                want(value instanceof DataNode.Text, path, value, "a whole number or a text", "8080");
            }
        } else if (type instanceof Class<?> model && model != Object.class) {
            values.map(path, value).ifPresent(fields -> object(fields, model));
        }
    }

    /** Returns whether the value is a quantity of Kubernetes: a number, or a text such as {@code 500m} or {@code 2Gi}. */
    private static boolean isQuantity(DataNode value) {
        return (value instanceof DataNode.Numeral number && number.finite())
                || (value instanceof DataNode.Text text
                        && ResourceQuantity.number(text.value()).isPresent());
    }

    private void want(boolean good, String path, DataNode value, String rule, String form) {
        if (!good) {
            values.refuse(path, value, rule, form);
        }
    }
}
