import type { PackageCode } from './package-codes.ts'
import { type PackageLine, packageWords } from './packages.ts'

/** Names of regions by their codes. */
export type RegionNames = ReadonlyMap<string, string>

/** A saved targeting in words, with the names of its regions; one without a known name is its code. */
export const packageLines = (
  code: PackageCode,
  targeting: Record<string, unknown>,
  regions: RegionNames = new Map(),
): PackageLine[] =>
  packageWords(code, targeting).map((line) =>
    line.field === 'regions' ? { ...line, words: line.words.map((word) => regions.get(word) ?? word) } : line,
  )

/** The codes of the regions in a saved targeting of any platform. */
export function regionCodesIn({ regions }: Readonly<Record<string, unknown>>): string[] {
  const listed = Array.isArray(regions) ? regions : (regions as { regions?: unknown } | null | undefined)?.regions
  return Array.isArray(listed) ? listed.map(String) : []
}
