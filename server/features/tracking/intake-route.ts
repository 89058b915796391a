import { randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import { keysOf } from '#contract/common.ts'
import { outcome, sentenceOf } from '#contract/outcome.ts'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'
import { TRACKING_PATHS, TRACKING_SETTINGS_PATH } from '#contract/tracking.ts'
import {
  BATCH_BYTES_MAX,
  BATCH_MESSAGES_MAX,
  MESSAGE_KINDS,
  type MessageKind,
  readMessage,
  type TrackedMessage,
} from '#contract/tracking-message.ts'
import { AppError } from '../../errors.ts'
import { addressGroup, callerAddress } from '../../http/caller-address.ts'
import { fastifyPath } from '../../http/mount.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from '../../http/plain-route.ts'
import { analyticsSettings } from './analytics-settings.ts'
import type { TrackingIntake } from './intake.ts'
import type { ActiveKey } from './keys.ts'
import { keylessCalls, keyRates, strangers } from './rate.ts'
import type { RefusalLog } from './refusals.ts'
import { refusedCall } from './refused-call.ts'

interface Deps {
  intake: TrackingIntake
  refusals: RefusalLog
  publicUrl: string | undefined
  /** Messages per second of one key. */
  rate: number
}

/** Unknown keys that one address may try. */
const STRANGERS_PER_MINUTE = 60
/** Calls of one address that are unpacked and read and then have no good key. */
const KEYLESS_PER_MINUTE = 600
const RETRY_AFTER_S = 1
const STRANGER_RETRY_AFTER_S = 60
/** What is compared of a key; ours are shorter. */
const KEY_CHARACTERS = 64
const REFUSED_SHOWN_MAX = BATCH_MESSAGES_MAX

/** How bodies may be packed. */
const UNPACK = { gzip: promisify(gunzip), br: promisify(brotliDecompress), deflate: promisify(inflate) }
const UTF_8 = new TextDecoder('utf-8', { fatal: true })

/**
 * The tracking calls, which pages of any site and any server make with a write key: beside the contract's calls, since
 * neither sessions nor the check of origins apply, and a body is refused message by message.
 */
export function mountTracking(app: FastifyInstance, deps: Deps): void {
  app.register(async (scope) => mountIn(scope, deps))
}

function mountIn(scope: FastifyInstance, { intake, refusals, publicUrl, rate }: Deps): void {
  const rates = keyRates(rate)
  const unknown = strangers(STRANGERS_PER_MINUTE)
  const keyless = keylessCalls(KEYLESS_PER_MINUTE)
  const bodies = new WeakMap<FastifyRequest, Buffer>()
  const callers = new WeakMap<FastifyRequest, ActiveKey>()

  // The body stays out of sight of what reads bodies of calls: one bad message must not refuse the others.
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BATCH_BYTES_MAX }, (request, body, done) => {
    bodies.set(request, body as Buffer)
    done(null, undefined)
  })
  scope.addHook('onRequest', async (_request, reply) => {
    reply.header('access-control-allow-origin', '*')
    // Else a page cannot read when to try again.
    reply.header('access-control-expose-headers', 'Retry-After')
  })
  scope.addHook('onSend', async (_request, reply) => {
    if (reply.statusCode === 503 && !reply.hasHeader('retry-after')) reply.header('retry-after', RETRY_AFTER_S)
  })
  scope.addHook('onError', async (request, _reply, error) => {
    const key = callers.get(request)
    const refused = refusedCall(error)
    if (key && refused)
      refusals.add({ adv_id: key.adv_id, key_id: key.id, outcome: refused, kind: '', event: '', message_id: '' })
  })
  const config = { rateLimit: false as const }
  const schema = { hide: true }

  /**
   * A caller with an unknown key is told so; one that tries many has to wait, and only keys that were good lately are still
   * looked up for it: others behind the same address go on.
   */
  async function keyFor(request: FastifyRequest, reply: FastifyReply, text: string): Promise<ActiveKey> {
    const address = addressOf(request)
    const tried = text.slice(0, KEY_CHARACTERS)
    if (unknown.isKnown(address, tried)) throw new AppError('writeKeyInvalid')
    const known = intake.knownKey(text)
    if (known) return known
    if (unknown.isTooMany(address) && !intake.wasGood(text)) throw tooMany(reply)
    const key = text === '' ? null : await intake.keyOf(text)
    if (key) return key
    unknown.count(address, tried)
    throw new AppError('writeKeyInvalid')
  }

  /** With the key in the header no body is taken before the key is known and has a rate left. */
  async function knowCaller(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const inHeader = basicUser(request)
    if (inHeader === '') return
    const key = await keyFor(request, reply, inHeader)
    callers.set(request, key)
    takeRate(reply, key, 1)
  }

  /** The call's body and its key, which a page sends in the body. */
  async function read(request: FastifyRequest, reply: FastifyReply) {
    const bodyOf = async () => parsed(await textOf(request, bodies.get(request)))
    const caller = callers.get(request)
    if (caller) return { key: caller, body: await bodyOf() }
    const address = addressOf(request)
    if (keyless.isTooMany(address)) throw tooMany(reply)
    const found = await withBody().catch((error: unknown) => {
      // Not if the keys are out of reach for now.
      if (error instanceof AppError && error.status < 500) keyless.count(address)
      throw error
    })
    callers.set(request, found.key)
    takeRate(reply, found.key, 1)
    return found

    async function withBody() {
      const body = await bodyOf()
      return { key: await keyFor(request, reply, typeof body.writeKey === 'string' ? body.writeKey : ''), body }
    }
  }

  /** `before`: what the call has taken of the rate already. */
  function takeRate(reply: FastifyReply, key: ActiveKey, messages: number, before = 0): void {
    const wait = rates.take(key.id, messages, before)
    if (wait === null) return
    reply.header('retry-after', wait)
    throw new AppError('trackingTooFast', { reason: outcome('track_too_fast', { max: rate }) })
  }

  async function receive(request: FastifyRequest, reply: FastifyReply, kind: MessageKind | null) {
    const received = Date.now()
    const { key, body } = await read(request, reply)
    const given = kind === null ? batchOf(body) : [body]
    // The call itself has taken one.
    if (given.length > 1) takeRate(reply, key, given.length - 1, 1)
    const messages: TrackedMessage[] = []
    let bytes = 0
    const refused: { index: number; given: unknown; outcome: AnyOutcome }[] = []
    const at = { receivedMs: received, sentAt: body.sentAt, kind, keyKind: key.kind, newId: randomUUID }
    for (const [index, one] of given.entries()) {
      const checked = readMessage(one, at)
      if ('message' in checked) {
        messages.push(checked.message)
        bytes += checked.bytes
      } else refused.push({ index, given: one, outcome: checked.refused })
    }
    await intake.accept({ key, received, messages, bytes })
    for (const one of refused) {
      const named = shownOf(one.given, kind)
      refusals.add({ adv_id: key.adv_id, key_id: key.id, outcome: one.outcome, ...named })
    }
    const [only] = refused
    if (kind !== null && only) throw new AppError('trackingRefused', { reason: only.outcome })
    return {
      code: 0,
      msg: 'OK',
      success: true,
      data: {
        accepted: messages.length,
        refused: refused.slice(0, REFUSED_SHOWN_MAX).map(({ index, given, outcome }) => ({
          index,
          message_id: shownOf(given, kind).message_id,
          reason: sentenceOf(outcome),
          outcome,
        })),
      },
    }
  }

  for (const [url, kind] of Object.entries(TRACKING_PATHS)) {
    scope.route({
      method: 'POST',
      url,
      config,
      schema,
      onRequest: knowCaller,
      handler: (request, reply) => receive(request, reply, kind),
    })
    mountPreflight(url)
  }

  const settingsPath = fastifyPath(TRACKING_SETTINGS_PATH)
  scope.route({
    method: 'GET',
    url: settingsPath,
    config,
    schema,
    handler: async (request, reply) => {
      const { key } = request.params as { key: string }
      await keyFor(request, reply, key)
      return analyticsSettings(key, publicUrl ?? `${request.protocol}://${request.host}`)
    },
  })
  mountPreflight(settingsPath)

  /** Browsers ask before they send a header or a type of their own. */
  function mountPreflight(url: string) {
    scope.route({
      method: 'OPTIONS',
      url,
      config,
      schema,
      handler: async (_request, reply) =>
        reply
          .code(204)
          .header('access-control-allow-methods', 'GET, POST, OPTIONS')
          .header('access-control-allow-headers', 'authorization, content-type, content-encoding')
          .header('access-control-max-age', '86400')
          .send(),
    })
  }
}

