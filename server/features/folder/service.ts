import type { Kysely } from 'kysely'
import { type AssetFolder, DEFAULT_FOLDER, FOLDER_DEPTH_MAX, levelsOf, pathTo } from '#contract/folder.ts'
import { now } from '../../clock.ts'
import { AppError } from '../../errors.ts'
import type { Viewer } from '../../http/viewer.ts'
import { audit } from '../../postgres/audit.ts'
import type { Database } from '../../postgres/schema.ts'
import { transaction } from '../../postgres/transaction.ts'

/** Folder trees are shared by the deployment; two changes at once wait for each other. */
const FOLDER_LOCK = 'asset_folder'

export function folderService(db: Kysely<Database>) {
  const change = <T>(work: (tx: Kysely<Database>) => Promise<T>) =>
    transaction(db, async (tx) => {
      await tx
        .selectNoFrom((eb) => eb.fn('pg_advisory_xact_lock', [eb.fn('hashtext', [eb.val(FOLDER_LOCK)])]).as('held'))
        .execute()
      return work(tx)
    })

  return {
    tree: () => treeOf(db),

    create: (viewer: Viewer, name: string, parentId: number | null) =>
      change(async (tx) => {
        const tree = await treeOf(tx)
        if (parentId !== null) {
          const depth = mustFind(tree, parentId).length
          if (depth >= FOLDER_DEPTH_MAX) throw new AppError('folderTooDeep')
        }
        mustBeFree(tree, parentId, name)
        const { id } = await tx
          .insertInto('asset_folder')
          .values({ name, parent_id: parentId, created_at: now() })
          .returning('id')
          .executeTakeFirstOrThrow()
        await audit(tx, viewer, 'folder.create', { id, name, parentId })
        return { id }
      }),

    update: (viewer: Viewer, id: number, wanted: { name?: string | undefined; parentId?: number | null | undefined }) =>
      change(async (tx) => {
        const tree = await treeOf(tx)
        const path = mustFind(tree, id)
        if (id === DEFAULT_FOLDER) throw new AppError('defaultFolderStays')
        const folder = folderAt(tree, path)
        const parentId = wanted.parentId === undefined ? folder.parentId : wanted.parentId
        if (parentId !== null && parentId !== folder.parentId) {
          const above = mustFind(tree, parentId)
          if (above.includes(id)) throw new AppError('folderIntoItself')
          if (above.length + levelsOf(folder) > FOLDER_DEPTH_MAX) throw new AppError('folderTooDeep')
        }
        const name = wanted.name ?? folder.name
        mustBeFree(tree, parentId, name, id)
        await tx.updateTable('asset_folder').set({ name, parent_id: parentId }).where('id', '=', id).execute()
        await audit(tx, viewer, 'folder.update', { id, ...wanted })
      }),

    /** Deletes folders and the empty ones below them, all or none; packages the viewer cannot see count too. */
    remove: (viewer: Viewer, ids: readonly number[]) =>
      change(async (tx) => {
        const tree = await treeOf(tx)
        const doomed = [...new Set(ids)].map((id) => folderAt(tree, mustFind(tree, id)))
        const gone = new Map(doomed.flatMap(withAllBelow).map((folder) => [folder.id, folder]))
        if (gone.has(DEFAULT_FOLDER)) throw new AppError('defaultFolderStays')
        const held = await tx
          .selectFrom('people')
          .select('id')
          .where('dir_id', 'in', [...gone.keys()])
          .where('deleted_at', 'is', null)
          .limit(1)
          .executeTakeFirst()
        if (held) throw new AppError('folderHoldsPackages')
        // What was deleted a while ago may still be undone: it comes back in the default folder.
        await tx
          .updateTable('people')
          .set({ dir_id: DEFAULT_FOLDER })
          .where('dir_id', 'in', [...gone.keys()])
          .execute()
        for (const folder of [...gone.values()].sort((a, b) => levelsOf(a) - levelsOf(b))) {
          await tx.deleteFrom('asset_folder').where('id', '=', folder.id).execute()
        }
        await audit(tx, viewer, 'folder.delete', { ids: [...gone.keys()] })
      }),
  }
}
export type FolderService = ReturnType<typeof folderService>

async function treeOf(db: Kysely<Database>): Promise<AssetFolder[]> {
  const rows = await db.selectFrom('asset_folder').select(['id', 'name', 'parent_id']).orderBy('id').execute()
  const below = new Map<number | null, typeof rows>()
  for (const row of rows) below.set(row.parent_id, [...(below.get(row.parent_id) ?? []), row])
  const branch = (parentId: number | null): AssetFolder[] =>
    (below.get(parentId) ?? []).map(({ id, name }) => ({ id, name, parentId, subDirs: branch(id) }))
  return branch(null)
}

function mustFind(tree: readonly AssetFolder[], id: number): number[] {
  const path = pathTo(tree, id)
  if (path.length === 0) throw new AppError('notFound', { what: '文件夹' })
  return path
}

/** The folder a path leads to; the path came from the same tree. */
function folderAt(tree: readonly AssetFolder[], path: readonly number[]): AssetFolder {
  const [first, ...rest] = path
  const folder = tree.find((f) => f.id === first) as AssetFolder
  return rest.length === 0 ? folder : folderAt(folder.subDirs, rest)
}

function mustBeFree(tree: readonly AssetFolder[], parentId: number | null, name: string, except?: number): void {
  const siblings = parentId === null ? tree : folderAt(tree, pathTo(tree, parentId)).subDirs
  if (siblings.some((f) => f.name === name && f.id !== except)) throw new AppError('nameTaken')
}

const withAllBelow = (folder: AssetFolder): AssetFolder[] => [folder, ...folder.subDirs.flatMap(withAllBelow)]
