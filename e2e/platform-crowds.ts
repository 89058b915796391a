import { dmpLine, md5, socialCaller, videoCaller, zip } from '../sandbox/testing.ts'
import type { Sandbox } from './sandbox.ts'
import { expect } from './test.ts'

/** One of the video engine's data types. */
const IMEI_MD5 = 4

/** Crowds of an account of 腾讯广告, as made on the platform's own pages. */
export async function makeSocialCrowds(sandbox: Sandbox, account_id: string, names: readonly string[]) {
  const token = await sandbox.token('social', account_id)
  const caller = socialCaller({ box: sandbox }, () => token)
  for (const name of names) {
    const body = { account_id: BigInt(account_id), name, type: 'CUSTOMER_FILE' }
    expect(await caller.post('custom_audiences/add', body)).toMatchObject({ code: 0 })
  }
}

/**
 * Crowds of an account of 巨量引擎 as made on the platform's own pages; they are pushed to another account, since plans may
 * use only what has been pushed.
 */
export async function makeVideoCrowds(sandbox: Sandbox, account_id: string, other: string, names: readonly string[]) {
  const token = await sandbox.token('video', account_id)
  await sandbox.control('switches', { processing_seconds: 0 })
  const caller = videoCaller({ box: sandbox }, () => token)
  const advertiser_id = BigInt(account_id)
  for (const data_source_name of names) {
    const content = await zip({ 'a.txt': dmpLine(IMEI_MD5, [md5(data_source_name)]) })
    const { data: file } = await caller.upload(account_id, content, { file_signature: md5(content) })
    const { data: source } = await caller.post('dmp/data_source/create/', {
      ...{ advertiser_id, data_source_name, description: '说明', data_format: 0, file_storage_type: 0 },
      file_paths: [file.file_path],
    })
    await sandbox.control('settle', {})
    const asked = { advertiser_id, data_source_id_list: [source.data_source_id] }
    const { data } = await caller.get('dmp/data_source/read/', asked)
    const { default_audience } = data.data_list[0] as { default_audience?: { custom_audience_id: bigint } }
    const crowd = { advertiser_id, custom_audience_id: default_audience?.custom_audience_id }
    expect(await caller.post('dmp/custom_audience/publish/', crowd)).toMatchObject({ code: 0 })
    await sandbox.control('settle', {})
    const push = { ...crowd, target_advertiser_ids: [BigInt(other)] }
    expect(await caller.post('dmp/custom_audience/push_v2/', push)).toMatchObject({ code: 0 })
    await sandbox.control('settle', {})
  }
}
