/**
 * The conversation between a rank and its parent (the launcher of a local job, else its agent): one TCP connection per
 * rank, opened before the user's program starts, authenticated by the job's secret.
 */
package org.gridmpj.job.control;
