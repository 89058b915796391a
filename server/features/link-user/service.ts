import type { Kysely } from 'kysely'
import type { z } from 'zod'
import type { getLinkUser, LinkUser, LinkUserFilter, listLinkUsers, Somebody } from '#contract/link-user.ts'
import type { explainLinkUser } from '#contract/link-user-profile.ts'
import { outcome } from '#contract/outcome.ts'
import type { Handles } from '../../clickhouse/handles.ts'
import { BY_TABLE_ORDER } from '../../clickhouse/read-options.ts'
import { AppError } from '../../errors.ts'
import { maskPhones } from '../../files/mask-phones.ts'
import type { SentFile } from '../../http/file-download.ts'
import type { Viewer } from '../../http/viewer.ts'
import { audit } from '../../postgres/audit.ts'
import type { Database } from '../../postgres/schema.ts'
import { now } from '../../time/clock.ts'
import { behaviour } from './behaviour.ts'
import { eventIcons, type KnownEvents, knownEvents } from './events.ts'
import { exportEvents, exportNamed, exportPeople } from './export.ts'
import { type EventFilter, eventFilter, isUnfiltered } from './filter.ts'
import { newestPeople, oneIdsOf, peopleWithoutEvents } from './newest.ts'
import { describePeople, type Person, type Visits, visitsOf, visitsUntil } from './people.ts'
import { pinned } from './pin.ts'
import { profileOf } from './profile.ts'
import { countListed, countPeople } from './totals.ts'
import { explain, type TagFactsOf } from './why.ts'

interface Deps {
  db: Kysely<Database>
  live: Handles
  timezone: string
  personKey: Buffer
  factsOf: TagFactsOf
}

