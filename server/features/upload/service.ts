import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Kysely, Transaction } from 'kysely'
import { type Outcome, outcome } from '#contract/outcome.ts'
import type { UploadPurpose, UploadStep } from '#contract/upload.ts'
import { AppError } from '../../errors.ts'
import { mustChangeSomething, type Viewer } from '../../http/viewer.ts'
import type { Jobs } from '../../jobs/open.ts'
import { audit } from '../../postgres/audit.ts'
import type { Database } from '../../postgres/schema.ts'
import { transaction } from '../../postgres/transaction.ts'
import { openFileStore } from '../../storage/file-store.ts'
import { nullIfMissing } from '../../storage/missing-file.ts'
import type { ObjectStore } from '../../storage/object-store.ts'
import { now } from '../../time/clock.ts'
import { takeOverEarlierFiles } from './earlier-files.ts'
import { checkNewFile, type NewFile, PURPOSES, purposeOfKey } from './purposes.ts'
import { addUpload, deleteUnused, findUpload, newUploadId, type UploadRow } from './rows.ts'
import { sweepUploads } from './sweep.ts'
import { TOKEN_SECONDS, uploadTokens } from './token.ts'

const SWEEP = 'upload.sweep'
/** The purpose from which the key of upload tokens is derived. */
export const UPLOAD_TOKEN_PURPOSE = 'crowd upload'
const gone = () => new AppError('notFound', { what: '上传的文件' })
const refused = (reason: Outcome) => new AppError('uploadRefused', { reason })

interface Deps {
  db: Kysely<Database>
  jobs: Jobs
  dataDir: string
  objects: ObjectStore | null
  tokenKey: Buffer
  /** Pages and jobs run in separate processes, so that jobs could not read files on this disk. */
  isSplit: boolean
}

