import { join } from 'node:path'
import { keysOf } from '#contract/common.ts'
import { PLATFORMS, type Platform, type PlatformCode, platformOfCode } from '#contract/platform.ts'
import type { Settings } from '../config/settings.ts'
import { ADAPTERS } from './adapters.ts'
import { sandboxProcess } from './sandbox-process.ts'

/** A platform's address, and our application there. */
export interface PlatformAddress {
  url: string
  appId: string
  secret: string
  isSandbox: boolean
}

/** The path at which our server forwards to the sandbox's OAuth pages. */
export const SANDBOX_PAGES = '/api/oauth/sandbox'

/** The configured platforms, and a sandbox of our own for the others. */
export function platformAddresses({ platforms, dataDir, role }: Pick<Settings, 'platforms' | 'dataDir' | 'role'>) {
  const sandbox = sandboxProcess(join(dataDir, 'sandbox'))
  let isClosed = false
  // With two processes each would have its own sandbox and not see the other's changes there.
  const hasSandbox = role !== 'web'
  const needsSandbox = keysOf(PLATFORMS).some(
    (platform) => platforms[platform].url === undefined && ADAPTERS[platform].sandbox !== null,
  )

  /** What `of` would return, without starting anything. A URL without an application is an external sandbox. */
  function kindOf(platform: Platform): 'sandbox' | 'real' | null {
    const { url, appId } = platforms[platform]
    if (url !== undefined && appId !== undefined) return 'real'
    if (ADAPTERS[platform].sandbox === null) return null
    return url !== undefined || hasSandbox ? 'sandbox' : null
  }

  const sandboxUrl = async () => (hasSandbox && needsSandbox ? sandbox.url() : null)

  const addresses = {
    /** The address of this process's sandbox; null if it has none. */
    sandboxUrl,
    /**
     * The address of a platform's page for a viewer's browser, which may be unable to reach this machine's loopback.
     */
    async pageFor(url: string, origin: string): Promise<string> {
      // Real platforms stay usable if the sandbox does not start.
      const base = await sandboxUrl().catch(() => null)
      return base !== null && url.startsWith(`${base}/`) ? `${origin}${SANDBOX_PAGES}${url.slice(base.length)}` : url
    },
    /** Null if no address is set and no sandbox stands in for the platform. */
    async of(platform: Platform): Promise<PlatformAddress | null> {
      const kind = kindOf(platform)
      if (kind === null) return null
      const { url, appId, secret } = platforms[platform]
      const standIn = ADAPTERS[platform].sandbox
      return {
        url: url?.replace(/\/+$/, '') ?? `${await sandbox.url()}${standIn?.prefix ?? ''}`,
        appId: appId ?? standIn?.appId ?? '',
        secret: secret ?? standIn?.secret ?? '',
        isSandbox: kind === 'sandbox',
      }
    },
    kindOf,
    /** The platform whose logins this one uses: another one of the vendor, if both have the same application. */
    async loginPlatformOf(code: PlatformCode): Promise<PlatformCode> {
      const platform = platformOfCode(code)
      const other = ADAPTERS[platform].sharesLoginsWith
      if (other === undefined) return code
      const [own, shared] = await Promise.all([addresses.of(platform), addresses.of(other)])
      return own !== null && own.appId === shared?.appId ? PLATFORMS[other].code : code
    },
    /** Starts the sandbox in advance, if one is needed; returns the address of its page of switches. */
    async start(): Promise<string | null> {
      try {
        const base = await sandboxUrl()
        return base === null ? null : await sandbox.page()
      } catch (error) {
        // The process was stopped before the sandbox had started.
        if (isClosed) return null
        throw error
      }
    },
    async close(): Promise<void> {
      isClosed = true
      await sandbox.close()
    },
  }
  return addresses
}
