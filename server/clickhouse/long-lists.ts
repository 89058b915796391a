/** For statements over lists as long as a crowd. */
export const LONG_LISTS = {
  // With an index, the engine first looks up each value of the list, and its copies of the list take gigabytes.
  use_index_for_in_with_subqueries_max_values: 100_000,
  max_bytes_before_external_group_by: 256 * 1024 * 1024,
}
