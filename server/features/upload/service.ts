import { randomBytes } from 'node:crypto'
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import type { Kysely, Transaction } from 'kysely'
import { CROWD_UPLOAD_PATH, UPLOAD_KEPT_SECONDS, type UploadStep } from '#contract/upload.ts'
import { AppError } from '../../errors.ts'
import type { Viewer } from '../../http/viewer.ts'
import type { Jobs } from '../../jobs/open.ts'
import { audit } from '../../postgres/audit.ts'
import { notAfterNow } from '../../postgres/not-after-now.ts'
import type { Database } from '../../postgres/schema.ts'
import { transaction } from '../../postgres/transaction.ts'
import { openFileStore } from '../../storage/file-store.ts'
import { type ObjectStore, openObjectStore } from '../../storage/object-store.ts'
import { now } from '../../time/clock.ts'
import { mustBeFine, mustHaveRoom } from './limits.ts'
import { TOKEN_SECONDS, uploadTokens } from './token.ts'

const SWEEP = 'upload.sweep'
export const UPLOAD_TOKEN_PURPOSE = 'crowd upload'
/** Below it lie all uploads in the object store: `crowd-uploads/<viewer>/<page>/<upload>`. */
const OBJECTS = 'crowd-uploads/'
const gone = () => new AppError('notFound', { what: '上传的文件' })

interface Deps {
  db: Kysely<Database>
  jobs: Jobs
  dataDir: string
  objectStoreUrl: string | undefined
  tokenKey: Buffer
}

