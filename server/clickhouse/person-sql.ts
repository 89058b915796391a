/** The column of an attribute's values in person_row. */
export const slotColumn = (slot: number) => `a${slot}`

/**
 * A subquery of (uid, value): each person's newest value of the attribute, through the function `of`; people without a
 * value are left out. Needs the parameter adv_id. An empty cell keeps the older value; of rows with the same time the
 * later line wins.
 */
export const attributeValuesSql = (slot: number, of = (value: string) => value) => newestOf(slotColumn(slot), of)

/** The same for the person's name or stored (encrypted) phone. */
export const personFieldSql = (field: 'name' | 'phone') => newestOf(field)

/** (ts, line) as one number: argMax over a tuple takes ten times as long. */
export const ROW_ORDER = 'bitOr(bitShiftLeft(toUInt128(toUnixTimestamp64Milli(ts)), 64), toUInt128(line))'

const newestOf = (column: string, of = (value: string) => value) =>
  `(SELECT uid, argMax(${of(column)}, ${ROW_ORDER}) AS value FROM person_row
    WHERE adv_id = {adv_id:UInt32} AND ${column} != '' GROUP BY uid)`
