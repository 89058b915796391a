import { outcome } from '#contract/outcome.ts'
import type { TagNode } from '#contract/targeting-tags.ts'
import { PlatformFault } from '../audience-platform.ts'
import { queryOf } from '../call.ts'
import { foldRegions } from '../fold-regions.ts'

/** An estimate is a GET, whose address must not be longer. */
const QUERY_BYTES_MAX = 8 * 1024

const isTooLong = (query: object) => new URLSearchParams(queryOf({ ...query })).toString().length > QUERY_BYTES_MAX

/**
 * The query of an estimate, which names as few regions as stand for the same places where it would be too long. Fault
 * 'refused' when it is still too long. `build`: the query with these regions.
 */
export async function estimateQuery(
  codes: readonly string[],
  build: (codes: readonly string[]) => Record<string, unknown>,
  regions: () => Promise<readonly TagNode[]>,
): Promise<Record<string, unknown>> {
  const query = build(codes)
  if (!isTooLong(query)) return query
  const folded = codes.length > 0 ? build(foldRegions(await regions(), codes)) : query
  if (isTooLong(folded)) throw new PlatformFault('refused', outcome('estimate_too_long'))
  return folded
}
