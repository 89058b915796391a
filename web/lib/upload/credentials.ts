import type { DataOf } from '#contract/endpoint.ts'
import { getUploadCredentials, STS_REFRESH_MS, type UploadPurpose } from '#contract/upload.ts'
import { call } from '../call.ts'

export type Credentials = DataOf<typeof getUploadCredentials>

/** Renewed this long before they end: a laptop may have slept past the timer. */
const SPARE_SECONDS = 60

/** What the page may upload with, renewed before it ends. `prefix`: that of the page before it was loaded again. */
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
