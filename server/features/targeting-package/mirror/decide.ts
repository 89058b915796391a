import type { Transaction } from 'kysely'
import { ItemName } from '#contract/common.ts'
import { outcome } from '#contract/outcome.ts'
import { AppError } from '../../../errors.ts'
import type { Viewer } from '../../../http/viewer.ts'
import { audit } from '../../../postgres/audit.ts'
import type { Database } from '../../../postgres/schema.ts'
import { now } from '../../../time/clock.ts'
import {
  changePackage,
  mustFindAccount,
  mustFindPackage,
  mustReadTargeting,
  mustUseAccount,
  namesIn,
  type StoredPackage,
} from '../checks.ts'
import { landingTypeOf } from '../insert.ts'
import type { PackageSaves } from '../save.ts'
import type { MirrorDeps } from './deps.ts'
import { type MirrorQueue, newKey } from './queue.ts'
import type { MirrorReading } from './reading.ts'
import { isSameContent, setMirror } from './rows.ts'

/** Seconds that a person waits for the platform, and for which a reading serves again. */
const WAIT_S = 15
const FRESH_S = 5

interface Parts {
  queue: MirrorQueue
  reading: MirrorReading
  write: PackageSaves['write']
}

/** What a person decides about the copy of a package on its platform. */
export function mirrorDecisions({ db, packagesOf }: MirrorDeps, { queue, reading, write }: Parts) {
  async function mustFindMirror(tx: Transaction<Database>, { id }: StoredPackage) {
    const mirror = await tx.selectFrom('targeting_mirror').selectAll().where('package_id', '=', id).executeTakeFirst()
    if (!mirror) throw new AppError('badInput', { reason: outcome('targeting_kept_here') })
    return mirror
  }
  const mustBeChanged = async (tx: Transaction<Database>, row: StoredPackage) => {
    const mirror = await mustFindMirror(tx, row)
    if (!mirror.found) throw new AppError('badInput', { reason: outcome('targeting_not_changed_there') })
    return { ...mirror, found: mirror.found }
  }
  const saved = ({ id, ver }: { id: number; ver: number }) => ({ id, ver })

  return {
    sync: (viewer: Viewer, id: number) =>
      changePackage(db, viewer, id, async (tx, row) => {
        await mustUseAccount(tx, viewer, row.account_id)
        const { state } = await mustFindMirror(tx, row)
        if (state === 'changed') throw new AppError('badInput', { reason: outcome('targeting_changed_there') })
        const again = { state: 'waiting', attempts: 0, outcome: null } as const
        if (state === 'gone') {
          await tx.updateTable('targeting_package').set({ targeting_id: null }).where('id', '=', id).execute()
          const anew = {
            key: newKey(),
            is_tried: false,
            name: null,
            content: null,
            others: '[]',
            sending: null,
            synced_at: null,
          }
          await setMirror(tx, id, { ...again, ...anew })
        } else await setMirror(tx, id, again)
        await queue.sendRun(tx, row.account_id)
        await audit(tx, viewer, 'targeting.sync', { id, adv_id: row.adv_id })
        return saved(row)
      }),

    overwrite: (viewer: Viewer, id: number) =>
      changePackage(db, viewer, id, async (tx, row) => {
        await mustUseAccount(tx, viewer, row.account_id)
        await mustBeChanged(tx, row)
        await setMirror(tx, id, { state: 'waiting', is_forced: true, found: null, attempts: 0, outcome: null })
        await queue.sendRun(tx, row.account_id)
        await audit(tx, viewer, 'targeting.overwrite', { id, adv_id: row.adv_id })
        return saved(row)
      }),

    adopt: (viewer: Viewer, id: number) =>
      changePackage(db, viewer, id, async (tx, row) => {
        const { found } = await mustBeChanged(tx, row)
        const packages = packagesOf(row.platform)
        if (!packages) throw new AppError('badInput', { reason: outcome('targeting_kept_here') })
        const targeting = mustReadTargeting(row.platform, packages.targetingOf(found.content, row.targeting))
        const isWhole = isSameContent(found.content, packages.contentOf(targeting))
        if (!isWhole || landingTypeOf(targeting) !== row.landing_type) {
          throw new AppError('badInput', { reason: outcome('targeting_not_adoptable') })
        }
        const taken = await namesIn(tx, row, [id])
        const isNameFree = ItemName.safeParse(found.name).success && !taken.has(found.name)
        const name = isNameFree ? found.name : row.name
        const { dir_id, invalid_time } = row
        const made = await write(tx, viewer, row, { name, dir_id, invalid_time, targeting }, { kind: 'adopt' })
        await setMirror(tx, id, {
          state: isNameFree ? 'synced' : 'waiting',
          name: found.name,
          content: JSON.stringify(found.content),
          others: JSON.stringify(found.others ?? []),
          found: null,
          sending: null,
          outcome: null,
          attempts: 0,
          synced_at: now(),
        })
        await audit(tx, viewer, 'targeting.adopt', { id, adv_id: row.adv_id, name, ver: made.ver })
        return made
      }),

    async refresh(viewer: Viewer, asked: { advertiser_id: number; id?: number | undefined }) {
      const account = await mustFindAccount(db, viewer, asked.advertiser_id)
      if (asked.id !== undefined) {
        const row = await mustFindPackage(db, viewer, asked.id)
        if (row.account_id !== account.id) throw new AppError('notFound', { what: '定向包' })
      }
      const last = () =>
        db
          .selectFrom('targeting_account')
          .select(['read_at', 'outcome'])
          .where('account_id', '=', account.id)
          .executeTakeFirst()
      const before = await last()
      const isFresh = asked.id === undefined && (before?.read_at ?? 0) > now() - FRESH_S && !before?.outcome
      if (packagesOf(account.platform) !== null && !isFresh) {
        const signal = AbortSignal.timeout(WAIT_S * 1000)
        try {
          await reading.read(account.id, { signal, uses: asked.id ?? null })
        } catch (error) {
          if (!signal.aborted) throw error
          const fail_outcome = outcome('platform_no_answer_within', { seconds: WAIT_S })
          return { read_at: before?.read_at ?? null, fail_outcome }
        }
      }
      const after = await last()
      return { read_at: after?.read_at ?? null, fail_outcome: after?.outcome ?? null }
    },
  }
}
