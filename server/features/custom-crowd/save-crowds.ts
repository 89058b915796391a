import type { Kysely } from 'kysely'
import type { z } from 'zod'
import type { addCustomCrowd, updateCustomCrowd } from '#contract/custom-crowd.ts'
import { outcome } from '#contract/outcome.ts'
import { crowdMove } from '../../crowds/crowd-move.ts'
import { customLog } from '../../crowds/custom-log.ts'
import { AppError } from '../../errors.ts'
import type { Viewer } from '../../http/viewer.ts'
import { audit } from '../../postgres/audit.ts'
import type { Database } from '../../postgres/schema.ts'
import { now } from '../../time/clock.ts'
import type { CustomChecks } from './crowd-checks.ts'
import type { OpenVersion } from './open-version.ts'

const KINDS = { 1: 'append', 2: 'remove' } as const
const WORDS = { append: '追加文件', remove: '删减文件' } as const

/** Creates, updates, restores and moves uploaded crowds. */
export function saveCrowds({ checks, openVersion }: { checks: CustomChecks; openVersion: OpenVersion }) {
  const { mustFind, change, changeOf, mustHaveFolder, mustBeFree, mustBeEditable } = checks

  async function rename(tx: Kysely<Database>, viewer: Viewer, crowd: { id: number; dir_id: number }, name: string) {
    await mustHaveFolder(tx, crowd.dir_id)
    await mustBeFree(tx, crowd.dir_id, name, [crowd.id])
    await tx.updateTable('custom_crowd').set({ name }).where('id', '=', crowd.id).execute()
    await customLog(tx, viewer, { crowd_id: crowd.id, op_type: 2, what: `重命名为「${name}」` })
  }

  return {
    async add(viewer: Viewer, wanted: z.output<typeof addCustomCrowd.body>): Promise<{ id: number }> {
      viewer.mustBeMember(wanted.adv_id)
      const { files, ...crowd } = wanted
      return changeOf([crowd.adv_id], async (tx) => {
        await mustHaveFolder(tx, crowd.dir_id)
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
        await mustBeEditable(tx, crowd)
        if (wanted.files && !wanted.operation_type)
          throw new AppError('badInput', { reason: outcome('crowd_update_type_missing') })
        if (wanted.operation_type && !wanted.files)
          throw new AppError('badInput', { reason: outcome('upload_missing') })
        if (wanted.name === undefined && !wanted.files) throw new AppError('customNothing')
        const name = wanted.name ?? crowd.name
        if (name !== crowd.name) await rename(tx, viewer, crowd, name)
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
