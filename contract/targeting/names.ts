/** The name of an id in a dictionary: null where the platform has it no more, undefined while it is not loaded. */
export type NameOf<K> = (key: K) => string | null | undefined

/** The name that is shown for an id. `stored` is the name at the time of choosing. */
export const named = (current: string | null | undefined, stored: string | undefined, id: string): string =>
  current === null ? `${stored ?? id}（已下线）` : (current ?? stored ?? id)
