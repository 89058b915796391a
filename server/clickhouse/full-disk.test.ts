import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { tinyDisk } from '../testing/tiny-disk.ts'
import { openClickHouse } from './open.ts'

const disk = tinyDisk(64)
afterAll(() => disk?.remove())

describe.skipIf(!disk)('an embedded warehouse on a full disk', () => {
  if (!disk) return
  test('refuses to change its tables, answers, opens again, and works once there is room', async () => {
    let warehouse = await openClickHouse({ dataDir: disk.path })
    // One left open would keep all other files of this process from opening theirs.
    onTestFinished(() => warehouse.close())
    const load = () => warehouse.load.acrossShards
    const people = () => warehouse.live.acrossShards.query('SELECT one_id FROM person_key')
    await load().insert('person_key', [{ adv_id: 1, one_id: 'a', uid: 1 }])
    disk.fill()
    for (const change of [
      'CREATE TABLE stage (a UInt8) ENGINE = MergeTree ORDER BY a',
      'ALTER TABLE person_row ADD COLUMN a0 String',
      'DELETE FROM person_row WHERE uid = 1',
    ]) {
      await expect(load().command(change)).rejects.toMatchObject({ name: 'EngineError', code: 'disk_full' })
    }
    await expect(load().insert('person_key', [{ adv_id: 1, one_id: 'b', uid: 2 }])).rejects.toMatchObject({
      code: 'disk_full',
    })
    expect(await people()).toEqual([{ one_id: 'a' }])
    await warehouse.close()
    warehouse = await openClickHouse({ dataDir: disk.path })
    expect(await people()).toEqual([{ one_id: 'a' }])
    disk.empty()
    await load().command('ALTER TABLE person_row ADD COLUMN a0 String')
    await load().insert('person_key', [{ adv_id: 1, one_id: 'b', uid: 2 }])
    expect(await people()).toHaveLength(2)
  })
})
