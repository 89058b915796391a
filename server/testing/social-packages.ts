import type { TestSandbox } from './sandbox.ts'

/** A stored targeting as the older generation of the social platform's stand-in reads it back. */
export interface SandboxTargeting {
  targeting_id: string
  targeting_name: string
  targeting: { gender?: string[] }
}

let calls = 0

/** Stored targetings as a person sees them on the social platform's own pages, for one account. */
export async function onSocialPages(sandbox: Pick<TestSandbox, 'control' | 'socialUrl'>, external_id: string) {
  const about = { platform: 'social', account_ids: [external_id] }
  const { access_token } = await sandbox.control<{ access_token: string }>('tokens', about)
  return {
    async list(): Promise<SandboxTargeting[]> {
      const url = new URL(`${sandbox.socialUrl}/v1.3/targetings/get`)
      const timestamp = Math.floor(Date.now() / 1000)
      const given = { access_token, timestamp, nonce: `pages${++calls}`, account_id: external_id, page_size: 100 }
      for (const [name, value] of Object.entries(given)) url.searchParams.set(name, String(value))
      const text = await (await fetch(url)).text()
      // Ids are 64 bits, and are kept as text.
      const { code, message, data } = JSON.parse(text.replace(/:\s*(\d{16,})/g, ':"$1"')) as {
        code: number
        message: string
        data: { list: SandboxTargeting[] }
      }
      if (code !== 0) throw new Error(message)
      return data.list
    },
  }
}
