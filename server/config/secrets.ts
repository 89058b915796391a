import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'
import { link, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { StartError } from '../start-error.ts'

export interface Secrets {
  /** Encrypts a short text for a database column (AES-256-GCM, a fresh nonce each time). */
  seal(text: string): string
  /** Decrypts a sealed text; throws if it was tampered with or sealed with another key. */
  open(sealed: string): string
  /** A separate 32-byte key for each purpose, derived from the deployment's secret. */
  keyFor(purpose: string): Buffer
}

/** The deployment's secret: SECRET_KEY, or one generated once and kept in DATA_DIR with mode 600. */
export async function openSecrets(dataDir: string, secretKey: string | undefined): Promise<Secrets> {
  const secret = secretKey ?? (await readOrCreateSecret(secretPath(dataDir)))
  return secretsOf(secret)
}

export const secretPath = (dataDir: string) => join(dataDir, 'secret.key')

const SHORTEST = 32

async function readOrCreateSecret(path: string): Promise<string> {
  const made = randomBytes(32).toString('hex')
  const ownFile = `${path}.${process.pid}`
  try {
    await writeFile(ownFile, made, { mode: 0o600, flush: true })
    // A link appears complete or not at all; a partly written key would be used as it is.
    await link(ownFile, path)
    return made
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    const kept = (await readFile(path, 'utf8')).trim()
    if (kept.length < SHORTEST) throw new StartError(`${path} 不完整：请放回原来的文件；从未启动成功过的，删除它即可`)
    return kept
  } finally {
    await rm(ownFile, { force: true })
  }
}

export function secretsOf(secret: string): Secrets {
  const keyFor = (purpose: string) => Buffer.from(hkdfSync('sha256', secret, 'renqun', purpose, 32))
  const key = keyFor('seal')
  return {
    keyFor,
    seal(text) {
      const nonce = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', key, nonce)
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64')
    },
    open(sealed) {
      const bytes = Buffer.from(sealed, 'base64')
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12))
      decipher.setAuthTag(bytes.subarray(12, 28))
      return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8')
    },
  }
}

/** The stored form of a session cookie or an API token. These are long and random, so a single sha256 is enough. */
export const fingerprint = (token: string) => createHash('sha256').update(token).digest('hex')
