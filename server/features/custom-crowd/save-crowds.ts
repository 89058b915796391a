import type { Kysely } from 'kysely'
import type { z } from 'zod'
import { ID_MAX } from '#contract/common.ts'
import type { addCustomCrowd, updateCustomCrowd } from '#contract/custom-crowd.ts'
import { outcome } from '#contract/outcome.ts'
import { crowdMove } from '../../crowds/crowd-move.ts'
import { customLog } from '../../crowds/custom-log.ts'
import { AppError } from '../../errors.ts'
import { keptName, mustNameNoPhone } from '../../files/written-names.ts'
import type { Viewer } from '../../http/viewer.ts'
import { audit } from '../../postgres/audit.ts'
import type { Database } from '../../postgres/schema.ts'
import { now } from '../../time/clock.ts'
import type { CustomChecks } from './crowd-checks.ts'
import type { OpenVersion } from './open-version.ts'
import type { CrowdRow } from './store.ts'

const KINDS = { 1: 'append', 2: 'remove' } as const
const WORDS = { append: '追加文件', remove: '删减文件' } as const

type Placed = { id: number; name: string; dir_id: number }

/** An update may name the crowd's type and advertiser, but not change them. */
function mustStayOf(
  crowd: Pick<CrowdRow, 'user_id_type' | 'adv_id'>,
  wanted: Pick<z.output<typeof updateCustomCrowd.body>, 'user_id_type' | 'advertiser_id'>,
): void {
  const { user_id_type: type } = crowd
  if (wanted.user_id_type !== undefined && wanted.user_id_type !== type)
    throw new AppError('badInput', { reason: outcome('crowd_type_fixed', { type }) })
  if (wanted.advertiser_id !== undefined && wanted.advertiser_id !== crowd.adv_id)
    throw new AppError('badInput', { reason: outcome('crowd_of_other_advertiser') })
}

/** Creates, updates, restores and moves uploaded crowds. */
export function saveCrowds({ checks, openVersion }: { checks: CustomChecks; openVersion: OpenVersion }) {
  const { mustFind, change, changeOf, mustHaveFolder, mustBeFree, mustBeEditable } = checks

  /** Gives a crowd another name, another folder, or both. */
  async function place(tx: Kysely<Database>, viewer: Viewer, crowd: Placed, to: { name: string; dir_id: number }) {
    const folder = await mustHaveFolder(tx, to.dir_id)
    await mustBeFree(tx, to.dir_id, to.name, [crowd.id])
    await tx.updateTable('custom_crowd').set(to).where('id', '=', crowd.id).execute()
    const log = (op_type: 0 | 2, what: string) => customLog(tx, viewer, { crowd_id: crowd.id, op_type, what })
    if (to.name !== crowd.name) await log(2, `重命名为「${to.name}」`)
    if (to.dir_id !== crowd.dir_id) await log(0, `移动到文件夹「${folder.name}」`)
  }

  /** The advertiser that a new crowd names by its id, its name or both. */
  async function advertiserOf(
    viewer: Viewer,
    { adv_id, adv_name }: Pick<z.output<typeof addCustomCrowd.body>, 'adv_id' | 'adv_name'>,
  ): Promise<number> {
    if (adv_id !== undefined) viewer.mustBeMember(adv_id)
    if (adv_name === undefined) return adv_id as number
    const named = await checks.memberNamed(viewer, adv_name)
    if (named === null) throw new AppError('notFound', { what: '广告主' })
    if (adv_id !== undefined && adv_id !== named)
      throw new AppError('badInput', { reason: outcome('advertiser_name_differs') })
    return named
  }

  return {
    async add(viewer: Viewer, wanted: z.output<typeof addCustomCrowd.body>): Promise<{ id: number }> {
      const { files, adv_name: _, ...given } = wanted
      const crowd = { ...given, adv_id: await advertiserOf(viewer, wanted) }
      return changeOf([crowd.adv_id], async (tx) => {
        await mustHaveFolder(tx, crowd.dir_id)
        mustNameNoPhone(viewer, crowd.name)
        await mustBeFree(tx, crowd.dir_id, crowd.name)
        const { id } = await tx
          .insertInto('custom_crowd')
          .values({ ...crowd, creator_id: viewer.id, created_at: now() })
          .returning('id')
          .executeTakeFirstOrThrow()
        const version = await openVersion(tx, viewer, { ...crowd, id }, { kind: 'create', files })
        await customLog(tx, viewer, { crowd_id: id, op_type: 1, what: '新建人群', version })
        await audit(tx, viewer, 'custom_crowd.create', { id, ...crowd, files: files.map((file) => file.name) })
        return { id }
      })
    },

    update: (viewer: Viewer, { id, ...wanted }: z.output<typeof updateCustomCrowd.body>): Promise<void> =>
      change(viewer, [id], async (tx) => {
        const crowd = await mustFind(tx, viewer, id)
        const { dir_id = crowd.dir_id } = wanted
        const name = keptName(viewer, wanted.name, crowd.name)
        mustStayOf(crowd, wanted)
        if (wanted.name !== undefined || wanted.files || wanted.operation_type) await mustBeEditable(tx, crowd)
        else if (wanted.dir_id === undefined) throw new AppError('customNothing')
        if (wanted.files && !wanted.operation_type)
          throw new AppError('badInput', { reason: outcome('crowd_update_type_missing') })
        if (wanted.operation_type && !wanted.files)
          throw new AppError('badInput', { reason: outcome('upload_missing') })
        if (name !== crowd.name || dir_id !== crowd.dir_id) await place(tx, viewer, crowd, { name, dir_id })
        if (wanted.operation_type && wanted.files) {
          const kind = KINDS[wanted.operation_type]
          const version = await openVersion(tx, viewer, { ...crowd, name }, { kind, files: wanted.files })
          await customLog(tx, viewer, { crowd_id: id, op_type: 2, what: WORDS[kind], version })
        }
        const files = wanted.files?.map((file) => file.name)
        await audit(tx, viewer, 'custom_crowd.update', { id, ...wanted, files })
      }),

    restore: (viewer: Viewer, id: number, to: number): Promise<{ version: number }> =>
      change(viewer, [id], async (tx) => {
        const crowd = await mustFind(tx, viewer, id)
        await mustBeEditable(tx, crowd)
        if (to > ID_MAX) throw new AppError('customVersionGone', { version: to })
        const version = await tx
          .selectFrom('custom_version')
          .select('no')
          .where('crowd_id', '=', id)
          .where('no', '=', to)
          .where('status', '=', 'done')
          .executeTakeFirst()
        if (!version || to === crowd.version) throw new AppError('customVersionGone', { version: to })
        const no = await openVersion(tx, viewer, crowd, { kind: 'restore', files: [], restored_from: to })
        await customLog(tx, viewer, { crowd_id: id, op_type: 2, what: `恢复到版本 ${to}`, version: no })
        await audit(tx, viewer, 'custom_crowd.restore', { id, version: to })
        return { version: no }
      }),

    move: crowdMove(
      'custom',
      checks,
      (crowd) => crowd.dir_id,
      async (tx, viewer, ids, to) => {
        for (const crowd_id of ids) {
          await customLog(tx, viewer, { crowd_id, op_type: 0, what: `移动到文件夹「${to.name}」` })
        }
        await audit(tx, viewer, 'custom_crowd.move', { ids, dir_id: to.id })
      },
    ),
  }
}
