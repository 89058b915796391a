import { dmpLine, md5, type ParsedAnswer, videoCaller, zip } from '../../sandbox/testing.ts'
import type { TestSandbox } from './sandbox.ts'

/** One of the video engine's data types. */
const IMEI_MD5 = 4

/** What an account's owner does with crowds on the video engine's own pages, by the ids that the platform gives. */
export async function videoCrowdsOf(sandbox: TestSandbox, external_id: string) {
  const about = { platform: 'video', account_ids: [external_id] }
  const { access_token } = await sandbox.control<{ access_token: string }>('tokens', about)
  const caller = videoCaller({ box: sandbox }, () => access_token)
  const advertiser_id = BigInt(external_id)

  async function done({ code, message, data }: ParsedAnswer): Promise<ParsedAnswer['data']> {
    if (code !== 0) throw new Error(message)
    await sandbox.control('settle', {})
    return data
  }
  const post = async (path: string, body: object) => done(await caller.post(`dmp/${path}/`, { advertiser_id, ...body }))
  const about_crowd = (id: string) => ({ custom_audience_id: BigInt(id) })

  return {
    /** A new crowd, which is parsed but not yet published. */
    async add(name: string): Promise<string> {
      const content = await zip({ 'a.txt': dmpLine(IMEI_MD5, [md5(name)]) })
      const { file_path } = await done(await caller.upload(external_id, content, { file_signature: md5(content) }))
      const { data_source_id } = await post('data_source/create', {
        ...{ data_source_name: name, description: '说明', data_format: 0, file_storage_type: 0 },
        file_paths: [file_path],
      })
      const { data_list } = await done(
        await caller.get('dmp/data_source/read/', { advertiser_id, data_source_id_list: [data_source_id] }),
      )
      const { default_audience } = data_list[0] as { default_audience: { custom_audience_id: bigint } }
      return String(default_audience.custom_audience_id)
    },
    publish: (id: string) => post('custom_audience/publish', about_crowd(id)),
    /** After it, the crowd may be used by plans of both accounts. */
    push: (id: string, to: string) =>
      post('custom_audience/push_v2', { ...about_crowd(id), target_advertiser_ids: [BigInt(to)] }),
    remove: (id: string) => post('custom_audience/delete', about_crowd(id)),
  }
}
