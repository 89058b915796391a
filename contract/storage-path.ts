import { z } from 'zod'
import { ID_MAX } from './common.ts'
import { FOLDER_DEPTH_MAX } from './folder.ts'

const CHOOSE = '请选择存储路径'

/** The id of the folder that something is stored in. */
export const DirId = z.int(CHOOSE).positive(CHOOSE).max(ID_MAX, CHOOSE)

/** A folder by its id, or by the ids from the root down to it. */
const StoragePath = z
  .union([DirId, z.array(DirId).min(1, CHOOSE).max(FOLDER_DEPTH_MAX, CHOOSE)], CHOOSE)
  .describe('存储路径：文件夹 ID，或从顶层到它的 ID 列表')

/** The folder at the end of a path. */
const folderIn = (path: z.output<typeof StoragePath>) => (typeof path === 'number' ? path : path.at(-1))

/** Lets a key that holds a folder's id be spelled in another way, as a path too. */
export const pathFor = <const K extends string>(key: K) => ({ for: key, schema: StoragePath, read: folderIn })
