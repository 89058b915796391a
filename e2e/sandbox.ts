import { api } from './crowds.ts'
import type { Page } from './test.ts'

/** The stand-in behind the page's server: its control calls, and the addresses of its platforms. */
export async function sandboxOf(admin: Page) {
  const { sandbox_page } = await api<{ sandbox_page: string }>(admin, 'get', '/api/oauth/platforms')
  const page = new URL(sandbox_page)
  const headers = {
    'content-type': 'application/json',
    'x-sandbox-key': page.searchParams.get('key') ?? '',
  }

  /** One of its calls under `/sandbox`, as its own page makes them. */
  async function control<T = unknown>(path: string, body?: object): Promise<T> {
    const answer = await fetch(new URL(`/sandbox/${path}`, page), {
      headers,
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`)
    return (await answer.json()) as T
  }

  const token = async (platform: 'social' | 'video', account_id: string) =>
    (await control<{ access_token: string }>('tokens', { platform, account_ids: [account_id] })).access_token
  return { control, token, socialUrl: `${page.origin}/social`, videoUrl: `${page.origin}/video` }
}
export type Sandbox = Awaited<ReturnType<typeof sandboxOf>>