/** The advertiser's people: the list of them, what one of them did, and both as files. */
export function linkUserService({ db, live, timezone, personKey, factsOf }: Deps) {
  const engine = live.acrossShards

  /** The advertiser that is meant, as far as the viewer may name the person. */
  function advertiserOf(viewer: Viewer, { adv_id = viewer.adv_ids[0], oneID }: Somebody): number {
    if (adv_id === undefined) throw new AppError('notFound', { what: '广告主' })
    viewer.mustBeMember(adv_id)
    // Found or not would tell whether somebody has a guessed phone.
    if (oneID !== undefined && !viewer.see_phones && maskPhones(oneID) !== oneID) {
      throw new AppError('phonesHidden', { reason: outcome('phone_as_one_id') })
    }
    return adv_id
  }

  /** What the viewer asks about, as far as they may. */
  async function asked(viewer: Viewer, given: LinkUserFilter) {
    const adv_id = advertiserOf(viewer, given)
    const events = await knownEvents(db, adv_id)
    return { events, filter: eventFilter(adv_id, given, chosenNames(events, given)) }
  }

  /** The person whom the caller names; null if the advertiser has none such. */
  async function personOf(adv_id: number, { oneID, person }: Somebody): Promise<Person | null> {
    if (oneID === undefined) {
      if (person === undefined) return null
      const one_id = (await oneIdsOf(engine, adv_id, [person])).get(person)
      return one_id === undefined ? null : { uid: person, one_id }
    }
    const [row] = await engine.query<Person>(
      'SELECT uid, one_id FROM person_key WHERE adv_id = {adv_id:UInt32} AND one_id = {oneID:String} LIMIT 1',
      { adv_id, oneID },
      BY_TABLE_ORDER,
    )
    return row && (person === undefined || person === row.uid) ? row : null
  }

  async function mustFindPerson(viewer: Viewer, given: Somebody) {
    const adv_id = advertiserOf(viewer, given)
    const person = await personOf(adv_id, given)
    if (!person) throw new AppError('notFound', { what: '用户' })
    return { adv_id, uid: person.uid }
  }

  function chosenNames(events: KnownEvents, { event, not_event }: LinkUserFilter): string[] | null {
    if (event) return events.namesOf(event.filter((id) => !not_event?.includes(id)))
    return not_event ? events.namesBut(not_event) : null
  }

  const namesSomebody = ({ oneID, person }: LinkUserFilter) => oneID !== undefined || person !== undefined

  /** One page: people by their newest event, then, where nothing is filtered, people without one. */
  async function pageOf(filter: EventFilter, offset: number, size: number): Promise<(Person & { last?: number })[]> {
    if (!isUnfiltered(filter)) return newestPeople(engine, filter, { offset, size, zone: timezone })
    const first = await newestPeople(engine, filter, { offset, size, zone: timezone })
    if (first.length === size) return first
    const visitors = await countPeople(live.everyShard, filter, timezone)
    const others = await peopleWithoutEvents(engine, filter.adv_id, Math.max(0, offset - visitors), size - first.length)
    return [...first, ...others]
  }

  return {
    async list(viewer: Viewer, { page, per_page, ...given }: z.output<typeof listLinkUsers.query>) {
      const as_of = now()
      const { filter, events } = await asked(viewer, given)
      const rowsOf = (people: readonly Person[], visits: Promise<ReadonlyMap<number, Visits>>) =>
        describePeople(engine, viewer, people, { adv_id: filter.adv_id, visits, personKey })
      const answer = (data: LinkUser[], total: number) => ({ data, event: events.list, total, as_of })
      const offset = (page - 1) * per_page
      if (namesSomebody(given)) {
        const person = await personOf(filter.adv_id, given)
        const found = person ? [person] : []
        const rows = await rowsOf(found, visitsOf(engine, filter, found))
        // With a filter only people with an event that counts are listed.
        const listed = isUnfiltered(filter) ? rows : rows.filter(({ total }) => total > 0)
        return answer(listed.slice(offset, offset + per_page), listed.length)
      }
      const [people, total] = await Promise.all([
        pageOf(filter, offset, per_page),
        countListed(live.everyShard, filter, timezone),
      ])
      return answer(await rowsOf(people, visitsUntil(engine, filter, people)), total)
    },

    async info(viewer: Viewer, { page, as_of: turned, pin: known, ...given }: z.output<typeof getLinkUser.query>) {
      const { filter: all, events } = await asked(viewer, given)
      const person = await personOf(all.adv_id, given)
      if (!person) throw new AppError('notFound', { what: '用户' })
      const { later, pin } = await pinned(db, all.adv_id, { as_of: turned, pin: known })
      // After the imports were read. The chart goes on until then: a time ahead would give it columns without end.
      const as_of = Math.min(turned ?? now(), now())
      const filter = { ...all, later }
      const own = { uid: person.uid, filter, as_of }
      const iconOf = await eventIcons(db, all.adv_id)
      const behaving = behaviour(engine, own, { page, events, iconOf, zone: timezone })
      const visits = behaving.then(({ visits }) => new Map(visits ? [[person.uid, visits]] : []))
      const [[user], { shown }] = await Promise.all([
        describePeople(engine, viewer, [person], { adv_id: all.adv_id, visits, personKey }),
        behaving,
      ])
      if (!user) throw new Error('a person who was found has a row')
      return { user, ...shown, event: events.list, as_of, pin: pin.join(',') }
    },

    async profile(viewer: Viewer, given: Somebody) {
      const as_of = now()
      const whom = await mustFindPerson(viewer, given)
      return { ...(await profileOf({ db, live, personKey }, whom)), as_of }
    },

    async why(viewer: Viewer, { crowd_id, ...given }: z.output<typeof explainLinkUser.query>) {
      return explain({ db, live, factsOf }, await mustFindPerson(viewer, given), crowd_id)
    },

    /** The list, or with a person their events, as a csv; audited. */
    async export(viewer: Viewer, given: LinkUserFilter & { list?: '1' | undefined }): Promise<SentFile> {
      const { filter, events } = await asked(viewer, given)
      const { from, to, names, adv_id } = filter
      const noted = { adv_id, from, to, events: names, phones: viewer.see_phones }
      const listed = { filter, timezone, personKey }
      if (!namesSomebody(given)) {
        await audit(db, viewer, 'export.people', noted)
        return { name: '用户列表.csv', content: exportPeople(engine, viewer, listed) }
      }
      const person = await personOf(adv_id, given)
      if (!person) throw new AppError('notFound', { what: '用户' })
      if (given.list) {
        await audit(db, viewer, 'export.people', { ...noted, person: person.uid })
        return { name: '用户列表.csv', content: exportNamed(engine, viewer, listed, [person]) }
      }
      await audit(db, viewer, 'export.behaviour', { ...noted, person: person.uid })
      const { later } = await pinned(db, adv_id, { as_of: undefined, pin: undefined })
      const own = { uid: person.uid, filter: { ...filter, later }, as_of: now() }
      return { name: '用户行为.csv', content: exportEvents(engine, viewer, own, { events, timezone }) }
    },
  }
}
export type LinkUserService = ReturnType<typeof linkUserService>
