import { join } from 'node:path'
import type { Platform } from '#contract/platform.ts'
import type { Settings } from '../settings.ts'
import { sandboxProcess } from './sandbox-process.ts'

/** Where a platform is spoken to, and as which application. */
export interface PlatformAddress {
  url: string
  appId: string
  secret: string
  isSandbox: boolean
}

/** What a sandbox is told when no application is set; a real platform refuses it. */
const SANDBOX_APPS = {
  social: { prefix: '/social', appId: '1110000001', secret: 'sandbox-social-secret' },
  video: { prefix: '/video', appId: '1780000000000001', secret: 'sandbox-video-secret' },
  // The commerce platform shares the video engine's host and authorisation.
  commerce: { prefix: '/video', appId: '1780000000000001', secret: 'sandbox-video-secret' },
} as const

export type PlatformAddresses = ReturnType<typeof platformAddresses>

/** The platforms that are set, and a sandbox of our own for the others. */
export function platformAddresses({ platforms, dataDir, role }: Pick<Settings, 'platforms' | 'dataDir' | 'role'>) {
  const sandbox = sandboxProcess(join(dataDir, 'sandbox'))
  // Two processes would each have one of their own, and would not see what the other did there.
  const hasSandbox = role !== 'web'
  const needsSandbox = Object.values(platforms).some(({ url }) => url === undefined)

  return {
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
    /** Starts the sandbox, where one is needed, before anybody asks for it. */
    async start(): Promise<void> {
      if (hasSandbox && needsSandbox) await sandbox.url()
    },
    close: sandbox.close,
  }
}
