import { join } from 'node:path'
import type { Platform } from '#contract/platform.ts'
import type { Settings } from '../config/settings.ts'
import { sandboxProcess } from './sandbox-process.ts'

/** Where a platform is spoken to, and as which application. */
export interface PlatformAddress {
  url: string
  appId: string
  secret: string
  isSandbox: boolean
}

/** Where our own server passes the sandbox's OAuth pages on. */
export const SANDBOX_PAGES = '/api/oauth/sandbox'

/** What a sandbox is told when no application is set; a real platform refuses it. */
const SANDBOX_APPS = {
  social: { prefix: '/social', appId: '1110000001', secret: 'sandbox-social-secret' },
  video: { prefix: '/video', appId: '1780000000000001', secret: 'sandbox-video-secret' },
  // The commerce platform shares the video engine's host and authorisation.
  commerce: { prefix: '/video', appId: '1780000000000001', secret: 'sandbox-video-secret' },
} as const

/** The platforms that are set, and a sandbox of our own for the others. */
export function platformAddresses({ platforms, dataDir, role }: Pick<Settings, 'platforms' | 'dataDir' | 'role'>) {
  const sandbox = sandboxProcess(join(dataDir, 'sandbox'))
  let isClosed = false
  // Two processes would each have one of their own, and would not see what the other did there.
  const hasSandbox = role !== 'web'
  // The commerce platform takes no crowds yet: it alone is no reason to start one.
  const needsSandbox = platforms.social.url === undefined || platforms.video.url === undefined

  const sandboxUrl = async () => (hasSandbox && needsSandbox ? sandbox.url() : null)

  return {
    /** The base of the sandbox that belongs to this process; null where it has none. */
    sandboxUrl,
    /** The address of a platform's page for a viewer's browser, which may not reach this machine's loopback. */
    async pageFor(url: string, origin: string): Promise<string> {
      // A sandbox that does not start is no reason to keep anyone from a real platform.
      const base = await sandboxUrl().catch(() => null)
      return base !== null && url.startsWith(`${base}/`) ? `${origin}${SANDBOX_PAGES}${url.slice(base.length)}` : url
    },
    /** Null where none is set and this process has no sandbox. */
    async of(platform: Platform): Promise<PlatformAddress | null> {
      const { url, appId, secret } = platforms[platform]
      const stand = SANDBOX_APPS[platform]
      const app = { appId: appId ?? stand.appId, secret: secret ?? stand.secret }
      // A URL without an application is a sandbox that somebody started.
      if (url !== undefined) return { ...app, url: url.replace(/\/+$/, ''), isSandbox: appId === undefined }
      if (!hasSandbox) return null
      return {
        appId: stand.appId,
        secret: stand.secret,
        url: `${await sandbox.url()}${stand.prefix}`,
        isSandbox: true,
      }
    },
    /** What `of` will say, without starting anything. */
    kindOf(platform: Platform): 'sandbox' | 'real' | null {
      const { url, appId } = platforms[platform]
      if (url === undefined) return hasSandbox ? 'sandbox' : null
      return appId === undefined ? 'sandbox' : 'real'
    },
    /** Starts the sandbox, where one is needed, before anybody asks for it; answers where its page of switches is. */
    async start(): Promise<string | null> {
      try {
        const base = await sandboxUrl()
        return base === null ? null : `${base}/sandbox`
      } catch (error) {
        // A stop came first.
        if (isClosed) return null
        throw error
      }
    },
    async close(): Promise<void> {
      isClosed = true
      await sandbox.close()
    },
  }
}