const addressOf = (request: FastifyRequest): string => addressGroup(callerAddress(request))

function tooMany(reply: FastifyReply): AppError {
  reply.header('retry-after', STRANGER_RETRY_AFTER_S)
  return new AppError('tooMany')
}

/** The user of basic authentication; empty without one. */
function basicUser(request: FastifyRequest): string {
  const encoded = /^Basic ([A-Za-z0-9+/=_-]+)$/i.exec(request.headers.authorization ?? '')?.[1]
  return encoded === undefined ? '' : (Buffer.from(encoded, 'base64').toString('utf8').split(':')[0] ?? '')
}

/** The body as text, unpacked within its bound. */
async function textOf(request: FastifyRequest, body: Buffer = Buffer.alloc(0)): Promise<string> {
  const encoding = request.headers['content-encoding']?.trim().toLowerCase()
  if (encoding === undefined || encoding === 'identity') return decoded(body)
  const packed = keysOf(UNPACK).find((one) => one === encoding)
  if (packed === undefined) throw new AppError('unreadable')
  try {
    return decoded(await UNPACK[packed](body, { maxOutputLength: BATCH_BYTES_MAX }))
  } catch (error) {
    if (error instanceof AppError) throw error
    throw new AppError((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? 'tooLarge' : 'unreadable')
  }
}

/** Another encoding is refused: what could not be read would make the ids of several people one. */
function decoded(body: Buffer): string {
  try {
    return UTF_8.decode(body)
  } catch {
    throw new AppError('unreadable')
  }
}

function parsed(text: string): Record<string, unknown> {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    throw new AppError('unreadable')
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new AppError('trackingRefused', { reason: outcome('track_not_an_object') })
  return body as Record<string, unknown>
}

function batchOf({ batch }: Record<string, unknown>): unknown[] {
  if (!Array.isArray(batch)) throw new AppError('trackingRefused', { reason: outcome('track_batch_not_a_list') })
  if (batch.length > BATCH_MESSAGES_MAX)
    throw new AppError('trackingRefused', { reason: outcome('track_batch_too_many', { max: BATCH_MESSAGES_MAX }) })
  return batch
}

/** What a refusal says of its message. */
function shownOf(given: unknown, kind: MessageKind | null): { kind: string; event: string; message_id: string } {
  const message = (typeof given === 'object' && given !== null ? given : {}) as Record<string, unknown>
  const text = (value: unknown) => (typeof value === 'string' ? value.slice(0, 200).toWellFormed() : '')
  const named = MESSAGE_KINDS.find((one) => one === message.type)
  return { kind: kind ?? named ?? '', event: text(message.event), message_id: text(message.messageId) }
}
