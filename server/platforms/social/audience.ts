import { z } from 'zod'
import { outcome } from '#contract/outcome.ts'
import { PLATFORMS } from '#contract/platform.ts'
import { shorten } from '../audience-name.ts'
import type { AudienceAdapter, AudienceRef, StepHooks } from '../audience-platform.ts'
import { PlatformFault } from '../audience-platform.ts'
import { isFault } from '../call.ts'
import { idNumber, WireId } from '../lossless-json.ts'
import type { PartFiles } from '../part-file.ts'
import { FILE_BUSY_WAIT } from './codes.ts'
import { socialForm } from './forms.ts'
import { pagesOf } from './pages.ts'
import { plain } from './plain.ts'
import type { AudienceRow, FileRow } from './rows.ts'
import { AudiencePage, FilePage, processOf, socialState } from './rows.ts'
import type { SocialWire } from './wire.ts'

const { limits } = PLATFORMS.social.audiences
const DESCRIPTION = { max: limits.description, unit: limits.name.unit }
type Account = Parameters<AudienceAdapter['readAudience']>[0]

/** Custom audiences of type CUSTOMER_FILE: the audience is created first, then files are sent one after the other. */
export function socialAudiences({ wire, files }: { wire: SocialWire; files: PartFiles }): AudienceAdapter {
  async function ownAudiences(account: Account, on: StepHooks): Promise<AudienceRow[]> {
    const rows: AudienceRow[] = []
    for await (const { list } of pagesOf(wire, AudiencePage, { account, on, path: 'custom_audiences/get' })) {
      // Audiences granted by other accounts count for their owners.
      rows.push(...list.filter((row) => row.is_own !== false))
    }
    return rows
  }

  async function keyed(account: Account, key: string, on: StepHooks): Promise<AudienceRef | null> {
    const row = (await ownAudiences(account, on)).find(({ outer_audience_id }) => outer_audience_id === key)
    return row ? { audience_id: row.audience_id, source_id: null } : null
  }

  async function filesOf(account: Account, audience_id: string, on: StepHooks): Promise<FileRow[]> {
    const rows: FileRow[] = []
    for await (const { list } of pagesOf(wire, FilePage, {
      account,
      on,
      path: 'custom_audience_files/get',
      query: { audience_id },
    }))
      rows.push(...list)
    return rows
  }

  const post = (account: Account, path: string, json: Record<string, unknown>, on: StepHooks) =>
    wire.post(z.unknown(), {
      account,
      on,
      path,
      body: { json: { account_id: idNumber(account.external_id), ...json } },
    })

  return {
    order: 'audience-first',
    formOf: socialForm,

    async ensureAudience(account, wanted, on) {
      if (!/^[0-9A-Za-z_]{1,128}$/.test(wanted.key)) {
        throw new PlatformFault('configuration', outcome('platform_key_malformed', { key: wanted.key }))
      }
      const json = {
        account_id: idNumber(account.external_id),
        name: plain(wanted.name),
        type: 'CUSTOMER_FILE',
        // A second call with this id returns the first audience's id.
        outer_audience_id: wanted.key,
        ...(wanted.description && { description: shorten(plain(wanted.description), DESCRIPTION) }),
      }
      try {
        const { audience_id } = await wire.post(z.object({ audience_id: WireId }), {
          account,
          on,
          path: 'custom_audiences/add',
          body: { json },
          requestId: wanted.key,
        })
        return { audience_id, source_id: null }
      } catch (error) {
        if (!isFault(error, 'nameTaken')) throw error
        // An earlier call of ours may have taken the name.
        const ours = await keyed(account, wanted.key, on)
        if (!ours) throw error
        return ours
      }
    },

    findAudience: (account, { key }, on) => keyed(account, key, on),

    async sendPart(account, ref, type, part, on) {
      const audience_id = known(ref.audience_id)
      const { form, reason } = socialForm(type)
      if (!form) throw new PlatformFault('refused', reason)
      const there = await filesOf(account, audience_id, on)
      const name = `${part.key}.zip`
      const earlier = there.filter((row) => row.name === name)
      const sent = earlier.find((row) => processOf(row) !== 'failed')
      if (sent) return sent.custom_audience_file_id
      if (there.some((row) => processOf(row) === 'waiting')) {
        throw new PlatformFault('later', outcome('platform_file_before_is_processed'), {
          code: 54307,
          retryAfter: FILE_BUSY_WAIT,
        })
      }
      return files.with(
        { key: part.key, text: lines(part.values()), most: limits.partBytes, signal: on.signal },
        async (file) => {
          const fields = {
            account_id: account.external_id,
            audience_id,
            user_id_type: form.wire,
            operation_type: part.op === 'add' ? 'APPEND' : 'REDUCE',
          }
          const body = new FormData()
          for (const [field, value] of Object.entries(fields)) body.set(field, value)
          body.set('file', file.blob, file.name)
          const shown = JSON.stringify({
            ...fields,
            file: `${file.name}, ${file.bytes} bytes, md5 ${file.md5}`,
            values: part.count,
          })
          const { custom_audience_file_id } = await wire.post(z.object({ custom_audience_file_id: WireId }), {
            account,
            on,
            path: 'custom_audience_files/add',
            body: { form: body, shown },
            // A new id if an earlier try was accepted and failed.
            requestId: earlier.length ? `${part.key}-${earlier.length}` : part.key,
          })
          return custom_audience_file_id
        },
      )
    },

    async applyParts() {},

    async partState(account, ref, receipt, on) {
      const query = {
        account_id: account.external_id,
        audience_id: known(ref.audience_id),
        custom_audience_file_id: receipt,
      }
      const { list } = await wire.get(FilePage, { account, on, path: 'custom_audience_files/get', query })
      const row = list.find((one) => one.custom_audience_file_id === receipt)
      if (!row) throw new PlatformFault('gone', outcome('platform_file_missing'))
      const state = processOf(row)
      return {
        state,
        accepted: state === 'waiting' ? null : (row.valid_line_count ?? null),
        reason: state === 'failed' ? fileFailure(row.error_message) : null,
      }
    },

    async readAudience(account, ref, on) {
      const audience_id = known(ref.audience_id)
      const query = { account_id: account.external_id, audience_id }
      const { list } = await wire.get(AudiencePage, { account, on, path: 'custom_audiences/get', query })
      const row = list.find((one) => one.audience_id === audience_id)
      if (!row) throw new PlatformFault('gone', outcome('platform_audience_missing'))
      return { ref, state: socialState(row) }
    },

    async advance() {},

    async rename(account, ref, name, on) {
      await post(
        account,
        'custom_audiences/update',
        { audience_id: idNumber(known(ref.audience_id)), name: plain(name) },
        on,
      )
    },

    async remove(account, ref, on) {
      if (ref.audience_id === null) return
      try {
        await post(account, 'custom_audiences/delete', { audience_id: idNumber(ref.audience_id) }, on)
      } catch (error) {
        if (!isFault(error, 'gone')) throw error
      }
    },

    countAudiences: async (account, on) => (await ownAudiences(account, on)).length,
  }
}

function known(audience_id: string | null): string {
  if (audience_id === null) throw new PlatformFault('configuration', outcome('platform_audience_not_made'))
  return audience_id
}

const fileFailure = (said: string | null | undefined) =>
  said ? outcome('platform_refused', { text: said }) : outcome('platform_file_failed')

async function* lines(batches: AsyncIterable<readonly string[]>): AsyncGenerator<string> {
  for await (const batch of batches) if (batch.length) yield `${batch.join('\n')}\n`
}
