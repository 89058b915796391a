import type { Database } from '../database.ts'
import { type Json, parseJson, writeJson } from '../json.ts'
import type { Parts } from '../parts.ts'
import type { Answer } from '../wire.ts'
import { advertiserFor, type Context, type Interface } from './access.ts'
import { type Body, within } from './arguments.ts'
import { crowdStates } from './commerce-crowds.ts'
import { badRequest, Refusal, success } from './envelope.ts'

const NAME_MOST = 20
const IDS_MOST = 100
const PAGE = { size: 20, most: 100 }
/** Lists of ids, which the platform writes as numbers. */
const ID_LISTS = [
  ...['city', 'action_categories', 'action_words', 'interest_categories', 'interest_words', 'aweme_fan_categories'],
  ...['aweme_fan_accounts', 'retargeting_tags_include', 'retargeting_tags_exclude'],
]
/** What the platform says of a crowd that a package can no longer use, by the crowd's state. */
const INACTIVE: Readonly<Record<number, string>> = {
  11: 'EXPIRE',
  22: 'MANUAL_OFFLINE',
  23: 'TAG_OFFLINE',
  24: 'TAG_OFFLINE',
  25: 'TAG_OFFLINE',
  26: 'TAG_OFFLINE',
}

type Fields = Record<string, Json>
interface CommercePackage {
  no: number
  id: string
  account_id: string
  name: string
  fields: string
  ad_num: number
}

/** Above 2^53 and odd, like all ids here. */
const packageId = (no: number) => String(9_707_199_254_740_993n + BigInt(no) * 2n)

/** A package as a person makes it on the platform's own pages: no call writes any. */
export function addCommercePackage(
  db: Database,
  wanted: { account_id: string; name: string; fields: Fields; ad_num: number },
): string {
  const { lastInsertRowid } = db.run(
    "INSERT INTO commerce_package (id, account_id, name, fields, ad_num) VALUES ('', ?, ?, ?, ?)",
    ...[wanted.account_id, wanted.name, writeJson(wanted.fields), wanted.ad_num],
  )
  const id = packageId(Number(lastInsertRowid))
  db.run('UPDATE commerce_package SET id = ? WHERE no = ?', id, lastInsertRowid)
  return id
}

/** Changes or deletes a package in the same way. False where there is none. */
export function changeCommercePackage(
  db: Database,
  id: string,
  change: { name?: string; fields?: Fields; ad_num?: number; is_deleted?: boolean },
): boolean {
  const found = db.one<CommercePackage>('SELECT * FROM commerce_package WHERE id = ? AND NOT is_deleted', id)
  if (!found) return false
  const { name = found.name, ad_num = found.ad_num, is_deleted = false } = change
  const fields = change.fields ? writeJson(change.fields) : found.fields
  db.run(
    'UPDATE commerce_package SET name = ?, fields = ?, ad_num = ?, is_deleted = ? WHERE no = ?',
    ...[name, fields, ad_num, Number(is_deleted), found.no],
  )
  return true
}

/** The targeting packages of the commerce platform, which can only be read. */
export function commercePackageCalls({ people, db }: Parts): Record<string, Interface> {
  function get({ token, given }: Context): Answer {
    const account_id = advertiserFor(token, given.id('advertiser_id'))
    if (people.account('video', account_id)?.kind !== 'QIANCHUAN') {
      throw new Refusal(40002, `广告主${account_id}不是千川账户`)
    }
    const { ids, name } = filterOf(given)
    const page = given.optionalNumber('page', { least: 1 }) ?? 1
    const page_size = given.optionalNumber('page_size', { least: 1, most: PAGE.most }) ?? PAGE.size
    const [unknown] = given.unknown()
    if (unknown !== undefined) throw badRequest(`${unknown}: 不支持的参数`)
    const found = db
      .all<CommercePackage>(
        'SELECT * FROM commerce_package WHERE account_id = ? AND NOT is_deleted ORDER BY no DESC',
        account_id,
      )
      .filter((one) => (ids === null || ids.includes(one.id)) && (name === undefined || one.name.includes(name)))
    const crowds = crowdStates(db, account_id)
    return success({
      list: found.slice((page - 1) * page_size, page * page_size).map((one) => rowOf(one, crowds)),
      page_info: {
        page,
        page_size,
        total_number: found.length,
        total_page: Math.ceil(found.length / page_size),
      },
    })
  }
  return {
    'GET /open_api/v1.0/qianchuan/orientation_package/get/': { scopes: [], takes: 'query', act: get },
  }
}

function filterOf(given: Body) {
  const asked = given.object('filtering') ?? {}
  const filtering = within(asked)
  const ids = Object.hasOwn(asked, 'id') ? filtering.ids('id', IDS_MOST) : null
  const name = filtering.text('name', { most: NAME_MOST, isOptional: true })
  const [unknown] = filtering.unknown()
  if (unknown !== undefined) throw badRequest(`filtering.${unknown}: 不支持的参数`)
  return { ids, name }
}

const listOf = (value: Json | undefined): Json[] => (Array.isArray(value) ? value : [])

function rowOf(one: CommercePackage, crowds: ReadonlyMap<string, { name: string; state: number }>) {
  const fields = parseJson(one.fields) as Fields
  const used = [...listOf(fields.retargeting_tags_include), ...listOf(fields.retargeting_tags_exclude)].map(String)
  const numbers = Object.fromEntries(
    ID_LISTS.flatMap((name) => (name in fields ? [[name, listOf(fields[name]).map((id) => BigInt(String(id)))]] : [])),
  )
  return {
    orientation_id: BigInt(one.id),
    orientation_name: one.name,
    orientation_info: infoOf(fields),
    ad_num: one.ad_num,
    // The platform's own spelling.
    InActive_retargeting_tags: used.flatMap((id) => {
      const crowd = crowds.get(id)
      const InActive_type = INACTIVE[crowd?.state ?? 0]
      return crowd && InActive_type
        ? [{ retargeting_tag: BigInt(id), retargeting_name: crowd.name, InActive_type }]
        : []
    }),
    ...fields,
    ...numbers,
  }
}

/** A readable summary. */
function infoOf(fields: Fields): string {
  const words = Object.entries(fields).map(([name, value]) => `${name} ${listOf(value).length || String(value)}`)
  return words.length > 0 ? words.join('，') : '不限'
}
