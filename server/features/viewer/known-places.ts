import { randomBytes } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { fingerprint } from '../../config/secrets.ts'
import { addressGroup } from '../../http/caller-address.ts'
import { BROWSER_SECONDS } from '../../http/cookies.ts'
import type { Database } from '../../postgres/schema.ts'
import { now } from '../../time/clock.ts'

/** Where a viewer signed in before: the fingerprint of a browser's cookie, or an address. */
export interface KnownPlace {
  kind: 'browser' | 'address'
  value: string
}

/** Newest places kept for each viewer and kind. */
const KEPT = 30

interface From {
  address: string
  /** The cookie that the browser keeps between sign-ins; null if it has none. */
  browser?: string | null | undefined
}

const placesOf = ({ address, browser }: From): KnownPlace[] => [
  ...(browser ? [{ kind: 'browser' as const, value: fingerprint(browser) }] : []),
  { kind: 'address', value: addressGroup(address) },
]

/** The strongest way in which the viewer of this name is known at the caller's place; null if none. */
export async function knownPlaceOf(db: Kysely<Database>, username: string, from: From): Promise<KnownPlace | null> {
  const places = placesOf(from)
  const rows = await db
    .selectFrom('known_place')
    .innerJoin('viewer', 'viewer.id', 'known_place.viewer_id')
    .select(['kind', 'value'])
    .where((eb) => eb(eb.fn('lower', ['viewer.username']), '=', username.toLowerCase()))
    .where('last_used', '>', now() - BROWSER_SECONDS)
    .where((eb) => eb.or(places.map(({ kind, value }) => eb.and({ kind, value }))))
    .execute()
  return places.find(({ kind }) => rows.some((row) => row.kind === kind)) ?? null
}

/** Remembers the place of a sign-in and returns the value of the browser's cookie; only its hash is stored. */
export async function rememberPlace(db: Kysely<Database>, viewer_id: number, from: From): Promise<string> {
  const browser = (await ofThisConsole(db, from.browser)) ?? randomBytes(32).toString('base64url')
  for (const place of placesOf({ ...from, browser })) {
    await db
      .insertInto('known_place')
      .values({ viewer_id, ...place, last_used: now() })
      .onConflict((oc) => oc.columns(['viewer_id', 'kind', 'value']).doUpdateSet({ last_used: now() }))
      .execute()
  }
  await sql`delete from known_place where (viewer_id, kind, value) in (
    select viewer_id, kind, value from (
      select *, row_number() over (partition by kind order by last_used desc, value) as place
      from known_place where viewer_id = ${viewer_id}
    ) mine where place > ${KEPT} or last_used < ${now() - BROWSER_SECONDS})`.execute(db)
  return browser
}

/** A cookie that this console did not give out is not kept: somebody else may know it. */
async function ofThisConsole(db: Kysely<Database>, browser: string | null | undefined): Promise<string | null> {
  if (!browser) return null
  const row = await db
    .selectFrom('known_place')
    .select('value')
    .where('kind', '=', 'browser')
    .where('value', '=', fingerprint(browser))
    .executeTakeFirst()
  return row ? browser : null
}

/** After a new password, whoever signed in with the old one is a stranger. */
export async function forgetPlaces(db: Kysely<Database>, viewer_id: number): Promise<void> {
  await db.deleteFrom('known_place').where('viewer_id', '=', viewer_id).execute()
}
