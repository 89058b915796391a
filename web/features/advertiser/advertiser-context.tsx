import { createContext, type ReactNode, use, useMemo, useState } from 'react'
import type { z } from 'zod'
import type { AdvertiserRow } from '#contract/advertiser.ts'
import { saved } from '../../lib/saved-context.ts'

export type Advertiser = z.infer<typeof AdvertiserRow>

interface AdvertiserChoice {
  /** The viewer's advertisers. */
  advertisers: Advertiser[]
  /** The one chosen in the top bar; null when the viewer has none. */
  advertiser: Advertiser | null
  /** Its id, as the calls take it. */
  advId: number | undefined
  choose(id: number): void
}

const AdvertiserContext = createContext<AdvertiserChoice | null>(null)

/** Keeps the current advertiser across pages and visits; pages use it as the default `adv_id`. */
export function AdvertiserProvider({ advertisers, children }: { advertisers: Advertiser[]; children: ReactNode }) {
  const [chosen, setChosen] = useState(() => saved.advertiser.get())
  const value = useMemo(() => {
    const advertiser = advertisers.find((one) => one.id === chosen) ?? advertisers[0] ?? null
    return {
      advertisers,
      advertiser,
      advId: advertiser?.id,
      choose: (id: number) => {
        saved.advertiser.set(id)
        setChosen(id)
      },
    }
  }, [advertisers, chosen])
  return <AdvertiserContext value={value}>{children}</AdvertiserContext>
}

export function useAdvertiser(): AdvertiserChoice {
  const value = use(AdvertiserContext)
  if (!value) throw new Error('useAdvertiser is called outside of the frame')
  return value
}
