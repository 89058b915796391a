import { timeText } from '../clock.ts'
import type { Json } from '../json.ts'
import type { Parts } from '../parts.ts'
import { contentOf, keepContent } from '../plan-content.ts'
import type { Answer } from '../wire.ts'
import { advertiserFor, type Context, type Interface } from './access.ts'
import { type Body, within } from './arguments.ts'
import { badRequest, success } from './envelope.ts'
import { type Fields, readFields } from './package-fields.ts'
import { addProject, packagesOf, type VideoProject } from './packages.ts'
import { deliveryIn, mustKnow, projectName, purposeIn } from './project-fields.ts'
import { crowdsUsableBy } from './sources.ts'

/** The only version of the division that projects take. */
const REGION_VERSION = '2.3.2'

interface Audience {
  package_id: string | null
  fields: Fields
}

/** Creates projects, and changes what may be changed of them. */
export function projectWriting({ db, clock, switches }: Parts): Record<string, Interface> {
  const today = () => timeText(clock.now()).slice(0, 10)
  const live = (account_id: string) =>
    db.all<VideoProject>(
      "SELECT * FROM video_project WHERE account_id = ? AND status <> 'PROJECT_STATUS_DELETE'",
      account_id,
    )

  function nameFault(account_id: string, name: string, except: string | null): string | null {
    if (!switches.now.video_project_names_unique) return null
    return live(account_id).some((one) => one.name === name && one.id !== except) ? `项目名称已存在: ${name}` : null
  }

  /** A package, or targeting of the project's own; where both are given only the package counts. */
  function audienceIn(
    given: Body,
    account_id: string,
    landing: Project,
    before: Audience | null,
  ): Audience | undefined {
    const asked = given.object('audience')
    if (!asked) return undefined
    const read = within(asked)
    const wanted = read.optionalNumber('audience_package_id', { least: 0 })
    const id = wanted === undefined ? before?.package_id : String(asked.audience_package_id)
    if (id !== undefined && id !== null && id !== '0') {
      if (landing.isAutomatic && ['APP', 'MICRO_GAME', 'SHOP'].includes(landing.landing_type)) {
        throw badRequest('audience_package_id: 自动投放不支持定向包')
      }
      if (!packagesOf(db, account_id).some((one) => one.id === id)) {
        throw badRequest(`audience_package_id: 定向包不存在: ${id}`)
      }
      return { package_id: id, fields: before?.fields ?? {} }
    }
    const fields = readFields(read, {
      landing_type: landing.landing_type,
      ...(before && { before: before.fields }),
      crowds: ['retargeting_tags_include', 'retargeting_tags_exclude'],
      hasCrowd: crowdsUsableBy(db, account_id),
    })
    mustKnow(read, 'audience.')
    if (fields.region_version !== undefined && fields.region_version !== REGION_VERSION) {
      throw badRequest(`region_version: 只能是${REGION_VERSION}`)
    }
    return { package_id: null, fields }
  }

  const keepAudience = (id: string, { package_id, fields }: Audience) => {
    db.run('UPDATE video_project SET package_id = ? WHERE id = ?', package_id, id)
    const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
    keepContent(db, 'video', id, { audience: given as { [name: string]: Json } })
  }

  function create({ token, given }: Context): Answer {
    const account_id = advertiserFor(token, given.id('advertiser_id'))
    const operation = given.oneOf('operation', ['ENABLE', 'DISABLE'], 'ENABLE')
    const name = projectName(given) ?? ''
    const purpose = purposeIn(given)
    const { setting, budget } = deliveryIn(given, purpose, today())
    const audience = audienceIn(given, account_id, purpose, null) ?? { package_id: null, fields: {} }
    mustKnow(given, '')
    const taken = nameFault(account_id, name, null)
    if (taken !== null) throw badRequest(taken)
    const most = switches.now.video_projects
    if (live(account_id).length >= most) throw badRequest(`项目数量已达上限: ${most}`)
    const status = `PROJECT_STATUS_${operation}`
    const { landing_type } = purpose
    const { package_id } = audience
    const id = addProject(db, clock.now(), { account_id, name, package_id, status, landing_type })
    if (budget !== null) db.run('INSERT INTO video_project_budget VALUES (?, ?)', id, budget)
    keepContent(db, 'video', id, { ...purpose.content, delivery_setting: setting })
    keepAudience(id, audience)
    return success({ project_id: BigInt(id), error_keywords_list: [] })
  }

  /** Applies each block by itself; the one that is refused is named although the call succeeds. */
  function update({ token, given }: Context): Answer {
    const account_id = advertiserFor(token, given.id('advertiser_id'))
    const id = given.id('project_id')
    const found = live(account_id).find((one) => one.id === id)
    if (!found) throw badRequest('项目不存在或已删除')
    const name = projectName(given, true)
    const content = contentOf(db, 'video', id)
    const before = { package_id: found.package_id, fields: (content.audience ?? {}) as Fields }
    const landing = {
      landing_type: String(content.landing_type ?? 'LINK'),
      isAutomatic: content.delivery_mode === 'PROCEDURAL',
      content,
    }
    const audience = audienceIn(given, account_id, landing, before)
    mustKnow(given, '')
    const taken = name === undefined ? null : nameFault(account_id, name, id)
    if (name !== undefined && taken === null) db.run('UPDATE video_project SET name = ? WHERE id = ?', name, id)
    if (audience) keepAudience(id, audience)
    const error_list =
      taken === null ? [] : [{ object_type: 'PROJECT_SETTING', error_code: 40000, error_message: taken }]
    return success({ project_id: BigInt(id), error_list })
  }

  return {
    'POST /open_api/v3.0/project/create/': { scopes: [26, 260], takes: 'json', act: create },
    'POST /open_api/v3.0/project/update/': { scopes: [26, 260], takes: 'json', act: update },
  }
}
type Project = ReturnType<typeof purposeIn>
