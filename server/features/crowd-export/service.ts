import type { Kysely } from 'kysely'
import type { z } from 'zod'
import type { CrowdExport } from '#contract/crowd-export.ts'
import { downloadHead, downloadLine } from '#contract/download-csv.ts'
import type { Handles } from '../../clickhouse/handles.ts'
import type { RuleEvaluator } from '../../clickhouse/rule/evaluate.ts'
import { otherSize } from '../../clickhouse/rule/plan.ts'
import { type CrowdSet, crowdSets, versionOf } from '../../crowds/crowd-sets.ts'
import { MATCH_STEP } from '../../crowds/kinds.ts'
import { endHold, holdVersions, keepHold } from '../../crowds/member-holds.ts'
import { AppError } from '../../errors.ts'
import { phonesFor } from '../../files/mask-phones.ts'
import type { SentFile } from '../../http/file-download.ts'
import type { Viewer } from '../../http/viewer.ts'
import { audit } from '../../postgres/audit.ts'
import type { Database } from '../../postgres/schema.ts'
import { transaction } from '../../postgres/transaction.ts'
import { timeText } from '../../time/day.ts'
import { type ChosenColumns, chooseColumns, offeredColumns } from './columns.ts'
import { describedPeople, peopleOf, sizesOf } from './people.ts'

interface Deps {
  db: Kysely<Database>
  live: Handles
  evaluator: RuleEvaluator
  timezone: string
  personKey: Buffer
}

/** Cells of one part of a file: enough people for the engine, few enough for the memory of the process. */
const CELLS_AT_ONCE = 400_000
const PEOPLE_AT_ONCE = { min: 2000, max: 50_000 }

/** The people of a crowd of either kind, as a file. */
export function crowdExportService({ db, live, evaluator, timezone, personKey }: Deps) {
  const engine = live.acrossShards

  async function oneCrowd(tx: Kysely<Database>, viewer: Viewer, id: number) {
    const { adv_id, crowds } = await crowdSets(tx, viewer, [id])
    const [crowd] = crowds
    if (!crowd) throw new AppError('notFound', { what: '人群' })
    return { adv_id, crowd }
  }

  /** Reads which versions are in force and holds them, so that they stay until the file is written. */
  const pinned = (viewer: Viewer, { id, columns }: z.output<typeof CrowdExport>) =>
    transaction(db, async (tx) => {
      const { adv_id, crowd } = await oneCrowd(tx, viewer, id)
      const chosen = await chooseColumns(tx, viewer, { adv_id, timezone, personKey }, columns)
      const hold = await holdVersions(tx, adv_id, [versionOf(crowd), ...chosen.tags.map(tagVersion)])
      return { adv_id, crowd, chosen, hold }
    })

  /** A set of another size is refused, as counts refuse it. */
  async function mustBeWhole(adv_id: number, tags: ChosenColumns['tags']): Promise<void> {
    const sets = tags.map(tagVersion)
    const found = await evaluator.membersOf(adv_id, sets)
    const wrong = sets.findIndex((set, at) => set.count !== found[at])
    const set = sets[wrong]
    if (set) throw otherSize(set, found[wrong] ?? 0)
  }

  return {
    async columns(viewer: Viewer, id: number) {
      const { adv_id, crowd } = await oneCrowd(db, viewer, id)
      const { name, count, counted_at } = crowd
      const groups = await offeredColumns(db, engine, viewer, adv_id)
      return { name, adv_id, count, counted_at, hides_phones: !viewer.see_phones, groups }
    },

    async export(viewer: Viewer, asked: z.output<typeof CrowdExport>): Promise<SentFile> {
      const { adv_id, crowd, chosen, hold } = await pinned(viewer, asked)
      const members = { adv_id, crowd_id: crowd.id, version: crowd.version }
      const buckets = await checked().catch(async (error: unknown) => {
        await endHold(db, hold)
        throw error
      })
      return { name: fileName(viewer, crowd), content: lines() }

      /** The people to export, by bucket, once everything is certain to be there; audited. */
      async function checked() {
        const { buckets, known } = await sizesOf(engine, members)
        const stored = buckets.reduce((sum, { people }) => sum + people, 0)
        if (stored !== crowd.count) throw otherSize(versionOf(crowd), stored)
        // An import was undone, and the crowd is about to be computed without its people.
        if (known < crowd.count) throw new AppError('crowdPeopleChanging', { name: phonesFor(viewer)(crowd.name) })
        await mustBeWhole(adv_id, chosen.tags)
        await audit(db, viewer, 'export.crowd', {
          ...{ adv_id, crowd: crowd.id, kind: crowd.kind, name: crowd.name, version: crowd.version },
          ...{ columns: chosen.columns.map(({ key }) => key), rows: crowd.count, phones: viewer.see_phones },
        })
        return buckets
      }

      async function* lines(): AsyncGenerator<string> {
        const held = keepHold(db, hold)
        try {
          yield downloadHead(chosen.columns.map(({ label }) => label))
          let written = 0
          for await (const uids of peopleOf(engine, members, buckets, atOnceFor(chosen))) {
            const people = await describedPeople(engine, { adv_id, uids, personKey }, chosen)
            held.mustHold()
            const rows = people.map((person) => {
              if (!person) throw new Error(`a person of crowd ${crowd.id} is gone while it is exported`)
              return downloadLine(chosen.columns.map(({ cell }) => cell(person)))
            })
            written += rows.length
            yield rows.join('')
          }
          if (written !== crowd.count) throw otherSize(versionOf(crowd), written)
        } finally {
          await held.end()
        }
      }
    },
  }

  /** The crowd's name, its version, and the time of that version's data. */
  function fileName(viewer: Viewer, { name, kind, version, counted_at }: CrowdSet): string {
    const shown = kind === 'custom' ? version % MATCH_STEP : version
    const time = timeText(counted_at, timezone).replaceAll(/[-:]/g, '').replace(' ', '-')
    return `${phonesFor(viewer)(name)}-版本${shown}-${time}.csv`
  }
}
export type CrowdExportService = ReturnType<typeof crowdExportService>

const tagVersion = ({ id, version, count }: ChosenColumns['tags'][number]) => ({
  ...{ kind: 'tag' as const, id, version, count },
})

const atOnceFor = ({ columns }: ChosenColumns) =>
  Math.max(PEOPLE_AT_ONCE.min, Math.min(PEOPLE_AT_ONCE.max, Math.floor(CELLS_AT_ONCE / columns.length)))
