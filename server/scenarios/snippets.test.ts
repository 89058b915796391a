import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { getLinkUser } from '#contract/link-user.ts'
import { listLately, makeWriteKey } from '#contract/tracking.ts'
import { curlSnippet, nodeSnippet } from '#contract/tracking-snippets.ts'
import { anAdvertiser } from '../testing/builders.ts'
import { type TestApp, testApp } from '../testing/test-app.ts'

// The code that 数据接入 offers, run as it is pasted. That of pages is tried in a browser.

const run = promisify(execFile)

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
beforeEach(() => app.reset())
afterAll(() => app.close())

async function aServerKey() {
  const adv_id = await anAdvertiser(app)
  const { key } = await app.admin.get(makeWriteKey, { body: { adv_id, kind: 'server', name: '订单服务' } })
  return { adv_id, given: { origin: await app.origin(), key } }
}

/** What every snippet sends: the attributes of a person, and an order of theirs. */
async function expectOrder(adv_id: number) {
  const { messages, refusals } = await app.admin.get(listLately, { query: { adv_id } })
  expect(refusals).toEqual([])
  expect(messages.map(({ kind, user_id, event, properties }) => ({ kind, user_id, event, properties }))).toEqual(
    expect.arrayContaining([
      { kind: 'identify', user_id: '10001', event: '', properties: [{ name: 'city', text: '上海' }] },
      { kind: 'track', user_id: '10001', event: '下单', properties: [{ name: 'amount', text: '299' }] },
    ]),
  )
  await app.settled()
  expect(await app.admin.get(getLinkUser, { query: { adv_id, oneID: '10001' } })).toMatchObject({ total: 1 })
}

test('the snippet for Node sends what it says', async () => {
  const { adv_id, given } = await aServerKey()
  // Beside the packages, so that the import is found.
  const folder = mkdtempSync(join(import.meta.dirname, '../../node_modules/.snippet-'))
  try {
    writeFileSync(join(folder, 'send.mjs'), nodeSnippet(given))
    await run(process.execPath, [join(folder, 'send.mjs')])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  await expectOrder(adv_id)
})

const hasCurl = (() => {
  try {
    execFileSync('curl', ['--version'])
    return true
  } catch {
    return false
  }
})()

test.skipIf(!hasCurl)('the snippet for curl sends what it says', async () => {
  const { adv_id, given } = await aServerKey()
  const { stdout } = await run('sh', ['-c', curlSnippet(given)])
  expect(JSON.parse(stdout)).toMatchObject({ code: 0, data: { accepted: 2, refused: [] } })
  await expectOrder(adv_id)
})
