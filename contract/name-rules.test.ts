import { expect, test } from 'vitest'
import { createAssetFolder, updateAssetFolder } from './folder.ts'
import { updateRuleCrowd } from './rule-crowd.ts'
import { addTargeting, updateTargeting } from './targeting-package.ts'

interface Body {
  safeParse(given: unknown): { error?: { issues: { path: PropertyKey[]; message: string }[] } | undefined }
}
const saidOf = (body: Body, field: string, name: string) =>
  body.safeParse({ id: 1, [field]: name }).error?.issues.find(({ path }) => path.at(-1) === field)?.message
const WRONG = [
  ['长'.repeat(31), '名称长度在 1 到 30 个字符'],
  ['有 空格', '名称只支持中英文，数字，横杠，下划线'],
] as const

test.each<[string, Body, string]>([
  ['a new package', addTargeting.body, 'targeting_name'],
  ['a renamed package', updateTargeting.body, 'targeting_name'],
  ['a renamed crowd', updateRuleCrowd.body, 'name'],
  ['a new folder', createAssetFolder.body, 'name'],
  ['a renamed folder', updateAssetFolder.body, 'name'],
])('%s: a name is required, of 1 to 30 characters, without other signs', (_, body, field) => {
  for (const [name, sentence] of WRONG) expect(saidOf(body, field, name)).toBe(sentence)
  expect(saidOf(body, field, '')).toMatch(/^请输入/)
  expect(saidOf(body, field, '长'.repeat(30))).toBeUndefined()
  expect(saidOf(body, field, '老客_A-1')).toBeUndefined()
})
