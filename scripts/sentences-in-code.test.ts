import { globSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ROOT } from './run.ts'
import { sentencesInCode, sentencesInFile } from './sentences-in-code.ts'

/** Files with tables that are matched against texts of users or vendors. */
const EXEMPT: Record<string, string> = {
  'server/features/import/guess.ts': "headers of users' files",
  'server/features/tag/guess-icon.ts': "names of users' attributes and events",
  'server/platforms/video/codes.ts': 'sentences of a platform that gives no code',
}

/** Test support and demo data are not part of the product. */
const isSource = (file: string) => !/\.test\.tsx?$|^server\/(testing|demo)\//.test(file)
const SOURCES = ['contract', 'server', 'web', 'cli'].flatMap((root) =>
  globSync(`${root}/**/*.{ts,tsx}`, { cwd: ROOT, exclude: ['**/node_modules/**', '**/dist/**', '**/.types/**'] }),
)

test('no condition of the code depends on a Chinese sentence', () => {
  const files = SOURCES.filter((file) => isSource(file) && !(file in EXEMPT))
  expect(files.length).toBeGreaterThan(300)
  const found = files.flatMap((file) => sentencesInFile(ROOT, file))
  expect(found.map(({ file, line, text }) => `${file}:${line}: ${text}`)).toEqual([])
})

test.each(Object.entries(EXEMPT))('%s still needs its exemption: %s', (file) => {
  expect(sentencesInFile(ROOT, file)).not.toEqual([])
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
