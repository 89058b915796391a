import type { z } from 'zod'
import { downloadHead, downloadLine } from '#contract/download-csv.ts'
import type { IdentifierType } from '#contract/identifier.ts'
import { IDENTIFIERS } from '#contract/identifier.ts'
import { maskedPhone } from '#contract/phone.ts'
import type { listSuppression, SuppressionEntry, SuppressionFilter } from '#contract/suppression.ts'
import type { AcrossShards } from '../../clickhouse/handles.ts'
import { phonesFor } from '../../files/mask-phones.ts'
import type { Viewer } from '../../http/viewer.ts'
import { timeText } from '../../time/day.ts'
import { isPhoneType } from './lines.ts'
import { KEY, LIST, type SuppressionTable } from './table.ts'

interface Row {
  key: string
  handle: string
  type: IdentifierType
  text: string
  plain: string
  note: string
  added_at: number
}

/** Values of one part of an export. */
const EXPORTED_AT_ONCE = 20_000
const HEAD = ['标识类型', '标识', '手机号', '备注', '加入时间']

const phoneFor = (viewer: Pick<Viewer, 'see_phones'>, phone: string) =>
  phone === '' ? null : viewer.see_phones ? phone : maskedPhone(phone)

/** Trying all numbers gives the phone of a hash, so viewers who may not see phones get none of it. */
const valueFor = (viewer: Pick<Viewer, 'see_phones'>, type: IdentifierType, text: string) =>
  !viewer.see_phones && isPhoneType(type) ? null : text

/** The list as viewers see it, page by page or as a file. */
export function suppressionListing(engine: AcrossShards, table: SuppressionTable, timezone: string) {
  // Not `phone`: conditions are about the column of that name, and an alias would take its place.
  const columns = `${KEY} AS key, ${table.handleSql} AS handle, id_type AS type, ${table.anyTextSql()} AS text, ${table.phoneSql} AS plain, note, added_at`

  const count = (adv_id: number, filter: SuppressionFilter) => table.count(adv_id, table.conditionOf(filter))

  return {
    count,

    async list(viewer: Viewer, { adv_id, page, page_size, ...filter }: z.output<typeof listSuppression.query>) {
      viewer.mustBeMember(adv_id)
      const by_type = await engine.query<{ type: IdentifierType; count: number }>(
        `SELECT id_type AS type, toFloat64(count()) AS count FROM ${LIST} GROUP BY id_type ORDER BY id_type`,
        { adv_id },
      )
      const keys = await engine.query<{ key: string }>(
        `SELECT ${KEY} AS key FROM ${LIST} AND ${table.conditionOf(filter)}
         GROUP BY key ORDER BY max(added_at) DESC, key LIMIT {size:UInt32} OFFSET {from:UInt64}`,
        { adv_id, size: page_size, from: (page - 1) * page_size },
      )
      const rows =
        keys.length === 0
          ? []
          : await engine.query<Row>(
              `SELECT ${columns} FROM ${LIST} AND ${KEY} IN {keys:Array(String)} ORDER BY type, text`,
              { adv_id, keys: keys.map(({ key }) => key) },
            )
      const list = keys.flatMap(({ key }): SuppressionEntry[] => {
        const own = rows.filter((row) => row.key === key)
        const newest = own.toSorted((one, other) => other.added_at - one.added_at)[0]
        if (!newest) return []
        return [
          {
            key: newest.handle,
            phone: phoneFor(viewer, own.find((row) => row.plain !== '')?.plain ?? ''),
            forms: own.map(({ type, text }) => ({ type, value: valueFor(viewer, type, text) })),
            note: newest.note,
            added_at: newest.added_at,
          },
        ]
      })
      return { total: await count(adv_id, filter), by_type, list }
    },

    /** The list as the lines of a csv, part by part. */
    async *lines(viewer: Viewer, adv_id: number, filter: SuppressionFilter): AsyncGenerator<string> {
      yield downloadHead(HEAD)
      let after = { type: '', bytes: '' }
      for (;;) {
        const rows = await engine.query<Row & { bytes: string }>(
          `SELECT ${columns}, hex(value) AS bytes FROM ${LIST} AND ${table.conditionOf(filter)}
             AND (id_type, value) > ({type:String}, unhex({bytes:String}))
           ORDER BY id_type, value LIMIT ${EXPORTED_AT_ONCE}`,
          { adv_id, ...after },
        )
        if (rows.length > 0) yield rows.map((row) => downloadLine(cellsOf(viewer, row, timezone))).join('')
        const last = rows.at(-1)
        if (!last || rows.length < EXPORTED_AT_ONCE) return
        after = { type: last.type, bytes: last.bytes }
      }
    },
  }
}

const cellsOf = (viewer: Viewer, { type, text, plain, note, added_at }: Row, timezone: string) => [
  IDENTIFIERS[type].label,
  valueFor(viewer, type, text) ?? '',
  phoneFor(viewer, plain) ?? '',
  phonesFor(viewer)(note),
  timeText(added_at, timezone),
]
