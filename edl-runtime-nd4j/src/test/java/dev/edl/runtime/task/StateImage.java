package dev.edl.runtime.task;

import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Text of all fields of an object of this package and of the objects it refers to; two ledgers with equal images
 * behave equally. The fields are found by reflection, so a new field is always included. The observer, a lambda, is
 * left out.
 */
public final class StateImage {
    private StateImage() {}

    public static String of(Object object) {
        StringBuilder out = new StringBuilder();
        write(object, out);
        return out.toString();
    }

    private static void write(@Nullable Object value, StringBuilder out) {
        if (value == null) {
            out.append("null");
        } else if (value instanceof Map<?, ?> map) {
            TreeMap<String, Object> sorted = new TreeMap<>();
            map.forEach((k, v) -> sorted.put(of(k), v));
            sorted.forEach((k, v) -> write(v, out.append(k).append("->")));
        } else if (value instanceof Set<?> set) {
            TreeSet<String> sorted = new TreeSet<>();
            set.forEach(e -> sorted.add(of(e)));
            out.append(sorted);
        } else if (value instanceof Collection<?> collection) {
            out.append('[');
            collection.forEach(e -> write(e, out));
            out.append(']');
        } else if (value.getClass().isArray()) {
            out.append('[');
            for (int i = 0; i < Array.getLength(value); i++) {
                out.append(Array.get(value, i)).append(' ');
            }
            out.append(']');
        } else if (value.getClass().getName().startsWith("dev.edl.runtime.task.")
                && !(value instanceof Record || value instanceof Enum)) {
            fields(value, out);
        } else {
            out.append(value).append(' ');
        }
    }

    private static void fields(Object value, StringBuilder out) {
        Field[] fields = value.getClass().getDeclaredFields();
        AccessibleObject.setAccessible(fields, true);
        for (Field field : fields) {
            if (Modifier.isStatic(field.getModifiers()) || field.getName().equals("observer")) {
                continue;
            }
            try {
                write(field.get(value), out.append(field.getName()).append('='));
            } catch (IllegalAccessException e) {
                throw new AssertionError(e);
            }
            out.append('\n');
        }
    }
}
