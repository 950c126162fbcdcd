package dev.edl.reconcile.internal;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.immutables.value.Value;

/** Style of the generated states: package-private implementations with copies that change one attribute. */
@Target({ElementType.TYPE, ElementType.PACKAGE})
@Retention(RetentionPolicy.CLASS)
@Value.Style(
        typeImmutable = "Immutable*",
        visibility = Value.Style.ImplementationVisibility.PACKAGE,
        jdkOnly = true,
        depluralize = false,
        deferCollectionAllocation = true)
public @interface CoreStyle {}
