import { polyphonic } from 'pinyin-pro'
import { expect, test } from 'vitest'
import { readingsFrom } from './find-text.ts'
import { type AssetFolder, searchFolders } from './folder.ts'

const folder = (id: number, name: string, subDirs: AssetFolder[] = []): AssetFolder => ({
  id,
  name,
  parentId: null,
  subDirs,
})
const TREE = [
  folder(1, '默认分组'),
  folder(2, '重庆门店', [folder(3, '双11', [folder(4, '高价值女性')]), folder(5, '新客')]),
]
const readings = readingsFrom(polyphonic)
const names = (folders: readonly AssetFolder[]): string[] =>
  folders.flatMap(({ name, subDirs }) => [name, ...names(subDirs)])

test.each<[string, string, string[]]>([
  ['characters', '新客', ['重庆门店', '新客']],
  ['pinyin', 'xinke', ['重庆门店', '新客']],
  ['initials', 'xk', ['重庆门店', '新客']],
  ['a mixture of both', 'gjzhinv', ['重庆门店', '双11', '高价值女性']],
  ['initials and digits', 's11', ['重庆门店', '双11']],
  ['the right reading of a character with several', 'cq', ['重庆门店']],
  ['nothing typed', '  ', ['默认分组', '重庆门店', '双11', '高价值女性', '新客']],
  ['what no folder has', 'zz', []],
])('folders are found by %s, with those above them', (_, keyword, found) => {
  expect(names(searchFolders(TREE, keyword, readings))).toEqual(found)
})

test('before the readings are loaded, characters are found', () => {
  expect(names(searchFolders(TREE, '女', null))).toEqual(['重庆门店', '双11', '高价值女性'])
  expect(names(searchFolders(TREE, 'xk', null))).toEqual([])
})
