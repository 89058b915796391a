import { afterAll, beforeEach, expect } from 'vitest'
import { md5, type Row, SOCIAL_ACCOUNTS, sandboxForTest, socialCaller } from '../testing.ts'

export const [ACCOUNT, OTHER] = SOCIAL_ACCOUNTS
export const id = (text: string) => BigInt(text)
export const imeis = (...from: number[]) => from.map((no) => md5(`imei${no}`))

/** A sandbox for one test file, with helpers for the social platform. */
export async function socialForTest() {
  const bench = await sandboxForTest()
  /** The token of the calls; a test may replace it. */
  const now = { token: '' }
  let made = 0
  beforeEach(async () => {
    await bench.control('switches/reset')
    await bench.control('switches', { processing_seconds: 0 })
    now.token = await bench.token('social', [ACCOUNT])
  })
  afterAll(() => bench.close())
  const caller = socialCaller(bench, () => now.token)
  /** The older generation. */
  const older = socialCaller(bench, () => now.token, 'v1.3')

  async function anAudience(more: object = {}): Promise<bigint> {
    const body = { account_id: id(ACCOUNT), name: `人群${++made}`, type: 'CUSTOMER_FILE', ...more }
    const { code, data, message } = await caller.post('custom_audiences/add', body)
    expect({ code, message }).toEqual({ code: 0, message: '' })
    return data.audience_id
  }
  const send = (audience: bigint, values: readonly string[], more: Record<string, string> = {}) =>
    caller.file(
      { account_id: ACCOUNT, audience_id: String(audience), user_id_type: 'HASH_IMEI', ...more },
      'part.txt',
      `${values.join('\n')}\n`,
    )
  const valuesOf = async (audience: bigint): Promise<string[]> =>
    ((await bench.read(`values?platform=social&audience_id=${audience}`)) as { values: string[] }).values
  async function rowOf(audience: bigint): Promise<Row> {
    const { data } = await caller.get('custom_audiences/get', { account_id: ACCOUNT, audience_id: audience })
    return data.list[0] ?? {}
  }
  async function filesOf(audience: bigint): Promise<Row[]> {
    const { data } = await caller.get('custom_audience_files/get', { account_id: ACCOUNT, audience_id: audience })
    return data.list
  }

  return { bench, now, caller, older, anAudience, send, valuesOf, rowOf, filesOf }
}