/** Uploads of crowds and imports: rows name their viewers, the bytes are on disk or in the object store. */
export function uploadService({ db, jobs, dataDir, objects, tokenKey, isSplit }: Deps) {
  const files = openFileStore(join(dataDir, 'uploads'))
  const tokens = uploadTokens(db, tokenKey)

  const sweep = (signal: AbortSignal) => sweepUploads({ db, files, objects, removeBytes }, signal)
  jobs.handle(SWEEP, { concurrency: 1 }, ({ signal }) => sweep(signal))
  jobs.schedule(SWEEP, '25 * * * *', 'UTC')

  /** An upload of the viewer that no crowd took; anything else is refused as not found. */
  async function mine(viewer: { id: number }, id: string): Promise<UploadRow> {
    const row = await findUpload(db, id)
    if (row?.viewer_id !== viewer.id || row.crowd_file_id !== null) throw gone()
    return row
  }

  /** Deletes the row, so that nothing can use the upload; the caller removes its bytes. */
  async function release(viewer: Viewer, id: string): Promise<UploadRow> {
    await mine(viewer, id)
    return transaction(db, async (tx) => {
      const row = await deleteUnused(tx, id)
      if (!row) throw gone()
      await audit(tx, viewer, 'upload.remove', { id })
      return row
    })
  }

  /** Checks the file itself, since a kill may have come between the last byte and the row's update. */
  const isWhole = async (row: UploadRow): Promise<boolean> =>
    row.is_complete || (row.store === 'tus' && (await files.read(row.id))?.offset === row.size)

  async function add(viewer: Viewer, file: NewFile, store: UploadRow['store'], prefix: string | null) {
    mustChangeSomething(viewer)
    checkNewFile(file)
    const id = newUploadId()
    await transaction(db, async (tx) => {
      await addUpload(tx, viewer.id, file, { id, store, object_key: prefix === null ? null : `${prefix}${id}` })
      await audit(tx, viewer, 'upload.create', { id, name: file.name, size: file.size, store })
    })
    return id
  }

  const forget = (id: string) => db.deleteFrom('upload').where('id', '=', id).execute()

  const setComplete = (id: string) => db.updateTable('upload').set({ is_complete: true }).where('id', '=', id).execute()

  /** Removes the bytes on disk or in the object store; may be repeated. */
  async function removeBytes(row: Pick<UploadRow, 'id' | 'object_key' | 'multipart_id'>): Promise<void> {
    await files.remove(row.id)
    if (row.object_key !== null) await objects?.remove(row.object_key, row.multipart_id)
  }

  function store(): ObjectStore {
    if (!objects) throw refused(outcome('upload_without_object_store'))
    return objects
  }

  function mustReachWorker() {
    if (!objects && isSplit) throw refused(outcome('upload_needs_object_store'))
  }

  const prefixOf = (viewer: Viewer, purpose: UploadPurpose) => `${PURPOSES[purpose].keyPrefix}${viewer.id}/`
  const isPrefixOf = (viewer: Viewer, prefix: string) => prefix.startsWith(prefixOf(viewer, purposeOfKey(prefix)))

  async function credentials(viewer: Viewer, purpose: UploadPurpose, given: string | undefined) {
    mustReachWorker()
    if (!objects) return { kind: 'tus' as const, endpoint: PURPOSES[purpose].path, ...tokens.issue(viewer) }
    if (given !== undefined && !isPrefixOf(viewer, given)) throw gone()
    const prefix = given ?? `${prefixOf(viewer, purpose)}${randomBytes(8).toString('hex')}/`
    const role = await objects.assumeRole(prefix, `renqun-${viewer.id}`)
    if (role) await audit(db, viewer, 'upload.credentials', { prefix, expires_at: role.expires_at })
    const { endpoint, bucket, region } = objects
    const none = { accessKeyId: null, accessKeySecret: null, securityToken: null, expires_at: now() + TOKEN_SECONDS }
    return { kind: 's3' as const, endpoint, bucket, region, prefix, ...(role ?? none) }
  }

  /** The path of its bytes on this machine; an upload in the object store is downloaded first. */
  async function open(id: string, signal?: AbortSignal): Promise<{ path: string }> {
    const row = await findUpload(db, id)
    if (!row) throw gone()
    const path = files.pathOf(id)
    const found = await stat(path).catch(nullIfMissing)
    if (found?.size === row.size) return { path }
    if (row.object_key === null) throw found === null ? gone() : refused(outcome('upload_damaged'))
    await files.mustHaveRoom(row.size)
    await store().download(row.object_key, path, { signal })
    return { path }
  }

  return {
    files,
    tokens,
    credentials,

    /** Takes over uploads of earlier versions; runs before anything is served. */
    takeOver: () => takeOverEarlierFiles(db, files, dataDir),

    /** Announces a file to the embedded endpoint; returns its id. */
    async begin(viewer: Viewer, file: NewFile): Promise<string> {
      if (objects) throw refused(outcome('upload_to_object_store'))
      mustReachWorker()
      await files.mustHaveRoom(file.size)
      return add(viewer, file, 'tus', null)
    },
    forget,
    setComplete,
    mine,

    async create(
      viewer: Viewer,
      { prefix, hashed: isHashed, ...file }: { name: string; size: number; prefix: string; hashed: boolean },
    ) {
      if (!isPrefixOf(viewer, prefix)) throw gone()
      store()
      const uri = await add(viewer, { purpose: purposeOfKey(prefix), ...file, isHashed }, 's3', prefix)
      return { uri, key: `${prefix}${uri}` }
    },

    async sign(viewer: Viewer, uri: string, step: UploadStep) {
      const row = await mine(viewer, uri)
      if (row.object_key === null) throw gone()
      if (step.step !== 'create' && step.upload_id !== row.multipart_id) {
        // The browser got this id from the store; the sweep needs it to remove an unfinished upload.
        await db.updateTable('upload').set({ multipart_id: step.upload_id }).where('id', '=', uri).execute()
      }
      return { url: await store().sign(row.object_key, step) }
    },

    async finish(viewer: Viewer, uri: string) {
      const row = await mine(viewer, uri)
      if (row.is_complete) return null
      if (row.object_key === null) throw gone()
      const size = await store().sizeOf(row.object_key)
      if (size === null) throw refused(outcome('upload_unfinished'))
      if (size !== row.size) throw refused(outcome('upload_size_differs'))
      await setComplete(uri)
      return null
    },

    release,

    async discard(viewer: Viewer, uri: string) {
      await removeBytes(await release(viewer, uri))
      return null
    },

    /** Gives a complete upload of the viewer to a crowd's file; an upload is given only once. */
    async take(tx: Transaction<Database>, viewer_id: number, uri: string, crowd_file_id: number) {
      const row = await tx.selectFrom('upload').selectAll().where('id', '=', uri).forUpdate().executeTakeFirst()
      if (row?.viewer_id !== viewer_id || row.purpose !== 'crowd') throw gone()
      if (row.crowd_file_id !== null) throw refused(outcome('upload_used_already', { name: row.name }))
      if (!(await isWhole(row))) throw refused(outcome('uploads_unfinished'))
      await tx.updateTable('upload').set({ crowd_file_id, is_complete: true }).where('id', '=', uri).execute()
      return { name: row.name, size: row.size }
    },

    /** A complete upload of the viewer that an import may read. */
    async forImport(viewer: { id: number }, id: string): Promise<{ name: string; size: number }> {
      const row = await mine(viewer, id)
      if (row.purpose !== 'import') throw gone()
      if (!(await isWhole(row))) throw refused(outcome('upload_unfinished'))
      return { name: row.name, size: row.size }
    },

    open,

    /** Runs `read` on its beginning, or on the whole file if it is on this machine; then removes a copy from the object store. */
    async withBeginning<T>(
      id: string,
      { firstBytes, signal }: { firstBytes: number; signal?: AbortSignal | undefined },
      read: (path: string, isWhole: boolean) => Promise<T>,
    ): Promise<T> {
      const row = await findUpload(db, id)
      if (!row) throw gone()
      if (row.object_key === null) {
        const path = files.pathOf(id)
        return read(path, true).catch((error) => {
          // The end of an import removes its upload, which may be in the middle of this.
          throw existsSync(path) ? error : gone()
        })
      }
      const directory = await mkdtemp(join(tmpdir(), 'renqun-beginning-'))
      try {
        const path = join(directory, id)
        const isWhole = row.size <= firstBytes
        await store().download(row.object_key, path, { signal, ...(isWhole ? {} : { firstBytes }) })
        return await read(path, isWhole)
      } finally {
        await rm(directory, { recursive: true, force: true })
      }
    },

    /** Removes an upload that was read, with its bytes; may be repeated. */
    async remove(uri: string): Promise<void> {
      const row = await findUpload(db, uri)
      if (!row) return
      await removeBytes(row)
      await forget(uri)
    },

    sweep,
  }
}
export type UploadService = ReturnType<typeof uploadService>
