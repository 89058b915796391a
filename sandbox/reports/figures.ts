import { dayOf } from '../clock.ts'
import { draw } from '../population/draw.ts'

/** What a plan did on a day, as far as it is known at a time. Amounts in fen. */
export type Figures = Record<Figure, number>
const FIGURES = [
  ...(['cost', 'shown', 'clicks', 'conversions', 'leads', 'orders', 'order_amount', 'paid_orders'] as const),
  ...(['paid_amount', 'prepaid_orders', 'prepaid_amount', 'follows', 'likes', 'comments', 'shares'] as const),
  ...(['live_enters', 'live_minutes', 'live_fans', 'live_carts', 'live_products', 'live_comments'] as const),
  ...(['live_shares', 'live_gifts', 'live_coins'] as const),
]
export type Figure = (typeof FIGURES)[number]

/** After so many days nothing about a day changes any more. */
const SETTLED_AFTER = 7
const DAY = 86_400
const CHINA = 8 * 3600
const KEPT_MOST = 200_000

export const nothing = (): Figures => Object.fromEntries(FIGURES.map((name) => [name, 0])) as Figures
export const addTo = (sum: Figures, one: Figures): Figures => {
  for (const name of FIGURES) sum[name] += one[name]
  return sum
}

/** How often a plan is shown on a day: the first plans of an account often, the others rarely; on every fifth day not at all. */
function shownOn(seed: number, day: number, no: number): number {
  if (draw(seed, day) % 5 === 0) return 0
  return no < 3 ? 200 + (draw(seed ^ 0x51, day) % 3000) : draw(seed ^ 0x52, day) % 40
}

const kept = new Map<string, Figures>()

/**
 * Counted show by show, so that every figure is a count of something and a later look finds the same shows again. A day
 * that has not ended grows. Clicks that turn out to be invalid are taken back with their cost, and conversions come late,
 * also on days without a show: these change a day until it is settled. `no`: the plan's number in its account; `day`: as
 * `dayOf`; `at`: seconds.
 */
export function figuresOf(plan: { id: string; no: number }, day: number, at: number): Figures {
  const age = Math.min(SETTLED_AFTER, dayOf(at) - day)
  if (age < 0) return nothing()
  const key = age === 0 ? null : `${plan.id} ${day} ${age}`
  const found = key === null ? undefined : kept.get(key)
  if (found) return found
  const figures = counted(seedOf(plan.id), plan.no, day, age, at)
  if (key !== null) {
    if (kept.size >= KEPT_MOST) kept.clear()
    kept.set(key, figures)
  }
  return figures
}

function counted(seed: number, no: number, day: number, age: number, at: number): Figures {
  const sum = nothing()
  const today = draw(seed ^ 0x53, day)
  const shows = shownOn(seed, day, no)
  const elapsed = at + CHINA - day * DAY
  // Somebody who was shown the ad on an earlier day leaves their number on a day on which it is not shown.
  if (shows === 0 && age > 0 && draw(today, 0) % 3 === 0) {
    sum.conversions++
    sum.leads++
  }
  for (let show = 0; show < shows; show++) {
    if (draw(today, show) % DAY >= elapsed) continue
    sum.shown++
    const luck = (what: number) => draw(today ^ what, show)
    if (luck(1) % 100 < 2) sum.likes++
    if (luck(2) % 1000 < 4) sum.comments++
    if (luck(3) % 1000 < 3) sum.shares++
    if (luck(4) % 100 >= 6) continue
    // One click in forty is found to be invalid one to six days later.
    if (luck(5) % 40 === 0 && age > luck(6) % 6) continue
    sum.clicks++
    sum.cost += 40 + (luck(7) % 260)
    if (luck(8) % 10 === 0) sum.follows++
    if (luck(9) % 3 === 0) live(sum, luck)
    // Half of the conversions are known on the same day, the others up to six days later.
    const known = luck(10) % 2 === 0 ? 0 : 1 + (luck(11) % 6)
    if (luck(12) % 6 !== 0 || age < known) continue
    sum.conversions++
    if (luck(13) % 3 === 0) sum.leads++
    else order(sum, luck)
  }
  return sum
}

function order(sum: Figures, luck: (what: number) => number) {
  const amount = 1900 + (luck(14) % 28_000)
  sum.orders++
  sum.order_amount += amount
  if (luck(15) % 4 === 0) return
  const isPrepaid = luck(16) % 5 === 0
  sum[isPrepaid ? 'prepaid_orders' : 'paid_orders']++
  sum[isPrepaid ? 'prepaid_amount' : 'paid_amount'] += amount
}

function live(sum: Figures, luck: (what: number) => number) {
  sum.live_enters++
  if (luck(17) % 2 === 0) sum.live_minutes++
  if (luck(18) % 9 === 0) sum.live_fans++
  if (luck(19) % 4 === 0) sum.live_carts++
  if (luck(20) % 5 === 0) sum.live_products++
  if (luck(21) % 7 === 0) sum.live_comments++
  if (luck(22) % 11 === 0) sum.live_shares++
  if (luck(23) % 13 !== 0) return
  sum.live_gifts++
  sum.live_coins += 1 + (luck(24) % 99)
}

/** FNV-1a over the digits of an id. */
function seedOf(id: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < id.length; at++) hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193)
  return hash >>> 0
}
