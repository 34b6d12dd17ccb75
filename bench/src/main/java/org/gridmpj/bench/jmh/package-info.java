/** Microbenchmarks of one stage of a message each; {@code bench/jmh} runs them. */
@NullMarked
package org.gridmpj.bench.jmh;

import org.jspecify.annotations.NullMarked;
