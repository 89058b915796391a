import type { Parts } from '../parts.ts'
import { businessDistricts } from '../population/business-districts.ts'
import { ACTIVATIONS, CAREERS } from '../population/devices.ts'
import { draw } from '../population/draw.ts'
import { both, type Crowd, countOf, everyone, USERS_EACH } from '../population/population.ts'
import { type Region, theCountry } from '../population/regions.ts'
import type { Answer } from '../wire.ts'
import { advertiserFor, type Context, type Interface } from './access.ts'
import { badRequest, success } from './envelope.ts'
import { AGES_WIDE, type Fields, listOf, readFields } from './package-fields.ts'
import { fieldsOf, packagesOf } from './packages.ts'
import { reachedByFields } from './reached.ts'

/** The apps in which ads are shown, and how many of the people use each. */
const APPS = { toutiao: 0.45, aweme: 0.93, video_app: 0.3, union: 0.8, tomato_novel_app: 0.35 } as const
type App = keyof typeof APPS
const FIRST_KEY = 0x41
/** How often an ad is expected to be shown to each person. */
const SHOWN_EACH = 3
const LEVELS = ['PROVINCE', 'CITY', 'DISTRICT', 'BUSINESS_DISTRICT'] as const
const LEVEL = 'REGION_LEVEL_'
const HIDDEN = ['hide_if_converted', 'converted_time_duration', 'filter_event']

const users = new Map<App, Crowd>()
/** Users of an app: always the same of the people. */
function usersOf(app: App): Crowd {
  const key = FIRST_KEY + Object.keys(APPS).indexOf(app)
  const set = users.get(app) ?? everyone((person) => draw(key, person) / 2 ** 32 < APPS[app])
  users.set(app, set)
  return set
}

export const countsOf = (fields: Fields): Record<App, number> => {
  const reached = reachedByFields(fields)
  return Object.fromEntries(
    (Object.keys(APPS) as App[]).map((app) => [app, countOf(both(reached, usersOf(app)))]),
  ) as Record<App, number>
}

/** How many people a targeting reaches, and the 商圈 of the country. */
export function reachCalls({ db }: Parts): Record<string, Interface> {
  function fieldsAsked({ given }: Context, account_id: string): Fields {
    const known = given.optionalNumber('audience_package_id')
    if (known !== undefined) {
      const id = given.id('audience_package_id')
      const found = packagesOf(db, account_id).find((one) => one.id === id)
      if (!found) throw badRequest(`audience_package_id: 定向包不存在: ${id}`)
      return fieldsOf(found)
    }
    const unsupported = HIDDEN.find((name) => given.text(name, { isOptional: true }) !== undefined)
    if (unsupported) throw badRequest(`${unsupported}: 预估不支持`)
    const landing_type = given.text('landing_type', { isOptional: true }) ?? 'EXTERNAL'
    const fields = readFields(given, {
      landing_type,
      crowds: ['retargeting_tags_include', 'retargeting_tags_exclude'],
      // An estimate counts whatever it is asked for, as long as the account has it.
      hasCrowd: (id) => db.number('SELECT count(*) FROM video_audience WHERE id = ? AND NOT is_deleted', id) > 0,
      districts: ['CITY', 'COUNTY'],
    })
    const fine = listOf(fields, 'age').find((one) => !AGES_WIDE.includes(one))
    if (fine !== undefined) throw badRequest(`age: 预估不支持的取值: ${fine}`)
    const legacy = (name: string, values: readonly string[]) => {
      const chosen = given.optionalList(name, values.length)?.map(String) ?? []
      const wrong = chosen.find((one) => !values.includes(one))
      if (wrong !== undefined) throw badRequest(`${name}: 不支持的取值: ${wrong}`)
      return chosen
    }
    // Smart expansion and kinds of articles change nothing.
    given.optionalNumber('auto_extend_enabled', { of: [0, 1] })
    given.optionalList('article_category', 100)
    return {
      ...fields,
      career: legacy('career', CAREERS),
      activate_type: legacy('activate_type', [...ACTIVATIONS, 'UNLIMITED']),
    }
  }

  function estimate(context: Context): Answer {
    const account_id = advertiserFor(context.token, context.given.id('advertiser_id'))
    const counts = countsOf(fieldsAsked(context, account_id))
    return success(
      Object.fromEntries(
        Object.entries(counts).map(([app, count]) => [
          app,
          { num: count * USERS_EACH, show: count * USERS_EACH * SHOWN_EACH },
        ]),
      ),
    )
  }

  function regions({ token, given }: Context): Answer {
    advertiserFor(token, given.id('advertiser_id'))
    if (given.text('region_type') !== 'BUSINESS_DISTRICT') throw badRequest('region_type: 只能是BUSINESS_DISTRICT')
    const wanted = given.text('region_level', { isOptional: true })
    if (wanted !== undefined && !LEVELS.some((one) => `${LEVEL}${one}` === wanted)) {
      throw badRequest(`region_level: 只能是${LEVELS.map((one) => LEVEL + one).join('、')}`)
    }
    const row = (id: string, name: string, parent: string | null, level: string) => ({
      id: BigInt(id),
      name,
      parent_id: BigInt(parent ?? '0'),
      region_level: `${LEVEL}${level}`,
    })
    const rowsOf = (region: Region, parent: string | null): object[] => [
      ...(region.level === 'COUNTRY' ? [] : [row(region.code, region.name, parent, region.level)]),
      ...region.children.flatMap((child) => rowsOf(child, region.level === 'COUNTRY' ? null : region.code)),
    ]
    const list = [
      ...rowsOf(theCountry(), null),
      ...businessDistricts().map(({ id, name, region }) => row(id, name, region, 'BUSINESS_DISTRICT')),
    ]
    return success({
      list: list.filter((one) => wanted === undefined || (one as { region_level: string }).region_level === wanted),
    })
  }

  return {
    'GET /open_api/2/tools/estimate_audience/': { scopes: [], takes: 'query', act: estimate },
    'GET /open_api/2/tools/region/get/': { scopes: [], takes: 'query', act: regions },
  }
}
