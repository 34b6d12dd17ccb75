/** A program whose calls are counted; a package of its own, for each rank loads it with a facade of its own. */
@org.jspecify.annotations.NullMarked
package org.gridmpj.testkit.allocation;
