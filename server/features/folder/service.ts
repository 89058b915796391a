import type { Kysely } from 'kysely'
import { type AssetFolder, DEFAULT_FOLDER, FOLDER_DEPTH_MAX, levelsOf, pathTo } from '#contract/folder.ts'
import { AppError } from '../../errors.ts'
import { keptName, mustNameNoPhone } from '../../files/written-names.ts'
import { mustChangeSomething, type Viewer } from '../../http/viewer.ts'
import { audit } from '../../postgres/audit.ts'
import type { Database } from '../../postgres/schema.ts'
import { transaction } from '../../postgres/transaction.ts'
import { now } from '../../time/clock.ts'

type Folder = AssetFolder

/** The two trees of folders, and what lies in them. */
const TREES = {
  asset: {
    folders: 'asset_folder',
    items: ['people', 'targeting_package'],
    held: 'folderHoldsPackages',
    action: 'folder',
  },
  custom: { folders: 'custom_folder', items: ['custom_crowd'], held: 'folderHoldsCrowds', action: 'custom_folder' },
} as const

/** Folder trees are shared by the deployment; changes of one tree run one after the other. */
export function folderService(db: Kysely<Database>, kind: keyof typeof TREES) {
  const { folders, items, held, action } = TREES[kind]

  const change = <T>(viewer: Viewer, work: (tx: Kysely<Database>) => Promise<T>) =>
    transaction(db, async (tx) => {
      // The folders are everybody's, so a member who may only look everywhere leaves them as they are.
      mustChangeSomething(viewer)
      await tx
        .selectNoFrom((eb) => eb.fn('pg_advisory_xact_lock', [eb.fn('hashtext', [eb.val<string>(folders)])]).as('held'))
        .execute()
      return work(tx)
    })

  /**
   * Refuses unless the viewer is a member of every advertiser that has something in these folders: otherwise others would
   * find their things renamed, moved or gone.
   */
  async function mustSeeAll(tx: Kysely<Database>, viewer: Viewer, ids: readonly number[]): Promise<void> {
    for (const table of items) {
      const owners = await tx
        .selectFrom(table)
        .select('adv_id')
        .distinct()
        .where('dir_id', 'in', ids)
        .where('deleted_at', 'is', null)
        .execute()
      if (!owners.every(({ adv_id }) => viewer.isMember(adv_id))) throw new AppError('folderHoldsOthers')
    }
  }

  async function treeOf(tx: Kysely<Database>): Promise<Folder[]> {
    const rows = await tx.selectFrom(folders).select(['id', 'name', 'parent_id']).orderBy('id').execute()
    const below = new Map<number | null, typeof rows>()
    for (const row of rows) below.set(row.parent_id, [...(below.get(row.parent_id) ?? []), row])
    const branch = (parentId: number | null): Folder[] =>
      (below.get(parentId) ?? []).map(({ id, name }) => ({ id, name, parentId, subDirs: branch(id) }))
    return branch(null)
  }

  return {
    tree: () => treeOf(db),

    async get(id: number): Promise<Folder> {
      const tree = await treeOf(db)
      return folderAt(tree, mustFind(tree, id))
    },

    create: (viewer: Viewer, name: string, parentId: number | null) =>
      change(viewer, async (tx) => {
        mustNameNoPhone(viewer, name)
        const tree = await treeOf(tx)
        if (parentId !== null) {
          const depth = mustFind(tree, parentId).length
          if (depth >= FOLDER_DEPTH_MAX) throw new AppError('folderTooDeep')
        }
        mustBeFree(tree, parentId, name)
        const { id } = await tx
          .insertInto(folders)
          .values({ name, parent_id: parentId, created_at: now() })
          .returning('id')
          .executeTakeFirstOrThrow()
        await audit(tx, viewer, `${action}.create`, { id, name, parentId })
        return { id }
      }),

    update: (viewer: Viewer, id: number, wanted: { name?: string | undefined; parentId?: number | null | undefined }) =>
      change(viewer, async (tx) => {
        const tree = await treeOf(tx)
        const path = mustFind(tree, id)
        if (id === DEFAULT_FOLDER) throw new AppError('defaultFolderStays')
        const folder = folderAt(tree, path)
        await mustSeeAll(tx, viewer, idsIn(folder))
        const parentId = wanted.parentId === undefined ? folder.parentId : wanted.parentId
        if (parentId !== null && parentId !== folder.parentId) {
          const above = mustFind(tree, parentId)
          if (above.includes(id)) throw new AppError('folderIntoItself')
          if (above.length + levelsOf(folder) > FOLDER_DEPTH_MAX) throw new AppError('folderTooDeep')
        }
        const name = keptName(viewer, wanted.name, folder.name)
        mustBeFree(tree, parentId, name, id)
        await tx.updateTable(folders).set({ name, parent_id: parentId }).where('id', '=', id).execute()
        await audit(tx, viewer, `${action}.update`, { id, ...wanted })
      }),

    /**
     * Deletes folders and the folders below them when all are empty, also of what the viewer cannot see. A check refuses
     * what the deletion would refuse, and deletes nothing.
     */
    remove: (viewer: Viewer, given: readonly number[], { isCheck = false } = {}) =>
      change(viewer, async (tx) => {
        const tree = await treeOf(tx)
        const selected = [...new Set(given)].map((id) => folderAt(tree, mustFind(tree, id)))
        const gone = new Map(selected.flatMap(withAllBelow).map((folder) => [folder.id, folder]))
        if (gone.has(DEFAULT_FOLDER)) throw new AppError('defaultFolderStays')
        const ids = [...gone.keys()]
        // Whoever puts something into a folder locks it first.
        await tx.selectFrom(folders).select('id').where('id', 'in', ids).orderBy('id').forUpdate().execute()
        await mustSeeAll(tx, viewer, ids)
        for (const table of items) {
          const inside = await tx
            .selectFrom(table)
            .select('id')
            .where('dir_id', 'in', ids)
            .where('deleted_at', 'is', null)
            .limit(1)
            .executeTakeFirst()
          if (inside) throw new AppError(held)
        }
        if (isCheck) return
        for (const table of items) {
          // A deleted crowd may still be restored: it comes back in the default folder.
          await tx.updateTable(table).set({ dir_id: DEFAULT_FOLDER }).where('dir_id', 'in', ids).execute()
        }
        for (const folder of [...gone.values()].sort((a, b) => levelsOf(a) - levelsOf(b))) {
          await tx.deleteFrom(folders).where('id', '=', folder.id).execute()
        }
        await audit(tx, viewer, `${action}.delete`, { ids })
      }),
  }
}
export type FolderService = ReturnType<typeof folderService>

function mustFind(tree: readonly Folder[], id: number): number[] {
  const path = pathTo(tree, id)
  if (path.length === 0) throw new AppError('notFound', { what: '文件夹' })
  return path
}

/** The folder at the end of a path of the same tree. */
function folderAt(tree: readonly Folder[], path: readonly number[]): Folder {
  const [first, ...rest] = path
  const folder = tree.find((f) => f.id === first) as Folder
  return rest.length === 0 ? folder : folderAt(folder.subDirs, rest)
}

function mustBeFree(tree: readonly Folder[], parentId: number | null, name: string, except?: number): void {
  const siblings = parentId === null ? tree : folderAt(tree, pathTo(tree, parentId)).subDirs
  if (siblings.some((f) => f.name === name && f.id !== except)) throw new AppError('nameTaken')
}

const idsIn = (folder: Folder): number[] => withAllBelow(folder).map(({ id }) => id)

const withAllBelow = (folder: Folder): Folder[] => [folder, ...folder.subDirs.flatMap(withAllBelow)]
