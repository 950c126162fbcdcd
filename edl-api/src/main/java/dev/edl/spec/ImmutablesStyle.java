package dev.edl.spec;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.immutables.value.Value;

/** Style of this package's generated values: package-private implementations of public interfaces. */
@Target({ElementType.TYPE, ElementType.PACKAGE})
@Retention(RetentionPolicy.CLASS)
@Value.Style(
        typeImmutable = "Immutable*",
        visibility = Value.Style.ImplementationVisibility.PACKAGE,
        overshadowImplementation = true,
        jdkOnly = true,
        depluralize = false,
        deferCollectionAllocation = true)
@interface ImmutablesStyle {}
