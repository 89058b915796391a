import type { DataOf } from '#contract/endpoint.ts'
import { getUploadCredentials, STS_REFRESH_MS, type UploadPurpose } from '#contract/upload.ts'
import { call } from '../call.ts'

export type Credentials = DataOf<typeof getUploadCredentials>

/** Credentials are also renewed on use when less than this is left: a sleeping laptop misses the timer. */
const SPARE_SECONDS = 60

/** The page's upload credentials, renewed before they expire. `prefix` is the one used before a reload. */
export function openCredentials(purpose: UploadPurpose, prefix: string | null) {
  let asked: Promise<Credentials> | null = null
  let latest: Credentials | null = null
  let timer: ReturnType<typeof setInterval> | undefined

  async function ask(): Promise<Credentials> {
    const known = latest?.kind === 's3' ? latest.prefix : prefix
    latest = await call(getUploadCredentials, { query: known === null ? { purpose } : { purpose, prefix: known } })
    timer ??= setInterval(() => void renew().catch(() => {}), STS_REFRESH_MS)
    return latest
  }

  /** One request at a time; after a failure the next caller asks again. */
  function renew(): Promise<Credentials> {
    asked ??= ask().finally(() => {
      asked = null
    })
    return asked
  }

  return {
    renew,
    async get(): Promise<Credentials> {
      const isFresh = latest !== null && latest.expires_at - SPARE_SECONDS > Date.now() / 1000
      return isFresh && latest ? latest : renew()
    },
    close: () => clearInterval(timer),
  }
}
export type CredentialsSource = ReturnType<typeof openCredentials>
