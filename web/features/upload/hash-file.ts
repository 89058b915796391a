import { IDENTIFIERS, type IdentifierType } from '#contract/identifier.ts'
import { hashFile as hashInWorkers } from '../../lib/hash/hash-file.ts'
import { isZip } from './first-lines.ts'
import type { HashReport } from './items.ts'

/** Raw values can become this type's before they leave the browser. */
export const isHashType = (type: IdentifierType): boolean => IDENTIFIERS[type].form !== 'plain'
/** Phones are never to leave it as they are, unless one says so. */
export const hashesByDefault = (type: IdentifierType): boolean => IDENTIFIERS[type].subject === 'MOBILE_PHONE'
/** An archive goes as it is. */
export const canHash = (type: IdentifierType, name: string): boolean => isHashType(type) && !isZip(name)

export interface Hashed {
  blob: Blob
  report: HashReport
}

/** `progress` is told how much of the file is done, 0 to 1. */
export async function hashFile(
  file: File,
  type: IdentifierType,
  signal: AbortSignal,
  progress: (share: number) => void,
): Promise<Hashed> {
  const { blob, report } = await hashInWorkers(file, type, { signal, progress })
  const { from, lines, already, malformed } = report
  return { blob, report: { from, lines, already, malformed } }
}
