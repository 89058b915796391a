import type { Kysely } from 'kysely'
import type { Funnel } from '#contract/custom-crowd.ts'
import type { Database } from '../../postgres/schema.ts'
import type { CustomVersionTable } from '../../postgres/schema-custom.ts'

type Version = Pick<
  CustomVersionTable,
  'no' | 'kind' | 'restored_from' | 'lines' | 'valid' | 'duplicate' | 'malformed' | 'size'
>

/**
 * The versions that a version is made of, oldest first. A change builds on the finished version before it; a restore
 * stands for the version that it brought back.
 */
function lineageOf(versions: readonly Version[], no: number): Version[] {
  const byNo = new Map(versions.map((version) => [version.no, version]))
  const before = (than: number) => Math.max(0, ...[...byNo.keys()].filter((other) => other < than))
  const lineage: Version[] = []
  for (let at = byNo.get(no); at; ) {
    if (at.kind === 'restore') {
      at = byNo.get(at.restored_from ?? 0)
      continue
    }
    lineage.unshift(at)
    at = at.kind === 'create' ? undefined : byNo.get(before(at.no))
  }
  return lineage
}

/** The counts of all lines of a version's uploads. */
function linesOf(versions: readonly Version[], no: number) {
  const total = { lines: 0, malformed: 0, duplicate: 0, valid: 0, repeated: 0, removed: 0, unique: 0 }
  for (const version of lineageOf(versions, no)) {
    const size = version.size ?? 0
    if (version.kind === 'remove') {
      total.removed += total.unique - size
    } else {
      total.lines += version.lines ?? 0
      total.malformed += version.malformed ?? 0
      total.duplicate += version.duplicate ?? 0
      total.valid += version.valid ?? 0
      total.repeated += (version.valid ?? 0) - (size - total.unique)
    }
    total.unique = size
  }
  return total
}

/** The funnel of a crowd: its lines, and its identifiers per platform account. */
export async function funnelOf(
  db: Kysely<Database>,
  crowd: { id: number; version: number; size: number | null; counted_at: number | null },
): Promise<Funnel> {
  const versions = await db
    .selectFrom('custom_version')
    .select(['no', 'kind', 'restored_from', 'lines', 'valid', 'duplicate', 'malformed', 'size'])
    .where('crowd_id', '=', crowd.id)
    .where('status', '=', 'done')
    .orderBy('no')
    .execute()
  const children = await db
    .selectFrom('audience')
    .innerJoin('platform_account', 'platform_account.id', 'audience.account_id')
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('push')
          .selectAll('push')
          .whereRef('push.child_id', '=', 'audience.id')
          // A push that is not planned yet has no numbers.
          .where('push.step', '!=', 'plan')
          .where('push.forget_account_id', 'is', null)
          .orderBy('push.id', 'desc')
          .limit(1)
          .as('last'),
      (join) => join.onTrue(),
    )
    .select([
      'audience.id',
      'audience.account_id',
      'platform_account.name',
      'platform_account.external_id',
      'audience.cnt_type',
      'audience.accepted',
      'audience.covered',
      'audience.looked_at',
      'last.step',
      'last.status',
      'last.adds',
      'last.sent',
      'last.total',
      'last.suppressed',
      'last.no_consent',
      'last.held_out',
      'last.not_sendable',
    ])
    .where('audience.custom_id', '=', crowd.id)
    .where('audience.deleted_at', 'is', null)
    .orderBy('audience.cnt_type')
    .orderBy('audience.id')
    .execute()
  return {
    ...linesOf(versions, crowd.version),
    counted_at: crowd.counted_at,
    accounts: children.map((child) => ({
      child_id: child.id,
      account_id: child.account_id,
      account_name: child.name,
      external_id: child.external_id,
      cnt_type: child.cnt_type,
      ...sentOf(child, crowd.size ?? 0),
      accepted: child.accepted,
      covered: child.covered,
      at: child.looked_at,
    })),
  }
}

interface LastPush {
  step: string | null
  status: string | null
  adds: number | null
  sent: number | null
  total: number | null
  suppressed: number | null
  no_consent: number | null
  held_out: number | null
  not_sendable: number | null
}

/** unique = sent + suppressed + no_consent + held_out + not_sendable + waiting; values sent by earlier pushes count as sent. */
function sentOf(last: LastPush, size: number) {
  const nothing = { sent: 0, suppressed: 0, no_consent: 0, held_out: 0, not_sendable: 0 }
  // How many values a push leaves out is known once it is planned.
  if (last.step === null || last.step === 'plan') return { ...nothing, unique: size, waiting: size }
  const unique = last.total ?? 0
  const suppressed = last.suppressed ?? 0
  const no_consent = last.no_consent ?? 0
  const held_out = last.held_out ?? 0
  const not_sendable = last.not_sendable ?? 0
  const sendable = unique - suppressed - no_consent - held_out - not_sendable
  const waiting = last.status === 'done' ? 0 : Math.min(sendable, Math.max(0, (last.adds ?? 0) - (last.sent ?? 0)))
  return { unique, sent: sendable - waiting, suppressed, no_consent, held_out, not_sendable, waiting }
}
