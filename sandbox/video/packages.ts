import type { Database } from '../database.ts'
import { type Json, parseJson, writeJson } from '../json.ts'
import type { Fields } from './package-fields.ts'

export interface VideoPackage {
  no: number
  id: string
  account_id: string
  name: string
  description: string
  landing_type: string
  /** What was chosen at its creation for good. */
  fixed: string
  fields: string
  made_at: number
  changed_at: number
}

export interface VideoProject {
  no: number
  id: string
  account_id: string
  name: string
  package_id: string | null
  landing_type: string
  /** `PROJECT_STATUS_ENABLE` and others. */
  status: string
  made_at: number
}

/** Above 2^53 and odd, like all ids here. */
export const packageId = (no: number) => String(9_507_199_254_740_993n + BigInt(no) * 2n)
const projectId = (no: number) => String(9_607_199_254_740_993n + BigInt(no) * 2n)

const isWhole = (value: unknown) => typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value))
/** Lists of ids are written without their digits being rounded. */
export const fieldsOf = (one: Pick<VideoPackage, 'fields'>): Fields => parseJson(one.fields) as unknown as Fields
export const textOfFields = (fields: Fields): string => writeJson(fields)
export const numbersIn = (list: Json | undefined): bigint[] =>
  ((list ?? []) as (number | bigint)[]).filter(isWhole).map(BigInt)

export const packagesOf = (db: Database, account_id: string) =>
  db.all<VideoPackage>(
    'SELECT * FROM video_package WHERE account_id = ? AND NOT is_deleted ORDER BY no DESC',
    account_id,
  )

/** The name of a package that uses a crowd; null if none does. */
export function packageUsing(db: Database, account_id: string, crowd: string): string | null {
  const uses = ({ retargeting_tags, retargeting_tags_exclude }: Fields) =>
    [...numbersIn(retargeting_tags), ...numbersIn(retargeting_tags_exclude)].some((id) => String(id) === crowd)
  return packagesOf(db, account_id).find((one) => uses(fieldsOf(one)))?.name ?? null
}

/** The names of projects that deliver with a package. */
export const liveProjects = (db: Database, package_id: string): string[] =>
  db
    .all<VideoProject>(
      "SELECT * FROM video_project WHERE package_id = ? AND status = 'PROJECT_STATUS_ENABLE' ORDER BY no",
      package_id,
    )
    .map(({ name }) => name)

/** A project of an account, as a call or its own page makes it; answers its id. */
export function addProject(
  db: Database,
  at: number,
  wanted: { account_id: string; name: string; package_id: string | null; status: string; landing_type?: string },
): string {
  const { lastInsertRowid } = db.run(
    `INSERT INTO video_project (id, account_id, name, package_id, landing_type, status, made_at)
     VALUES ('', ?, ?, ?, ?, ?, ?)`,
    ...[wanted.account_id, wanted.name, wanted.package_id, wanted.landing_type ?? 'EXTERNAL', wanted.status, at],
  )
  const id = projectId(Number(lastInsertRowid))
  db.run('UPDATE video_project SET id = ? WHERE no = ?', id, lastInsertRowid)
  return id
}
