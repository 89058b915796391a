import { parseJson, writeJson } from '../json.ts'
import type { Parts } from '../parts.ts'
import type { Answer } from '../wire.ts'
import { advertiserFor, type Context, type Interface } from './access.ts'
import type { Body } from './arguments.ts'
import { badRequest, success } from './envelope.ts'
import { LANDING_TYPES, readFields } from './package-fields.ts'
import { packageRow } from './package-rows.ts'
import { fieldsOf, liveProjects, packageId, packagesOf, textOfFields, type VideoPackage } from './packages.ts'
import { crowdsUsableBy, nextNo } from './sources.ts'

const PATH = '/open_api/2/audience_package'
const READ = [72, 720]
const WRITE = [72, 721]
const NAME_MOST = 30
const DESCRIPTION_MOST = 256
const PAGE_MOST = 100
/** Chosen at the creation for good, with what stands where a call leaves it out. */
const FIXED = {
  marketing_goal: ['VIDEO_AND_IMAGE', 'LIVE'],
  delivery_range: ['DEFAULT', 'UNION', 'UNIVERSAL'],
  ad_type: ['ALL', 'SEARCH'],
} as const
/** Landing types without search ads. */
const NO_SEARCH = ['GOODS', 'SHOP', 'QUICK_APP', 'MICRO_GAME']

/** The targeting packages of the video engine. */
export function packageCalls({ db, clock, switches }: Parts): Record<string, Interface> {
  const advertiser = ({ token, given }: Context) => advertiserFor(token, given.id('advertiser_id'))

  const crowdsOf = (account_id: string) => ({
    crowds: ['retargeting_tags', 'retargeting_tags_exclude'] as const,
    hasCrowd: crowdsUsableBy(db, account_id),
  })

  function own({ given }: Context, account_id: string): VideoPackage {
    const id = given.id('audience_package_id')
    const found = packagesOf(db, account_id).find((one) => one.id === id)
    if (!found) throw badRequest(`audience_package_id: 定向包不存在: ${id}`)
    return found
  }

  function mustBeFree(account_id: string, name: string, except: number): void {
    if (packagesOf(db, account_id).some((one) => one.name === name && one.no !== except)) {
      throw badRequest(`定向包名称已存在: ${name}`)
    }
  }

  function create(context: Context): Answer {
    const account_id = advertiser(context)
    const { given } = context
    const name = given.text('name', { most: NAME_MOST })
    const description = given.text('description', { most: DESCRIPTION_MOST })
    const landing_type = given.text('landing_type')
    if (!LANDING_TYPES.some((one) => one === landing_type)) {
      throw badRequest(`landing_type: 只能是${LANDING_TYPES.join('、')}`)
    }
    const fixed = Object.fromEntries(
      Object.entries(FIXED).map(([key, values]) => [key, given.oneOf<string>(key, values, values[0])]),
    )
    if (fixed.ad_type === 'SEARCH' && NO_SEARCH.includes(landing_type)) {
      throw badRequest(`ad_type: ${landing_type}不支持SEARCH`)
    }
    const fields = readFields(given, { landing_type, isPackage: true, ...crowdsOf(account_id) })
    mustBeFree(account_id, name, 0)
    const most = switches.now.video_packages
    if (packagesOf(db, account_id).length >= most) throw badRequest(`定向包数量已达上限: ${most}`)
    const no = nextNo(db, 'video_package')
    db.run(
      `INSERT INTO video_package (no, id, account_id, name, description, landing_type, fixed, fields, made_at, changed_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      ...[no, packageId(no), account_id, name, description, landing_type, writeJson(fixed)],
      ...[textOfFields(fields), clock.now(), clock.now()],
    )
    return success({ audience_package_id: BigInt(packageId(no)) })
  }

  function update(context: Context): Answer {
    const account_id = advertiser(context)
    const { given } = context
    const found = own(context, account_id)
    for (const name of ['landing_type', ...Object.keys(FIXED)]) {
      if (given.text(name, { isOptional: true }) !== undefined) throw badRequest(`${name}: 不支持修改`)
    }
    const name = given.text('name', { most: NAME_MOST, isOptional: true }) ?? found.name
    const description = given.text('description', { most: DESCRIPTION_MOST, isOptional: true }) ?? found.description
    const { landing_type } = found
    const fields = readFields(given, {
      landing_type,
      isPackage: true,
      before: fieldsOf(found),
      ...crowdsOf(account_id),
    })
    mustBeFree(account_id, name, found.no)
    db.run(
      'UPDATE video_package SET name = ?, description = ?, fields = ?, changed_at = ? WHERE no = ?',
      ...[name, description, textOfFields(fields), clock.now(), found.no],
    )
    return success({ audience_package_id: BigInt(found.id) })
  }

  function remove(context: Context): Answer {
    const found = own(context, advertiser(context))
    const [used] = liveProjects(db, found.id)
    if (used !== undefined) throw badRequest(`定向包${found.name}正在被计划使用，请先解绑: ${used}`)
    db.run('UPDATE video_package SET is_deleted = 1, changed_at = ? WHERE no = ?', clock.now(), found.no)
    db.run('UPDATE video_project SET package_id = NULL WHERE package_id = ?', found.id)
    return success({ audience_package_id: BigInt(found.id) })
  }

  function get(context: Context): Answer {
    const account_id = advertiser(context)
    const wanted = context.given.object('filtering') ?? {}
    const unknown = Object.keys(wanted).find((key) => !['name', 'landing_type', ...Object.keys(FIXED)].includes(key))
    if (unknown !== undefined) throw badRequest(`filtering.${unknown}: 不支持的参数`)
    const rows = packagesOf(db, account_id).filter((one) => {
      const { name, ...exact } = wanted
      if (typeof name === 'string' && !one.name.includes(name)) return false
      const all = { landing_type: one.landing_type, ...(parseJson(one.fixed) as Record<string, string>) }
      return Object.entries(exact).every(([key, value]) => all[key as keyof typeof all] === value)
    })
    return success(paged(context.given, rows.map(packageRow), 'audience_packages'))
  }

  function bindInfo(context: Context): Answer {
    const { given } = context
    const found = own(context, advertiser(context))
    given.number('page', { least: 1 })
    given.number('page_size', { least: 1, most: PAGE_MOST })
    const rows = db.all<{ id: string; name: string }>(
      'SELECT id, name FROM video_project WHERE package_id = ? ORDER BY no',
      found.id,
    )
    const list = rows.map(({ id, name }) => ({ project_id: BigInt(id), project_name: name }))
    return success(paged(given, list, 'list'))
  }

  return {
    [`POST ${PATH}/create/`]: { scopes: WRITE, takes: 'json', act: create },
    [`POST ${PATH}/update/`]: { scopes: WRITE, takes: 'json', act: update },
    [`POST ${PATH}/delete/`]: { scopes: WRITE, takes: 'json', act: remove },
    'GET /open_api/v3.0/audience_package/get/': { scopes: READ, takes: 'query', act: get },
    'GET /open_api/v3.0/audience_package_bindinfo/get/': { scopes: READ, takes: 'query', act: bindInfo },
  }
}

/** One page of rows, ten of them unless the call says so. */
export function paged<T>(given: Body, rows: readonly T[], name: string) {
  const page = given.optionalNumber('page', { least: 1, most: 99_999 }) ?? 1
  const page_size = given.optionalNumber('page_size', { least: 1, most: PAGE_MOST }) ?? 10
  return {
    [name]: rows.slice((page - 1) * page_size, page * page_size),
    page_info: { page, page_size, total_number: rows.length, total_page: Math.ceil(rows.length / page_size) },
  }
}
