/** The column of an attribute's values in person_row. */
export const slotColumn = (slot: number) => `a${slot}`

/**
 * A subquery of (uid, value): each person's newest value of the attribute, or what `of` makes of it; people without one
 * are left out. Runs with the parameter adv_id. An empty cell leaves the old value, and of rows of one moment the later
 * line wins.
 */
export const attributeValuesSql = (slot: number, of = (value: string) => value) => newestOf(slotColumn(slot), of)

/** The same for the person's name, or the phone as it is kept (encrypted). */
export const personFieldSql = (field: 'name' | 'phone') => newestOf(field)

/** (ts, line) as one number: by a tuple, argMax is ten times as slow. */
export const ROW_ORDER = 'bitOr(bitShiftLeft(toUInt128(toUnixTimestamp64Milli(ts)), 64), toUInt128(line))'

const newestOf = (column: string, of = (value: string) => value) =>
  `(SELECT uid, argMax(${of(column)}, ${ROW_ORDER}) AS value FROM person_row
    WHERE adv_id = {adv_id:UInt32} AND ${column} != '' GROUP BY uid)`
