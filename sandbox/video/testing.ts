import { afterAll, beforeEach, expect } from 'vitest'
import { dmpLine, md5, type Row, sandboxForTest, VIDEO_ACCOUNTS, videoCaller, zip } from '../testing.ts'

export const [ACCOUNT, OTHER] = VIDEO_ACCOUNTS
/** One of the platform's data types. */
export const IMEI_MD5 = 4
export const DAY = 86_400
export const id = (text: string) => BigInt(text)
export const adv = { advertiser_id: id(ACCOUNT) }
export const hashes = (...from: number[]) => from.map((no) => md5(`imei${no}`))

/** A sandbox for one test file, with helpers for the video engine. */
export async function videoForTest() {
  const bench = await sandboxForTest()
  /** The token of the calls; a test may replace it. */
  const now = { token: '' }
  let made = 0
  beforeEach(async () => {
    await bench.control('switches/reset')
    await bench.control('switches', { processing_seconds: 0, video_advertiser_qps: 0, video_application_qps: 0 })
    now.token = await bench.token('video', [ACCOUNT, OTHER])
  })
  afterAll(() => bench.close())
  const caller = videoCaller(bench, () => now.token)

  async function uploaded(files: Record<string, string>, account: string = ACCOUNT): Promise<string> {
    const content = await zip(files)
    const { code, data, message } = await caller.upload(account, content, { file_signature: md5(content) })
    expect({ code, message }).toEqual({ code: 0, message: 'OK' })
    return data.file_path
  }
  const sourceBody = (file_paths: readonly string[], more: object = {}) => ({
    ...adv,
    data_source_name: `数据源${++made}`,
    description: '说明',
    data_format: 0,
    file_storage_type: 0,
    file_paths,
    ...more,
  })
  const create = (file_paths: readonly string[], more: object = {}) =>
    caller.post('dmp/data_source/create/', sourceBody(file_paths, more))

  /** A parsed source with these lines. */
  async function aSource(lines: string, more: object = {}): Promise<string> {
    const { data, message } = await create([await uploaded({ 'a.txt': lines })], more)
    expect(message).toBe('OK')
    await bench.control('settle')
    return data.data_source_id
  }
  async function sourceRow(source: string): Promise<Row & { change_logs: Row[]; default_audience?: Row }> {
    const { data } = await caller.get('dmp/data_source/read/', { ...adv, data_source_id_list: [source] })
    return data.data_list[0] as never
  }
  async function audienceRow(audience: unknown): Promise<Row> {
    const { data } = await caller.get('dmp/custom_audience/read/', { ...adv, custom_audience_ids: [audience] })
    return data.custom_audience_list[0] ?? {}
  }
  const anAudience = async (...from: number[]) =>
    (await sourceRow(await aSource(dmpLine(IMEI_MD5, hashes(...from))))).default_audience?.custom_audience_id as bigint
  const valuesOf = async (source: unknown) =>
    ((await bench.read(`values?platform=video&audience_id=${source}`)) as { values: string[] }).values
  const act = async (what: string, audience: unknown, more: object = {}) => {
    const answer = await caller.post(`dmp/custom_audience/${what}/`, { ...adv, custom_audience_id: audience, ...more })
    await bench.control('settle')
    return answer
  }

  return { bench, now, caller, uploaded, create, aSource, sourceRow, audienceRow, anAudience, valuesOf, act }
}
