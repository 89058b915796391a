import { z } from 'zod'
import { outcome } from '#contract/outcome.ts'
import { PLATFORMS } from '#contract/platform.ts'
import { lengthOf, shorten } from '../audience-name.ts'
import type { AudienceAdapter, AudienceRef, StepHooks } from '../audience-platform.ts'
import { PlatformFault } from '../audience-platform.ts'
import { isFault } from '../call.ts'
import { idNumber, WireId } from '../lossless-json.ts'
import type { PartFiles } from '../part-file.ts'
import { BUSINESS } from './codes.ts'
import { videoForm } from './forms.ts'
import { dmpText } from './pack.ts'
import type { SourceRow } from './rows.ts'
import { AudienceList, changeOf, isDeleted, SourceList, videoState } from './rows.ts'
import type { VideoWire } from './wire.ts'

const { limits } = PLATFORMS.video.audiences
const DESCRIPTION = { max: limits.description, unit: limits.name.unit }
const CREATE_FILES = 1000
const UPDATE_FILES = 200
/** Links identifiers to logged-in users: the platform's default, and the only option for phones. */
const SOURCE_TYPE = 'UID'
const OPERATIONS = { add: 1, remove: 2 } as const
const SELECT_OWN = 0
const SELECT_LIMIT = 100
const SELECT_PAGES = 50
/** No call lists a source until it is parsed, which takes 20 to 60 minutes. */
const UNPARSED_WAIT = 60

type Account = Parameters<AudienceAdapter['readAudience']>[0]

/**
 * No call accepts a key, so the key ends the description; it distinguishes our audience from others of the same name.
 */
const keyMark = (key: string) => `（${key}）`

