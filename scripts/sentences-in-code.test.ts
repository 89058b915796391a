import { globSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ROOT } from './run.ts'
import { chineseExports, exportsIn, sentencesInCode, sentencesInFile } from './sentences-in-code.ts'

/** Files with tables that are matched against texts of users or vendors. */
const EXEMPT: Record<string, string> = {
  'contract/guess-column.ts': "headers of users' files",
  'server/features/import/guess.ts': "headers of users' files",
  'server/features/import/guess-reports.ts': "headers of users' files",
  'server/features/tag/guess-icon.ts': "names of users' attributes and events",
  'server/features/forgetting/texts.ts': 'what stands in texts for people who were removed',
  'contract/refused-rows.ts': 'a mark in files of refused rows that users bring back',
  'contract/find-text.ts': 'what ends the names of regions',
  'server/platforms/video/codes.ts': 'sentences of a platform that gives no code',
}

/** Test support and demo data are not part of the product. */
const isSource = (file: string) => !/\.test\.tsx?$|^server\/(testing|demo)\//.test(file)
const SOURCES = ['contract', 'server', 'web', 'cli'].flatMap((root) =>
  globSync(`${root}/**/*.{ts,tsx}`, { cwd: ROOT, exclude: ['**/node_modules/**', '**/dist/**', '**/.types/**'] }),
)

const EXPORTED = chineseExports(ROOT, SOURCES)

test('no condition of the code depends on a Chinese sentence', () => {
  const files = SOURCES.filter((file) => isSource(file) && !(file in EXEMPT))
  expect(files.length).toBeGreaterThan(300)
  const found = files.flatMap((file) => sentencesInFile(ROOT, file, EXPORTED))
  expect(found.map(({ file, line, text }) => `${file}:${line}: ${text}`)).toEqual([])
})

test.each(Object.entries(EXEMPT))('%s still needs its exemption: %s', (file) => {
  expect(sentencesInFile(ROOT, file, EXPORTED)).not.toEqual([])
})

test.each([
  `if (reason.includes('授权')) go()`,
  `const isEmptied = obstacle === '人群里没有人'`,
  `const NOBODY = '人群里没有人'\nif (obstacle !== NOBODY) go()`,
  `const bare = message.replace(/，请重新授权$/, '')`,
  `if (/^有 \\d+ 列/.test(reason)) go()`,
  `const is = (text: string) => text.startsWith(\`账户「\${name}」\`)`,
  `switch (words) { case '失败': go() }`,
  `if (['可用', '失败'].includes(words)) go()`,
  `if (new RegExp('授权').test(reason)) go()`,
  `const Button = () => reason?.includes('授权') && <a>重新授权</a>`,
])('finds %s', (source) => {
  expect(sentencesInCode('planted.tsx', source)).toHaveLength(1)
})

test.each([
  `const sentence = is ? '可用' : '失败'`,
  `throw new Error(\`账户「\${name}」不存在\`)`,
  `if (obstacle.code === 'source_without_people') say('人群里没有人')`,
  `if (/\\p{Script=Han}/u.test(name)) go()`,
])('ignores %s', (source) => {
  expect(sentencesInCode('planted.tsx', source)).toEqual([])
})

test.each([
  ["import { ALL } from '#contract/tag.ts'", 'ALL', 1],
  ["import { ALL as EVERYONE } from '../contract/tag.ts'", 'EVERYONE', 1],
  ["import { ALL } from './tag.ts'", 'ALL', 0],
  ["import { ICON } from '#contract/tag.ts'", 'ICON', 0],
])('finds an imported constant that is Chinese text: %s', (statement, name, findings) => {
  const file = 'contract/tag.ts'
  const exported = new Map([[file, exportsIn(file, "export const ALL = '全部用户'\nexport const ICON = 'all'")]])
  const source = `${statement}\nif (tag.name === ${name}) go()`
  expect(sentencesInCode('web/planted.ts', source, exported)).toHaveLength(findings)
})
