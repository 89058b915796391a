import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { DEFAULT_FOLDER } from '#contract/folder.ts'
import type { IdentifierType } from '#contract/identifier.ts'
import type { Viewer } from '../http/viewer.ts'
import type { Runtime } from '../process/runtime.ts'

/** Crowds of phones are in the default folder, which the page opens first. */
const DEVICES = '设备号'
const NO_ARCHIVE = '生成数据：这不是压缩包'

interface DemoFile {
  name: string
  lines: string[]
}

interface DemoUpload {
  name: string
  type: IdentifierType
  files: DemoFile[]
  /** A second version. */
  next?: { operation_type: 1 | 2; files: DemoFile[] }
}

/** Uploads files whose names say that they are generated: crowds that overlap the demo's people, and one that fails. */
export async function makeCustomCrowds(
  runtime: Runtime,
  viewer: Viewer,
  adv_id: number,
  until: (what: string, isDone: () => Promise<boolean>) => Promise<void>,
): Promise<void> {
  const { services, stores } = runtime
  // With an object store, only browsers upload files.
  if (stores.settings.objectStoreUrl !== undefined) return
  const { db } = stores.postgres
  const devices = await folderOf(runtime, viewer)

  const phones = (type: IdentifierType, from: number, count: number) =>
    stores.warehouse.load.acrossShards
      .query<{ value: string }>(
        `SELECT value_hash AS value FROM identifier WHERE adv_id = {adv_id:UInt32} AND id_type = {type:String}
         ORDER BY value_hash LIMIT ${count} OFFSET ${from}`,
        { adv_id, type },
      )
      .then((rows) => rows.map((row) => row.value))

  async function uploaded(files: readonly DemoFile[]) {
    const given: { name: string; size: number; uri: string; hashed: null; choice: null }[] = []
    for (const { name, lines } of files) {
      const bytes = Buffer.from(`${lines.join('\n')}\n`)
      const uri = await services.uploads.begin(viewer, { purpose: 'crowd', name, size: bytes.length })
      await writeFile(services.uploads.files.pathOf(uri), bytes)
      await services.uploads.setComplete(uri)
      given.push({ name, size: bytes.length, uri, hashed: null, choice: null })
    }
    return given
  }

  const settled = (id: number) =>
    until('上传的人群', async () => {
      const open = await db
        .selectFrom('custom_version')
        .select('id')
        .where('crowd_id', '=', id)
        .where('status', '=', 'computing')
        .executeTakeFirst()
      return open === undefined
    })

  for (const crowd of await uploadsOf(phones)) {
    const { id } = await services.customCrowds.add(viewer, {
      adv_id,
      dir_id: crowd.type.endsWith('_MOBILE_PHONE') ? DEFAULT_FOLDER : devices,
      name: crowd.name,
      user_id_type: crowd.type,
      files: await uploaded(crowd.files),
    })
    await settled(id)
    if (!crowd.next) continue
    const { operation_type } = crowd.next
    await services.customCrowds.update(viewer, { id, operation_type, files: await uploaded(crowd.next.files) })
    await settled(id)
  }
  // The viewer's task list should not show a failure that is part of the demo.
  await db.deleteFrom('task').where('adv_id', '=', adv_id).where('status', '=', 'failed').execute()
}

const md5 = (text: string) => createHash('md5').update(text).digest('hex')
const madeUpHashes = (count: number) => Array.from({ length: count }, (_, i) => md5(`generated ${i}`))

async function uploadsOf(
  phones: (type: IdentifierType, from: number, count: number) => Promise<string[]>,
): Promise<DemoUpload[]> {
  const [members, newer, exchanged] = [
    await phones('HASH_MOBILE_PHONE', 0, 4000),
    await phones('HASH_MOBILE_PHONE', 3000, 2500),
    await phones('SHA256_MOBILE_PHONE', 1000, 3000),
  ]
  return [
    {
      name: '会员手机号-生成数据',
      type: 'HASH_MOBILE_PHONE',
      files: [
        { name: '会员-一店（生成数据）.txt', lines: [...members, ...members.slice(0, 120), '手机号', '13800000'] },
        { name: '会员-二店（生成数据）.csv', lines: madeUpHashes(1500) },
      ],
      next: { operation_type: 1, files: [{ name: '新会员（生成数据）.txt', lines: newer }] },
    },
    {
      name: '换购名单-生成数据',
      type: 'SHA256_MOBILE_PHONE',
      files: [{ name: '换购名单（生成数据）.txt', lines: exchanged }],
      next: { operation_type: 2, files: [{ name: '已退货（生成数据）.txt', lines: exchanged.slice(0, 400) }] },
    },
    {
      name: '安卓设备-生成数据',
      type: 'HASH_IMEI',
      files: [{ name: '安卓设备（生成数据）.txt', lines: madeUpHashes(6000).map((text) => md5(text)) }],
    },
    {
      name: '损坏的压缩包-生成数据',
      type: 'HASH_OAID',
      files: [{ name: '损坏（生成数据）.zip', lines: [NO_ARCHIVE] }],
    },
  ]
}

/** Folders belong to the deployment, so a demo that is made again finds the first one's. */
async function folderOf({ services }: Runtime, viewer: Viewer): Promise<number> {
  const known = (await services.customFolders.tree()).find((folder) => folder.name === DEVICES)
  return known?.id ?? (await services.customFolders.create(viewer, DEVICES, null)).id
}
