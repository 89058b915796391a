import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { realServer } from '../testing/real-server.ts'

const server = realServer()
afterAll(() => server.close())

/** What a command that is typed while the server runs, or while it does not, prints. */
async function typed(...words: string[]) {
  const { code, out, err } = await server.typed(...words)
  return { code, lines: out.trimEnd().split('\n'), err }
}
function file(name: string, content: string): string {
  const path = join(server.dataDir, name)
  writeFileSync(path, content)
  return path
}

test('imports are listed and undone from the command line', { timeout: 180_000 }, async () => {
  await server.start()
  expect((await typed('imports', 'list')).lines).toEqual(['没有导入'])
  const to = ['--advertiser', '新店', '--id', 'id']
  expect(
    await typed('import', 'users', file('a.csv', 'id,city\n1,北京\n2,上海\n'), ...to, '--create-advertiser'),
  ).toMatchObject({ code: 0 })
  expect(await typed('import', 'users', file('b.csv', 'id,city\n2,上海\n3,广州\n'), ...to)).toMatchObject({ code: 0 })

  const { lines } = await typed('imports', 'list', '--advertiser', '新店')
  expect(lines.map((line) => line.split('\t').slice(1))).toEqual([
    ['新店', '用户', 'b.csv', '已完成', '入库 1 行'],
    ['新店', '用户', 'a.csv', '已完成', '入库 2 行'],
  ])
  expect((await typed('imports', 'list', '--advertiser', '别家')).lines).toEqual(['没有导入'])
  const [last, first] = lines.map((line) => line.split('\t')[0] ?? '')

  const undone = await typed('imports', 'undo', first ?? '')
  expect(undone).toMatchObject({ code: 0 })
  expect(undone.lines.slice(-2)).toEqual(['已撤销：移除 1 行、1 人', `  1 行改计入导入 ${last}，它当时也有这些行`])
  expect(await typed('imports', 'undo', first ?? '')).toMatchObject({
    code: 1,
    err: expect.stringContaining('不能撤销：此导入已撤销'),
  })
  for (const wrong of ['0', 'x', '99999999999']) {
    expect(await typed('imports', 'undo', wrong)).toMatchObject({ code: 1, err: expect.stringContaining('不正确') })
  }
  expect(await typed('imports', 'undo', '4000')).toMatchObject({ code: 1, err: expect.stringContaining('导入记录') })

  // Without a server the command opens the stores itself.
  await server.kill()
  expect((await typed('imports', 'undo', last ?? '')).lines.at(-1)).toBe('已撤销：移除 2 行、2 人')
  expect((await typed('imports', 'list')).lines.map((line) => line.split('\t')[4])).toEqual(['已撤销', '已撤销'])
})
