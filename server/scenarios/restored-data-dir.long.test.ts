import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { createAdvertiser } from '#contract/advertiser.ts'
import { forgetPerson } from '#contract/forgetting.ts'
import { getImport, startImport } from '#contract/import.ts'
import { listLinkUsers } from '#contract/link-user.ts'
import { oneIdOf, USERS, userLine, usersFile } from '../testing/forget-world.ts'
import { realServer } from '../testing/real-server.ts'
import { uploadTo } from '../testing/upload.ts'

const elsewhere = mkdtempSync(join(tmpdir(), 'renqun-elsewhere-'))
const server = realServer({ FORGOTTEN_FILE: join(elsewhere, 'forgotten.ndjson'), PUSH_PACE: '0.02' })
const call: typeof server.admin.get = (...given) => server.admin.get(...given)
afterAll(async () => {
  await server.close()
  rmSync(elsewhere, { recursive: true, force: true })
})

/** Only the embedded stores lie in DATA_DIR. */
const isEmbedded = !process.env.RENQUN_TEST_POSTGRES && !process.env.RENQUN_TEST_CLICKHOUSE

test.runIf(isEmbedded)(
  'a DATA_DIR that is put back as a whole loses again whom it does not know as forgotten',
  { timeout: 300_000 },
  async () => {
    await server.start()
    const { id: adv_id } = await call(createAdvertiser, { body: { name: '恢复' } })
    const importLines = async (numbers: readonly number[]) => {
      const upload_id = await uploadTo(server, server.admin, usersFile(numbers.map((no) => userLine(no))), 'people.csv')
      const { id } = await call(startImport, { body: { adv_id, upload_id, mapping: USERS } })
      await server.settled()
      return (await call(getImport, { params: { id } })).report
    }
    const people = async () => (await call(listLinkUsers, { query: { adv_id } })).total
    await importLines([1, 2, 3])
    expect(await people()).toBe(3)
    await server.kill()
    const backup = join(elsewhere, 'backup')
    cpSync(server.dataDir, backup, { recursive: true })

    await server.start()
    await call(forgetPerson, { body: { adv_id, oneID: oneIdOf(1), confirm: oneIdOf(1) } as never })
    await server.settled()
    expect(await people()).toBe(2)
    await server.kill()

    rmSync(server.dataDir, { recursive: true })
    cpSync(backup, server.dataDir, { recursive: true })
    await server.start()
    await vi.waitFor(async () => expect(await people()).toBe(2), { timeout: 60_000, interval: 500 })
    await server.settled()
    expect(await importLines([1])).toMatchObject({ stored: 0, refused: 1 })
  },
)
