package dev.edl.parquet;

import java.math.BigDecimal;
import java.math.BigInteger;
import org.apache.parquet.column.ColumnReader;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.DecimalLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.EnumLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.IntLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.StringLogicalTypeAnnotation;
import org.apache.parquet.schema.PrimitiveType;
import org.jspecify.annotations.Nullable;

/** Value of a primitive type as a number or a text. */
enum ColumnValue {
    INT {
        @Override
        long whole(ColumnReader in) {
            return in.getInteger();
        }
    },
    UNSIGNED_INT {
        @Override
        long whole(ColumnReader in) {
            return Integer.toUnsignedLong(in.getInteger());
        }
    },
    LONG {
        @Override
        long whole(ColumnReader in) {
            return in.getLong();
        }
    },
    UNSIGNED_LONG {
        @Override
        long whole(ColumnReader in) {
            long value = in.getLong();
            if (value < 0) {
                throw new IllegalArgumentException(
                        "is " + Long.toUnsignedString(value) + ", above the largest 64-bit number " + Long.MAX_VALUE);
            }
            return value;
        }
    },
    BOOLEAN {
        @Override
        long whole(ColumnReader in) {
            return in.getBoolean() ? 1 : 0;
        }

        @Override
        String text(ColumnReader in) {
            return String.valueOf(in.getBoolean());
        }
    },
    FLOAT {
        @Override
        double number(ColumnReader in) {
            return in.getFloat();
        }
    },
    DOUBLE {
        @Override
        double number(ColumnReader in) {
            return in.getDouble();
        }
    },
    INT_DECIMAL {
        @Override
        double number(ColumnReader in) {
            return decimal(in, BigInteger.valueOf(in.getInteger()));
        }
    },
    LONG_DECIMAL {
        @Override
        double number(ColumnReader in) {
            return decimal(in, BigInteger.valueOf(in.getLong()));
        }
    },
    BINARY_DECIMAL {
        @Override
        double number(ColumnReader in) {
            return decimal(in, new BigInteger(in.getBinary().getBytes()));
        }
    },
    TEXT {
        @Override
        String text(ColumnReader in) {
            return in.getBinary().toStringUsingUTF8();
        }
    };

    /** Returns whether all values are whole numbers. */
    boolean isWhole() {
        return switch (this) {
            case INT, UNSIGNED_INT, LONG, UNSIGNED_LONG, BOOLEAN -> true;
            default -> false;
        };
    }

    /** Returns whether the values have a text that is the same in every file format. */
    boolean isText() {
        return isWhole() || this == TEXT;
    }

    long whole(ColumnReader in) {
        throw new IllegalStateException(this + " is no whole number");
    }

    double number(ColumnReader in) {
        return whole(in);
    }

    String text(ColumnReader in) {
        return String.valueOf(whole(in));
    }

    private static double decimal(ColumnReader in, BigInteger unscaled) {
        int scale = ((DecimalLogicalTypeAnnotation)
                        in.getDescriptor().getPrimitiveType().getLogicalTypeAnnotation())
                .getScale();
        return new BigDecimal(unscaled, scale).doubleValue();
    }

    /** Returns the value of a type; null if it is neither a number nor a text. */
    static @Nullable ColumnValue of(PrimitiveType type) {
        LogicalTypeAnnotation logical = type.getLogicalTypeAnnotation();
        if (logical instanceof DecimalLogicalTypeAnnotation) {
            return switch (type.getPrimitiveTypeName()) {
                case INT32 -> INT_DECIMAL;
                case INT64 -> LONG_DECIMAL;
                default -> BINARY_DECIMAL;
            };
        }
        if (logical instanceof IntLogicalTypeAnnotation number) {
            return switch (type.getPrimitiveTypeName()) {
                case INT32 -> number.isSigned() ? INT : UNSIGNED_INT;
                case INT64 -> number.isSigned() ? LONG : UNSIGNED_LONG;
                default -> null;
            };
        }
        if (logical instanceof StringLogicalTypeAnnotation || logical instanceof EnumLogicalTypeAnnotation) {
            return TEXT;
        }
        return logical != null
                ? null
                : switch (type.getPrimitiveTypeName()) {
                    case INT32 -> INT;
                    case INT64 -> LONG;
                    case BOOLEAN -> BOOLEAN;
                    case FLOAT -> FLOAT;
                    case DOUBLE -> DOUBLE;
                    // Impala and old versions of Spark write texts without an annotation.
                    case BINARY -> TEXT;
                    default -> null;
                };
    }
}
