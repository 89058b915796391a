import { App } from 'antd'
import { createContext, type ReactNode, use, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import type { z } from 'zod'
import type { AdvertiserRow } from '#contract/advertiser.ts'
import { switching, switchOf } from '../../lib/advertiser-switch.ts'
import { useEdition } from '../../lib/edition.ts'
import { saved } from '../../lib/saved-context.ts'

export type Advertiser = z.infer<typeof AdvertiserRow>

interface Found {
  id: number
  name: string | undefined
}

interface AdvertiserChoice {
  /** The viewer's advertisers; of very many, the first ones and the one chosen. */
  advertisers: Advertiser[]
  /** The one chosen in the top bar; null when the viewer has none. */
  advertiser: Advertiser | null
  /** Its id, as the calls take it. */
  advId: number | undefined
  /** `name`: of one that a search found and that is not among `advertisers`. The folders of the other are forgotten. */
  choose(id: number, name?: string): void
  /**
   * Navigation state of a page to open for another advertiser, which is chosen when the page is open: what is unsaved
   * here may keep the viewer. `isSaid`: a message then names the advertiser.
   */
  chooseOnArrival(found: Found, isSaid?: boolean): object
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
  const { message } = App.useApp()
  const { isSaas } = useEdition()
  const [chosen, setChosen] = useState(() => saved.advertiser.get())
  const [found, setFound] = useState<Advertiser | null>(null)
  const lastType = useRef<number | null>(null)
  const awaited = useRef<(Found & { isSaid: boolean }) | null>(null)
  const ticket = useRef(0)
  const value = useMemo(() => {
    const isBeyond = found !== null && !loaded.some((one) => one.id === found.id)
    const advertisers = isBeyond ? [...loaded, found] : loaded
    const advertiser = advertisers.find((one) => one.id === chosen) ?? advertisers[0] ?? null
    return {
      advertisers,
      advertiser,
      advId: advertiser?.id,
      choose: (id: number, name?: string) => {
        if (id !== advertiser?.id) {
          saved.peopleTreeId.clear()
          saved.customCrowdTreeId.clear()
        }
        saved.advertiser.set(id)
        if (name !== undefined) setFound({ id, name, scope_list: [] })
        setChosen(id)
      },
      chooseOnArrival: ({ id, name }: Found, isSaid = false) => {
        awaited.current = { id, name, isSaid }
        ticket.current += 1
        return switching(ticket.current)
      },
      authorityAsked: (type: number) => {
        const isChange = lastType.current !== null && lastType.current !== type
        lastType.current = type
        if (isChange) void onReload?.()
      },
    }
  }, [loaded, found, chosen, onReload])
  const location = useLocation()
  const arrive = useEffectEvent(() => {
    const found = awaited.current
    if (!found || switchOf(location.state) !== ticket.current) return
    awaited.current = null
    if (found.id === value.advId) return
    value.choose(found.id, found.name)
    if (isSaas && found.isSaid) message.info(`已切换到广告主「${found.name}」`)
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: each arrival at an address
  useEffect(() => arrive(), [location])
  return <AdvertiserContext value={value}>{children}</AdvertiserContext>
}

export function useAdvertiser(): AdvertiserChoice {
  const value = use(AdvertiserContext)
  if (!value) throw new Error('useAdvertiser is called outside of the frame')
  return value
}
