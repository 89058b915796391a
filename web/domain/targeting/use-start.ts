import { useQuery } from '@tanstack/react-query'
import type { PackageCode } from '#contract/targeting/package-codes.ts'
import { type CopyTargetingPreview, previewTargetingCopy } from '#contract/targeting-copy.ts'
import { getTemplate } from '#contract/targeting-template.ts'
import { queryOf } from '../../lib/query.ts'
import type { Ticket } from './ticket.ts'

type Changes = CopyTargetingPreview['changes']

/** The targeting that a new package starts with, by its ticket: a template's, or that of a package elsewhere. */
export function useStart(platform: PackageCode, ticket: Ticket | null) {
  const start = ticket?.start ?? null
  const isPackage = start?.kind === 'package'
  const template = useQuery({
    ...queryOf(getTemplate, {
      query:
        start?.kind === 'template' ? { id: start.id } : { key: start?.kind === 'ready' ? start.key : '', platform },
    }),
    enabled: start !== null && !isPackage,
    staleTime: Number.POSITIVE_INFINITY,
    meta: { inPlace: true },
  })
  const copy = useQuery({
    ...queryOf(previewTargetingCopy, {
      body: {
        id: isPackage ? start.id : 0,
        advertiser_id: ticket?.advertiser_id ?? 0,
        landing_type: ticket?.landing_type ?? null,
      },
    }),
    enabled: isPackage,
    staleTime: Number.POSITIVE_INFINITY,
    meta: { inPlace: true },
  })
  const query = isPackage ? copy : template
  const changes: Changes = copy.data?.changes ?? []
  return {
    error: start === null ? null : query.error,
    isPending: start !== null && query.isPending,
    refetch: query.refetch,
    targeting: start === null ? null : (query.data?.targeting ?? null),
    changes: isPackage ? changes : [],
  }
}
