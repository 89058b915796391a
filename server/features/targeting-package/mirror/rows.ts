import { isDeepStrictEqual } from 'node:util'
import type { Kysely, Transaction, Updateable } from 'kysely'
import type { LeftOut } from '#contract/targeting/there.ts'
import { audienceName } from '../../../platforms/audience-name.ts'
import type {
  PackageContent,
  PackageUse,
  PackageWriting,
  PlatformPackage,
} from '../../../platforms/targeting-platform.ts'
import { packageKeyOf } from '../../../platforms/targeting-platform.ts'
import type { Database } from '../../../postgres/schema.ts'
import type { TargetingMirrorTable } from '../../../postgres/schema-targeting.ts'

/** A package with its copy, of the account's that are to be worked on. */
export const mirroredRows = (db: Kysely<Database>, account_id: number) =>
  db
    .selectFrom('targeting_mirror as mirror')
    .innerJoin('targeting_package as package', 'package.id', 'mirror.package_id')
    .select([
      'package.id',
      'package.account_id',
      'package.adv_id',
      'package.platform',
      'package.dir_id',
      'package.name',
      'package.targeting',
      'package.targeting_id',
      'package.ver',
      'package.deleted_at',
      'mirror.key',
      'mirror.state',
      'mirror.is_tried',
      'mirror.is_forced',
      'mirror.rev',
      'mirror.attempts',
      'mirror.name as sent_name',
      'mirror.content',
      'mirror.others',
      'mirror.sending',
    ])
    .where('mirror.account_id', '=', account_id)
export type MirrorRow = Awaited<ReturnType<ReturnType<typeof mirroredRows>['execute']>>[number]

export const setMirror = (tx: Transaction<Database>, package_id: number, values: Updateable<TargetingMirrorTable>) =>
  tx.updateTable('targeting_mirror').set(values).where('package_id', '=', package_id).execute()

/** What Postgres answers is compared with what is made here. */
export const isSameContent = (one: PackageContent | null, other: PackageContent) =>
  one !== null && isDeepStrictEqual(one, JSON.parse(JSON.stringify(other)))

/** A copy's name and content, and what else restricts it. */
interface Copy {
  name: string
  content: PackageContent
  others: readonly LeftOut[]
}
export const isSameCopy = (one: Copy | null, other: Copy) =>
  one !== null &&
  one.name === other.name &&
  isSameContent(one.content, other.content) &&
  isDeepStrictEqual(one.others, other.others)

/** The name of the copy: the package's, with a mark of its own where the account has another one of that name. */
export const copyName = ({ name, key }: MirrorRow, writing: PackageWriting, mustDiffer: boolean) =>
  audienceName(name, key.slice(-6), writing.name, mustDiffer)

/** Whether the copy may have the name. */
export const isNameOf = (row: MirrorRow, writing: PackageWriting, name: string | null) =>
  name === copyName(row, writing, false) || name === copyName(row, writing, true)

export const copyWithKey = (found: readonly PlatformPackage[], key: string) =>
  found.find((one) => packageKeyOf(one.description) === key)

/** Keeps which plans of the platform use a package. */
export async function keepUses(tx: Transaction<Database>, package_id: number, uses: readonly PackageUse[]) {
  await tx.deleteFrom('targeting_platform_use').where('package_id', '=', package_id).execute()
  if (uses.length === 0) return
  const rows = uses.map(({ plan_id, name, live }) => ({ package_id, plan_id, name, live }))
  await tx
    .insertInto('targeting_platform_use')
    .values(rows)
    .onConflict((oc) => oc.columns(['package_id', 'plan_id']).doNothing())
    .execute()
}
