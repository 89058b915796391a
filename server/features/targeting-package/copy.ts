import type { Kysely } from 'kysely'
import type { z } from 'zod'
import { outcome } from '#contract/outcome.ts'
import type { Conversion } from '#contract/targeting/convert/conversion.ts'
import { convertTargeting } from '#contract/targeting/convert/convert.ts'
import { onlyThere } from '#contract/targeting/convert/only-there.ts'
import { usesCrowds } from '#contract/targeting/crowds-of.ts'
import type { CrowdRow } from '#contract/targeting/five-tab/crowd-row.ts'
import type { previewTargetingCopy } from '#contract/targeting-copy.ts'
import type { copyTargeting } from '#contract/targeting-package.ts'
import { AppError } from '../../errors.ts'
import { mustNameNoPhone } from '../../files/written-names.ts'
import type { Viewer } from '../../http/viewer.ts'
import { PlatformFault } from '../../platforms/audience-platform.ts'
import { audit } from '../../postgres/audit.ts'
import { leftOutOfPackage } from '../../postgres/left-out.ts'
import type { Database } from '../../postgres/schema.ts'
import { now } from '../../time/clock.ts'
import { endOfDay } from '../../time/day.ts'
import {
  type Account,
  changeOf,
  mustFindAccount,
  mustFindPackage,
  mustHaveFolder,
  mustHaveRoom,
  mustReadTargeting,
  mustUseAccount,
  namesIn,
  type StoredPackage,
} from './checks.ts'
import type { PackageDeps } from './deps.ts'
import { insertPackage } from './insert.ts'
import type { MirrorQueue } from './mirror/queue.ts'
import { freeCopyName } from './names.ts'

/** How long a copy of an expired package lives. */
const COPY_LIFE_SECONDS = 30 * 86_400

/** Copies packages, to other accounts and platforms too. */
export function copyPackages({ db, timezone, crowdList, estimate, mirror }: PackageDeps & { mirror: MirrorQueue }) {
  /** The crowds that a copy may keep; nobody's are read where none are used or the account is the same. */
  async function crowdsFor(source: StoredPackage, account: Account): Promise<CrowdRow[] | null> {
    if (account.id === source.account_id || !usesCrowds(source.targeting)) return []
    try {
      return (await crowdList(account.id)).content
    } catch (error) {
      if (error instanceof PlatformFault) return null
      throw error
    }
  }

  function converted(source: StoredPackage, account: Account, landing_type: string | null, crowds: CrowdRow[] | null) {
    const target = {
      landing_type,
      isSameAccount: account.id === source.account_id,
      isSameAdvertiser: account.adv_id === source.adv_id,
      crowds,
    }
    const copy = convertTargeting(source.platform, source.targeting, account.platform, target)
    if (landing_type !== null && copy.targeting.landing_type !== landing_type) {
      throw new AppError('badInput', { reason: outcome('targeting_type_missing') })
    }
    // What stays as it is was checked when it was saved.
    const isSame = copy.targeting === source.targeting && source.origin === 'own'
    return { ...copy, targeting: isSame ? source.targeting : mustReadTargeting(account.platform, copy.targeting) }
  }

  /** What a copy has not or has otherwise, with what its original restricts on its platform alone. */
  async function allChanges(on: Kysely<Database>, source: StoredPackage, changes: Conversion['changes']) {
    const all = [...changes, ...onlyThere(source.platform, await leftOutOfPackage(on, source.id))]
    return all.map(({ reason, ...change }) => ({ ...change, reason_outcome: reason }))
  }

  return {
    async previewCopy(viewer: Viewer, wanted: z.output<typeof previewTargetingCopy.body>) {
      const source = await mustFindPackage(db, viewer, wanted.id)
      const account = await mustFindAccount(db, viewer, wanted.advertiser_id)
      const crowds = await crowdsFor(source, account)
      const { targeting, changes } = converted(source, account, wanted.landing_type, crowds)
      return { platform: account.platform, targeting, changes: await allChanges(db, source, changes) }
    },

    async copy(viewer: Viewer, wanted: z.output<typeof copyTargeting.body>) {
      const source = await mustFindPackage(db, viewer, wanted.id)
      const goal = await mustFindAccount(db, viewer, wanted.advertiser_id ?? source.account_id)
      const account_id = goal.id
      // Asked before anything is locked, since a platform may take its time.
      const crowds = await crowdsFor(source, goal)
      return changeOf(db, [account_id, source.account_id], async (tx) => {
        const row = await mustFindPackage(tx, viewer, wanted.id)
        const account = await mustUseAccount(tx, viewer, account_id)
        const { adv_id, platform } = account
        const dir_id = wanted.dir_id ?? row.dir_id
        await mustHaveFolder(tx, dir_id)
        const taken = await namesIn(tx, { adv_id, platform, dir_id })
        if (wanted.targeting_name !== undefined) mustNameNoPhone(viewer, wanted.targeting_name)
        const name = wanted.targeting_name ?? freeCopyName(row.name, taken)
        if (taken.has(name)) throw new AppError('nameTaken')
        await mustHaveRoom(tx, account, mirror)
        if (crowds === null && !wanted.without_crowds) {
          throw new AppError('badInput', { reason: outcome('copy_crowds_unknown') })
        }
        const { targeting, changes } = converted(row, account, wanted.landing_type, crowds)
        const isAlive = row.invalid_time >= now()
        const made = await insertPackage(tx, viewer, 'copy', {
          adv_id,
          account_id,
          platform,
          dir_id,
          name,
          invalid_time: isAlive ? row.invalid_time : endOfDay(now() + COPY_LIFE_SECONDS, timezone),
          targeting,
        })
        await mirror.saved(tx, { id: made.id, account_id, platform })
        await estimate(tx, made.id)
        await audit(tx, viewer, 'targeting.copy', { id: made.id, from: row.id, account_id, name })
        return { id: made.id, name, changes: await allChanges(tx, row, changes) }
      })
    },
  }
}
