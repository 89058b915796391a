import { getTargeting, listTargetings } from '#contract/targeting-package.ts'
import { VIDEO } from './platforms.ts'
import type { TestSandbox } from './sandbox.ts'
import { aPackage } from './targeting.ts'
import type { TestApp } from './test-app.ts'

/** A package as the stand-in of the video engine reads it back. */
export interface SandboxPackage {
  audience_package_id: string
  name: string
  description: string
  gender: string
  [field: string]: unknown
}

/** Calls of the video engine's stand-in as a person makes them on the platform's own pages, for one account. */
export async function onVideoPages(sandbox: Pick<TestSandbox, 'control' | 'videoUrl'>, external_id: string) {
  const about = { platform: 'video', account_ids: [external_id] }
  const { access_token } = await sandbox.control<{ access_token: string }>('tokens', about)
  // Ids are 64 bits, and are kept as text.
  const parsed = (text: string) =>
    JSON.parse(text.replace(/:\s*(\d{16,})/g, ':"$1"')) as { code: number; message: string; data: never }
  async function call(method: 'GET' | 'POST', path: string, body: Record<string, unknown>): Promise<never> {
    const url = new URL(`${sandbox.videoUrl}/open_api/${path}/`)
    if (method === 'GET') for (const [name, value] of Object.entries(body)) url.searchParams.set(name, String(value))
    const text = JSON.stringify(body).replace(/"(\d{16,})"/g, '$1')
    const answer = await fetch(url, {
      method,
      headers: { 'access-token': access_token, 'content-type': 'application/json' },
      ...(method === 'POST' && { body: text }),
    })
    const { code, message, data } = parsed(await answer.text())
    if (code !== 0) throw new Error(message)
    return data
  }
  const advertiser_id = external_id
  return {
    async list(): Promise<SandboxPackage[]> {
      const query = { advertiser_id, page: 1, page_size: 100 }
      const { audience_packages } = (await call('GET', 'v3.0/audience_package/get', query)) as {
        audience_packages: SandboxPackage[]
      }
      return audience_packages
    },
    async create(name: string, more: object = {}): Promise<string> {
      const body = { advertiser_id, name, description: '在平台上建立', landing_type: 'EXTERNAL', ...more }
      const made = (await call('POST', '2/audience_package/create', body)) as { audience_package_id: string }
      return made.audience_package_id
    },
    update: (audience_package_id: string, more: object) =>
      call('POST', '2/audience_package/update', { advertiser_id, audience_package_id, ...more }),
    remove: (audience_package_id: string) =>
      call('POST', '2/audience_package/delete', { advertiser_id, audience_package_id }),
  }
}

export const WOMEN = { landing_type: 'EXTERNAL', gender: ['GENDER_FEMALE'] }
export const aVideoPackage = (app: TestApp, advertiser_id: number, given: object = {}) =>
  aPackage(app, advertiser_id, { targeting: WOMEN, ...given })

export const packageDetail = (app: TestApp, id: number) => app.admin.get(getTargeting, { query: { id } })
export const videoPackages = async (app: TestApp) =>
  (await app.admin.get(listTargetings, { body: { platform: VIDEO, page_size: 200 } as never })).list
