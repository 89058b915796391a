import { afterAll, beforeEach, expect, test } from 'vitest'
import { FAULTS } from '#contract/errors.ts'
import {
  createAssetFolder,
  DEFAULT_FOLDER,
  deleteAssetFolder,
  deleteAssetFolders,
  listAssetFolders,
  updateAssetFolder,
} from '#contract/folder.ts'
import { testApp } from '../../testing/test-app.ts'

const app = await testApp()
afterAll(() => app.close())
beforeEach(() => app.reset())

const make = (name: string, parentId: number | null = null) =>
  app.admin.get(createAssetFolder, { body: { name, parentId } }).then(({ id }) => id)
const code = (answer: { code: number }) => answer.code

test('the default folder is listed first and cannot be changed or deleted', async () => {
  await make('春季')
  const tree = await app.admin.get(listAssetFolders)
  expect(tree.map((f) => f.name)).toEqual(['默认分组', '春季'])
  const params = { id: DEFAULT_FOLDER }
  expect(code(await app.admin.call(updateAssetFolder, { params, body: { name: '别名' } }))).toBe(20)
  expect(code(await app.admin.call(updateAssetFolder, { params, body: { parentId: 2 } }))).toBe(20)
  expect(code(await app.admin.call(deleteAssetFolder, { params }))).toBe(20)
})

test('creating, renaming and moving refuse a name that the parent already has', async () => {
  const a = await make('甲')
  const b = await make('乙')
  const inner = await make('甲', b)
  expect(await app.admin.call(createAssetFolder, { body: { name: '甲' } })).toMatchObject({
    status: 409,
    code: 3,
    msg: '同级目录下不允许重名',
  })
  expect(code(await app.admin.call(updateAssetFolder, { params: { id: b }, body: { name: '甲' } }))).toBe(3)
  expect(code(await app.admin.call(updateAssetFolder, { params: { id: inner }, body: { parentId: null } }))).toBe(3)
  expect(code(await app.admin.call(updateAssetFolder, { params: { id: a }, body: { parentId: b } }))).toBe(3)
})

test('a folder is at most five levels deep, also after a move, and cannot be moved into itself', async () => {
  const path: number[] = []
  for (const name of ['一', '二', '三', '四', '五']) path.push(await make(name, path.at(-1) ?? null))
  const [first, second, , , fifth] = path as [number, number, number, number, number]
  const deeper = await app.admin.call(createAssetFolder, { body: { name: '六', parentId: fifth } })
  expect(deeper).toMatchObject({ code: FAULTS.folderTooDeep.code, msg: '目录层级最多只有5级' })
  const root = await make('根')
  const moved = { params: { id: first }, body: { parentId: root } }
  expect(code(await app.admin.call(updateAssetFolder, moved))).toBe(FAULTS.folderTooDeep.code)
  const inward = { params: { id: first }, body: { parentId: second } }
  expect(code(await app.admin.call(updateAssetFolder, inward))).toBe(FAULTS.folderIntoItself.code)
})

test('deleting folders also deletes the empty ones in them; if one is refused, none is deleted', async () => {
  const a = await make('甲')
  await make('甲一', a)
  const b = await make('乙')
  expect(code(await app.admin.call(deleteAssetFolders, { body: { ids: [a, b, DEFAULT_FOLDER] } }))).toBe(20)
  await app.admin.get(deleteAssetFolder, { params: { id: b }, query: { check: '1' } })
  expect((await app.admin.get(listAssetFolders)).length).toBe(3)
  await app.admin.get(deleteAssetFolders, { body: { ids: [a, b] } })
  expect((await app.admin.get(listAssetFolders)).map((f) => f.id)).toEqual([DEFAULT_FOLDER])
  expect(code(await app.admin.call(deleteAssetFolder, { params: { id: a } }))).toBe(FAULTS.notFound.code)
})

test.each([
  ['', '请输入文件夹名称'],
  ['a'.repeat(31), '名称长度在 1 到 30 个字符'],
  ['有 空格', '名称只支持中英文，数字，横杠，下划线'],
])('the name %j is refused with its message', async (name, msg) => {
  expect(await app.admin.call(createAssetFolder, { body: { name } })).toMatchObject({ status: 400, code: 2, msg })
})

test('of folders with the same name created at once only one is created', async () => {
  const answers = await Promise.all([1, 2, 3].map(() => app.admin.call(createAssetFolder, { body: { name: '同名' } })))
  expect(answers.map(code).sort()).toEqual([0, 3, 3])
})
