import { createContext, type ReactNode, use, useMemo, useRef, useState } from 'react'
import type { z } from 'zod'
import type { AdvertiserRow } from '#contract/advertiser.ts'
import { saved } from '../../lib/saved-context.ts'

export type Advertiser = z.infer<typeof AdvertiserRow>

interface AdvertiserChoice {
  /** The viewer's advertisers; of very many, the first ones and the one chosen. */
  advertisers: Advertiser[]
  /** The one chosen in the top bar; null when the viewer has none. */
  advertiser: Advertiser | null
  /** Its id, as the calls take it. */
  advId: number | undefined
  /** `name`: of one that a search found and that is not among `advertisers`. */
  choose(id: number, name?: string): void
  /** Reloads the advertisers when the authority that a page asks for is of another type than the last one's. */
  authorityAsked(type: number): void
}

const AdvertiserContext = createContext<AdvertiserChoice | null>(null)

/** Keeps the current advertiser across pages and visits; pages use it as the default `adv_id`. */
export function AdvertiserProvider(props: {
  advertisers: Advertiser[]
  onReload?: (() => unknown) | undefined
  children: ReactNode
}) {
  const { advertisers: loaded, onReload, children } = props
  const [chosen, setChosen] = useState(() => saved.advertiser.get())
  const [found, setFound] = useState<Advertiser | null>(null)
  const lastType = useRef<number | null>(null)
  const value = useMemo(() => {
    const isBeyond = found !== null && !loaded.some((one) => one.id === found.id)
    const advertisers = isBeyond ? [...loaded, found] : loaded
    const advertiser = advertisers.find((one) => one.id === chosen) ?? advertisers[0] ?? null
    return {
      advertisers,
      advertiser,
      advId: advertiser?.id,
      choose: (id: number, name?: string) => {
        saved.advertiser.set(id)
        if (name !== undefined) setFound({ id, name, scope_list: [] })
        setChosen(id)
      },
      authorityAsked: (type: number) => {
        const isChange = lastType.current !== null && lastType.current !== type
        lastType.current = type
        if (isChange) void onReload?.()
      },
    }
  }, [loaded, found, chosen, onReload])
  return <AdvertiserContext value={value}>{children}</AdvertiserContext>
}

export function useAdvertiser(): AdvertiserChoice {
  const value = use(AdvertiserContext)
  if (!value) throw new Error('useAdvertiser is called outside of the frame')
  return value
}
