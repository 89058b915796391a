import type { DataOf } from '#contract/endpoint.ts'
import { getUploadCredentials, STS_REFRESH_MS } from '#contract/upload.ts'
import { call } from '../../lib/call.ts'

export type Credentials = DataOf<typeof getUploadCredentials>

/** Asked for anew this long before they end, should a laptop have slept through the clock. */
const SPARE_SECONDS = 60

/** What the page may upload with, kept fresh while it stands. `prefix`: that of the page before it was loaded again. */
export function openCredentials(prefix: string | null) {
  let asked: Promise<Credentials> | null = null
  let latest: Credentials | null = null
  let timer: ReturnType<typeof setInterval> | undefined

  async function ask(): Promise<Credentials> {
    const known = latest?.kind === 's3' ? latest.prefix : prefix
    latest = await call(getUploadCredentials, { query: known === null ? {} : { prefix: known } })
    timer ??= setInterval(() => void renew().catch(() => {}), STS_REFRESH_MS)
    return latest
  }

  /** One question at a time; one that fails is asked again by whoever needs the answer next. */
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