/** Data sources and their audiences: first files are sent, then the source is created, published and pushed. */
export function videoAudiences({
  wire,
  files,
  nowMs,
}: {
  wire: VideoWire
  files: PartFiles
  nowMs: () => number
}): AudienceAdapter {
  const post = <T>(shape: z.ZodType<T>, account: Account, path: string, json: Record<string, unknown>, on: StepHooks) =>
    wire.post(shape, { account, on, path, body: { json: { advertiser_id: idNumber(account.external_id), ...json } } })

  async function select(account: Account, offset: number, limit: number, on: StepHooks) {
    const query = { advertiser_id: account.external_id, select_type: SELECT_OWN, offset, limit }
    return wire.get(AudienceList, { account, on, path: '2/dmp/custom_audience/select/', query })
  }

  /** Our audience of this name (its source has the key), or whether another audience has the name. */
  async function audienceNamed(account: Account, name: string, key: string, on: StepHooks) {
    let isTaken = false
    for (let page = 0; page < SELECT_PAGES; page++) {
      const { custom_audience_list: rows, total_num } = await select(account, page * SELECT_LIMIT, SELECT_LIMIT, on)
      for (const row of rows) {
        if (row.name !== name || isDeleted(row)) continue
        const ref = { audience_id: row.custom_audience_id, source_id: row.data_source_id ?? null }
        if (ref.source_id !== null && (await carriesKey(account, ref, key, on))) return { ref, isTaken: false }
        isTaken = true
      }
      if (rows.length === 0 || (page + 1) * SELECT_LIMIT >= (total_num ?? 0)) break
    }
    return { ref: null, isTaken }
  }

  /** A source that another account pushed here cannot be read, so it is not ours. */
  async function carriesKey(account: Account, ref: AudienceRef, key: string, on: StepHooks): Promise<boolean> {
    try {
      return (await sourceOf(account, ref, on)).description?.endsWith(keyMark(key)) ?? false
    } catch (error) {
      if (isFault(error, 'gone') || isFault(error, 'refused')) return false
      throw error
    }
  }

  async function sourceOf(account: Account, ref: AudienceRef, on: StepHooks): Promise<SourceRow> {
    if (ref.source_id === null) throw new PlatformFault('configuration', outcome('platform_source_not_made'))
    const query = { advertiser_id: account.external_id, data_source_id_list: [ref.source_id] }
    const { data_list } = await wire.get(SourceList, { account, on, path: '2/dmp/data_source/read/', query })
    const source = data_list.find((row) => row.data_source_id === ref.source_id)
    if (!source) throw new PlatformFault('gone', outcome('platform_source_missing'))
    return source
  }

  async function readAudience(account: Account, ref: AudienceRef, on: StepHooks) {
    const source = await sourceOf(account, ref, on)
    const audience_id = source.default_audience?.custom_audience_id ?? ref.audience_id
    return { ref: { ...ref, audience_id }, state: videoState(source, Math.floor(nowMs() / 1000)) }
  }

  const audience = (audience_id: string) => ({ custom_audience_id: idNumber(audience_id) })

  /** `read` returns deleted audiences too. */
  async function isGone(account: Account, audience_id: string, on: StepHooks): Promise<boolean> {
    const query = { advertiser_id: account.external_id, custom_audience_ids: [idNumber(audience_id)] }
    const { custom_audience_list: rows } = await wire.get(AudienceList, {
      account,
      on,
      path: '2/dmp/custom_audience/read/',
      query,
    })
    const row = rows.find((one) => one.custom_audience_id === audience_id)
    return !row || isDeleted(row)
  }

  return {
    order: 'data-first',
    formOf: videoForm,

    async sendPart(account, _ref, type, part, on) {
      const { form, reason } = videoForm(type)
      if (!form) throw new PlatformFault('refused', reason)
      const text = dmpText(Number(form.wire), part.values())
      return files.with({ key: part.key, text, most: limits.partBytes, signal: on.signal }, async (file) => {
        const fields = { advertiser_id: account.external_id, file_signature: file.md5 }
        const body = new FormData()
        for (const [field, value] of Object.entries(fields)) body.set(field, value)
        body.set('file', file.blob, file.name)
        const shown = JSON.stringify({ ...fields, file: `${file.name}, ${file.bytes} bytes`, values: part.count })
        const { file_path } = await wire.post(z.object({ file_path: z.string().min(1) }), {
          account,
          on,
          path: '2/dmp/data_source/file/upload/',
          body: { form: body, shown },
        })
        return file_path
      })
    },

    async ensureAudience(account, wanted, on) {
      const { receipts, name } = wanted
      if (receipts.length === 0) throw new PlatformFault('configuration', outcome('platform_no_file_for_source'))
      if (receipts.length > CREATE_FILES) {
        throw new PlatformFault(
          'refused',
          outcome('platform_too_many_files', { most: CREATE_FILES, files: receipts.length }),
        )
      }
      const earlier = await audienceNamed(account, name, wanted.key, on)
      if (earlier.ref) return earlier.ref
      if (earlier.isTaken) throw new PlatformFault('nameTaken', outcome('platform_name_taken'))
      const mark = keyMark(wanted.key)
      const room = { ...DESCRIPTION, max: DESCRIPTION.max - lengthOf(mark, DESCRIPTION.unit) }
      const json = {
        data_source_name: name,
        description: shorten(wanted.description || name, room) + mark,
        data_format: 0,
        file_storage_type: 0,
        file_paths: receipts,
        data_source_type: SOURCE_TYPE,
      }
      try {
        const { data_source_id } = await post(
          z.object({ data_source_id: WireId }),
          account,
          '2/dmp/data_source/create/',
          json,
          on,
        )
        return { audience_id: null, source_id: data_source_id }
      } catch (error) {
        if (!isFault(error, 'nameTaken')) throw error
        // Most likely an earlier call succeeded and its answer was lost. Whether the source is ours can be read once it
        // is parsed.
        throw new PlatformFault('later', outcome('platform_source_parsing'), {
          code: error.code,
          retryAfter: UNPARSED_WAIT,
          cause: error,
        })
      }
    },

    findAudience: async (account, { name, key }, on) => (await audienceNamed(account, name, key, on)).ref,

    async applyParts(account, ref, change, on) {
      const source = await sourceOf(account, ref, on)
      const operation_type = OPERATIONS[change.op]
      const taken = new Set(
        source.change_logs
          .filter((log) => log.status !== 3 && log.action === operation_type)
          .flatMap((log) => log.file_paths ?? []),
      )
      const left = change.receipts.filter((receipt) => !taken.has(receipt))
      for (let at = 0; at < left.length; at += UPDATE_FILES) {
        const file_paths = left.slice(at, at + UPDATE_FILES)
        const json = {
          data_source_id: source.data_source_id,
          operation_type,
          data_format: 0,
          file_storage_type: 0,
          file_paths,
        }
        await post(z.unknown(), account, '2/dmp/data_source/update/', json, on)
      }
    },

    async partState(account, ref, receipt, on) {
      if (ref.source_id === null) return { state: 'waiting', accepted: null, reason: null }
      const change = changeOf(await sourceOf(account, ref, on), receipt)
      // The platform counts by audience, not by file.
      if (typeof change === 'string') return { state: change, accepted: null, reason: null }
      return { state: 'failed', accepted: null, reason: change.failed }
    },

    readAudience,

    async advance(account, ref, on) {
      const { ref: found, state } = await readAudience(account, ref, on)
      if (state.pending === null || found.audience_id === null) return
      if (state.pending === 'push') {
        const target_advertiser_ids = [idNumber(account.external_id)]
        const json = { ...audience(found.audience_id), target_advertiser_ids }
        await post(z.unknown(), account, '2/dmp/custom_audience/push_v2/', json, on)
        return
      }
      if (state.not_before !== null) {
        throw new PlatformFault('notYet', outcome('platform_publishes_once_a_day'), {
          retryAfter: state.not_before - Math.floor(nowMs() / 1000),
        })
      }
      try {
        await post(z.unknown(), account, '2/dmp/custom_audience/publish/', audience(found.audience_id), on)
      } catch (error) {
        // Refused although a day has passed since the publication that the source shows: another publication is
        // running.
        if (!isFault(error, 'notYet') && !(isFault(error, 'later') && error.code === BUSINESS)) throw error
      }
    },

    async remove(account, ref, on) {
      const { audience_id } = ref.audience_id === null && ref.source_id !== null ? await found(account, ref, on) : ref
      if (audience_id === null) return
      try {
        await post(z.unknown(), account, '2/dmp/custom_audience/delete/', audience(audience_id), on)
      } catch (error) {
        // Nearly all refusals have the same code.
        if (!isFault(error, 'gone') && !isFault(error, 'refused')) throw error
        if (!(await isGone(account, audience_id, on))) throw error
      }
    },

    countAudiences: async (account, on) => (await select(account, 0, 1, on)).total_num ?? 0,
  }

  /** Finds the audience made from a source, to delete it. */
  async function found(account: Account, ref: AudienceRef, on: StepHooks): Promise<AudienceRef> {
    const source = await sourceOf(account, ref, on)
    const row = source.default_audience
    if (row) return { ...ref, audience_id: isDeleted(row) ? null : row.custom_audience_id }
    if (source.change_logs.some((log) => log.status === 0 || log.status === 1)) {
      throw new PlatformFault('later', outcome('platform_parses_before_delete'), { retryAfter: 300 })
    }
    return ref
  }
}
