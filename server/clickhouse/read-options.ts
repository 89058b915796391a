import type { QueryOptions } from './engine.ts'

/**
 * For statements that read little: a second thread takes as much again to start, and two callers at once share the cores
 * better without.
 */
export const ONE_THREAD: QueryOptions = { settings: { max_threads: 1 } }

/**
 * For statements that find a few rows by the order of the table itself: weighing its projections costs more than the
 * reading. Of a person's events in 21 parts, 8 ms of processor time instead of 21.
 */
export const BY_TABLE_ORDER: QueryOptions = { settings: { max_threads: 1, optimize_use_projections: 0 } }
