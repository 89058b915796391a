import { afterAll, beforeEach, expect, test } from 'vitest'
import { createCustomFolder, updateCustomFolder } from '#contract/custom-folder.ts'
import { FAULTS } from '#contract/errors.ts'
import {
  createAssetFolder,
  DEFAULT_FOLDER,
  deleteAssetFolder,
  deleteAssetFolders,
  listAssetFolders,
  updateAssetFolder,
} from '#contract/folder.ts'
import { listViewers, updateViewer } from '#contract/viewer.ts'
import { aCrowd, anAdvertiser, aTag, leaf, tagged } from '../../testing/builders.ts'
import type { Caller } from '../../testing/caller.ts'
import { aCustomCrowd } from '../../testing/custom-crowds.ts'
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

test('a folder that holds another advertiser’s things is changed only by those who may see them all', async () => {
  const [mine, theirs] = [await anAdvertiser(app), await anAdvertiser(app)]
  const member = await app.viewer('member', [mine])
  const outer = await make('外')
  const inner = await make('内', outer)
  const elsewhere = await make('别处')
  await aCrowd(app, theirs, leaf('a', 'n', tagged(await aTag(app, theirs, [1]))), { dirId: inner })
  const changes = (caller: Caller) => [
    caller.call(updateAssetFolder, { params: { id: inner }, body: { name: '改名' } }),
    caller.call(updateAssetFolder, { params: { id: outer }, body: { parentId: elsewhere } }),
    caller.call(deleteAssetFolder, { params: { id: outer } }),
    caller.call(deleteAssetFolder, { params: { id: outer }, query: { check: '1' } }),
    caller.call(deleteAssetFolders, { body: { ids: [elsewhere, outer] } }),
  ]
  for (const answer of await Promise.all(changes(member))) expect(code(answer)).toBe(FAULTS.folderHoldsOthers.code)
  // A folder above holds them too; one that holds nothing of others is anybody's.
  expect(code(await member.call(updateAssetFolder, { params: { id: elsewhere }, body: { name: '空的' } }))).toBe(0)
  const both = await app.viewer('both', [mine, theirs])
  expect(code(await both.call(updateAssetFolder, { params: { id: inner }, body: { name: '改名' } }))).toBe(0)
})

test('the folders of uploaded crowds are guarded in the same way', async () => {
  const [mine, theirs] = [await anAdvertiser(app), await anAdvertiser(app)]
  const member = await app.viewer('member', [mine])
  const { id } = await app.admin.get(createCustomFolder, { body: { name: '上传的' } })
  await aCustomCrowd(app, theirs, [{ name: 'a.txt', content: 'x' }], { dir_id: id })
  const refused = await member.call(updateCustomFolder, { params: { id }, body: { name: '改名' } })
  expect(code(refused)).toBe(FAULTS.folderHoldsOthers.code)
  expect(code(await app.admin.call(updateCustomFolder, { params: { id }, body: { name: '改名' } }))).toBe(0)
})

test('who may only look, everywhere, changes no folder', async () => {
  const adv = await anAdvertiser(app)
  const reader = await app.viewer('reader', [adv])
  const { list } = await app.admin.get(listViewers)
  const id = list.find(({ username }) => username === 'reader')?.id ?? 0
  await app.admin.get(updateViewer, { params: { id }, body: { read_only_adv_ids: [adv] } })
  expect(code(await reader.call(createAssetFolder, { body: { name: '新的' } }))).toBe(FAULTS.readOnly.code)
})

const atOnce = async () => {
  const adv = await anAdvertiser(app)
  return [await app.viewer('li', [adv]), await app.viewer('wang', [adv])] as [Caller, Caller]
}
const names = async () => (await app.admin.get(listAssetFolders)).map((folder) => folder.name)

test('of two viewers who give two folders one name at once, only one gets it', async () => {
  const [li, wang] = await atOnce()
  const ids = [await make('春季'), await make('夏季')] as const
  const answers = await Promise.all(
    [li, wang].map((viewer, i) =>
      viewer.call(updateAssetFolder, { params: { id: ids[i] ?? 0 }, body: { name: '全年' } }),
    ),
  )
  expect(answers.map(code).sort()).toEqual([0, FAULTS.nameTaken.code])
  expect((await names()).filter((name) => name === '全年')).toHaveLength(1)
})

test('of two viewers who delete a folder at once, one deletes it and the other finds it gone; so does who renames it', async () => {
  const [li, wang] = await atOnce()
  const gone = await make('春季')
  const remove = (viewer: Caller) => viewer.call(deleteAssetFolder, { params: { id: gone } })
  const rename = app.admin.call(updateAssetFolder, { params: { id: gone }, body: { name: '改名' } })
  const answers = await Promise.all([remove(li), remove(wang)])
  expect(answers.map(code).sort((a, b) => a - b)).toEqual([0, FAULTS.notFound.code])
  // The name may have been changed before the folder went.
  expect([0, FAULTS.notFound.code]).toContain(code(await rename))
  expect(await names()).toEqual(['默认分组'])
})