/** Files of crowds on their way in: rows say whose they are, the bytes lie on disk or in the object store. */
export function uploadService({ db, jobs, dataDir, objectStoreUrl, tokenKey }: Deps) {
  const files = openFileStore(join(dataDir, 'crowd-uploads'))
  const objects: ObjectStore | null = objectStoreUrl === undefined ? null : openObjectStore(objectStoreUrl)
  const tokens = uploadTokens(db, tokenKey)

  jobs.handle(SWEEP, { concurrency: 1 }, ({ signal }) => sweep(signal))
  jobs.schedule(SWEEP, '25 * * * *', 'UTC')

  const find = (from: Kysely<Database>, id: string) =>
    from.selectFrom('upload').selectAll().where('id', '=', id).executeTakeFirst()
  type Row = NonNullable<Awaited<ReturnType<typeof find>>>

  /** An upload of the viewer's own that no crowd took; anything else is refused as if it were not there. */
  async function mine(viewer: { id: number }, id: string): Promise<Row> {
    const row = await find(db, id)
    if (row?.viewer_id !== viewer.id || row.crowd_file_id !== null) throw gone()
    return row
  }

  /** From here on no crowd can take it; its bytes are the caller's to remove. */
  async function release(viewer: Viewer, id: string): Promise<Row> {
    await mine(viewer, id)
    return transaction(db, async (tx) => {
      const row = await tx
        .deleteFrom('upload')
        .where('id', '=', id)
        .where('crowd_file_id', 'is', null)
        .returningAll()
        .executeTakeFirst()
      if (!row) throw gone()
      await audit(tx, viewer, 'upload.remove', { id })
      return row
    })
  }

  /** A kill between the last byte and its row leaves the row behind: the file itself says that it is whole. */
  const isWhole = async (row: Row): Promise<boolean> =>
    row.is_complete || (row.store === 'tus' && (await files.read(row.id))?.offset === row.size)

  async function add(viewer: Viewer, file: { name: string; size: number }, store: Row['store'], prefix: string | null) {
    mustBeFine(file)
    const id = randomBytes(16).toString('hex')
    await transaction(db, async (tx) => {
      await mustHaveRoom(tx, viewer.id, file.size)
      const object_key = prefix === null ? null : `${prefix}${id}`
      await tx
        .insertInto('upload')
        .values({ id, viewer_id: viewer.id, ...file, store, object_key, multipart_id: null, created_at: now() })
        .execute()
      await audit(tx, viewer, 'upload.create', { id, ...file, store })
    })
    return id
  }

  const forget = (id: string) => db.deleteFrom('upload').where('id', '=', id).execute()

  const setComplete = (id: string) => db.updateTable('upload').set({ is_complete: true }).where('id', '=', id).execute()

  /** The bytes, wherever they lie; not being there is fine. */
  async function removeBytes(row: Pick<Row, 'id' | 'object_key' | 'multipart_id'>): Promise<void> {
    await files.remove(row.id)
    if (row.object_key !== null) await objects?.remove(row.object_key, row.multipart_id)
  }

  function store(): ObjectStore {
    if (!objects) throw new AppError('uploadRefused', { reason: '没有设置对象存储，请用内置的上传地址' })
    return objects
  }

  const isPrefixOf = (viewer: Viewer, prefix: string) => prefix.startsWith(`${OBJECTS}${viewer.id}/`)

  async function credentials(viewer: Viewer, given: string | undefined) {
    if (!objects) return { kind: 'tus' as const, endpoint: CROWD_UPLOAD_PATH, ...tokens.issue(viewer) }
    if (given !== undefined && !isPrefixOf(viewer, given)) throw gone()
    const prefix = given ?? `${OBJECTS}${viewer.id}/${randomBytes(8).toString('hex')}/`
    const role = await objects.assumeRole(prefix, `renqun-${viewer.id}`)
    if (role) await audit(db, viewer, 'upload.credentials', { prefix, expires_at: role.expires_at })
    const { endpoint, bucket, region } = objects
    const none = { accessKeyId: null, accessKeySecret: null, securityToken: null, expires_at: now() + TOKEN_SECONDS }
    return { kind: 's3' as const, endpoint, bucket, region, prefix, ...(role ?? none) }
  }

  async function sweep(signal: AbortSignal): Promise<void> {
    const before = now() - UPLOAD_KEPT_SECONDS
    await notAfterNow(db, 'upload', 'created_at')
    const old = await db
      .selectFrom('upload')
      .selectAll()
      .where('crowd_file_id', 'is', null)
      .where('created_at', '<', before)
      .execute()
    for (const row of old) {
      signal.throwIfAborted()
      // Taken meanwhile: it is no longer ours to remove.
      const { numDeletedRows } = await db
        .deleteFrom('upload')
        .where('id', '=', row.id)
        .where('crowd_file_id', 'is', null)
        .executeTakeFirst()
      if (numDeletedRows > 0n) await removeBytes(row)
    }
    // Bytes whose row is gone: a kill came between the two.
    const rows = await db.selectFrom('upload').select(['id', 'object_key']).execute()
    await files.sweep(before * 1000, new Set(rows.map((row) => row.id)))
    if (!objects) return
    const known = new Set(rows.map((row) => row.object_key))
    for (const key of await objects.olderThan(OBJECTS, before * 1000)) {
      signal.throwIfAborted()
      if (!known.has(key)) await objects.remove(key, null)
    }
  }

  return {
    files,
    tokens,
    credentials,

    /** Announces a file to the embedded endpoint; answers its id. */
    async begin(viewer: Viewer, file: { name: string; size: number }): Promise<string> {
      if (objects) throw new AppError('uploadRefused', { reason: '已设置对象存储，请直传到对象存储' })
      await files.mustHaveRoom(file.size)
      return add(viewer, file, 'tus', null)
    },
    forget,
    setComplete,
    mine,

    async create(viewer: Viewer, { prefix, ...file }: { name: string; size: number; prefix: string }) {
      if (!isPrefixOf(viewer, prefix)) throw gone()
      store()
      const uri = await add(viewer, file, 's3', prefix)
      return { uri, key: `${prefix}${uri}` }
    },

    async sign(viewer: Viewer, uri: string, step: UploadStep) {
      const row = await mine(viewer, uri)
      if (row.object_key === null) throw gone()
      if (step.step !== 'create' && step.upload_id !== row.multipart_id) {
        // The store gives the id to the browser; the sweep needs it to take an unfinished upload away.
        await db.updateTable('upload').set({ multipart_id: step.upload_id }).where('id', '=', uri).execute()
      }
      return { url: await store().sign(row.object_key, step) }
    },

    async finish(viewer: Viewer, uri: string) {
      const row = await mine(viewer, uri)
      if (row.is_complete) return null
      if (row.object_key === null) throw gone()
      const size = await store().sizeOf(row.object_key)
      if (size === null) throw new AppError('uploadRefused', { reason: '文件尚未上传完成' })
      if (size !== row.size) throw new AppError('uploadRefused', { reason: '收到的文件大小与上传前不一致，请重新上传' })
      await setComplete(uri)
      return null
    },

    release,

    async discard(viewer: Viewer, uri: string) {
      await removeBytes(await release(viewer, uri))
      return null
    },

    /** Gives a whole upload of the viewer's own to a crowd's file, once. */
    async take(tx: Transaction<Database>, viewer_id: number, uri: string, crowd_file_id: number) {
      const row = await tx.selectFrom('upload').selectAll().where('id', '=', uri).forUpdate().executeTakeFirst()
      if (row?.viewer_id !== viewer_id) throw gone()
      if (row.crowd_file_id !== null) {
        throw new AppError('uploadRefused', { reason: `文件「${row.name}」已提交过，请重新上传` })
      }
      if (!(await isWhole(row))) {
        throw new AppError('uploadRefused', { reason: '包含未上传文件，请上传或删除后提交' })
      }
      await tx.updateTable('upload').set({ crowd_file_id, is_complete: true }).where('id', '=', uri).execute()
      return { name: row.name, size: row.size }
    },

    /** Where its bytes lie on this machine; from the object store they are brought here first. `remove` takes them away again. */
    async open(uri: string): Promise<{ path: string }> {
      const row = await find(db, uri)
      if (!row) throw gone()
      const path = files.pathOf(uri)
      const isHere = await access(path).then(
        () => true,
        () => false,
      )
      if (!isHere) {
        if (row.object_key === null) throw gone()
        await store().download(row.object_key, path)
      }
      return { path }
    },

    /** Forgets an upload that was read, with its bytes; twice does no harm. */
    async remove(uri: string): Promise<void> {
      const row = await find(db, uri)
      if (!row) return
      await removeBytes(row)
      await forget(uri)
    },

    sweep,
  }
}
export type UploadService = ReturnType<typeof uploadService>
