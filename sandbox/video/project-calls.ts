import { timeText } from '../clock.ts'
import type { Parts } from '../parts.ts'
import type { Answer } from '../wire.ts'
import { advertiserFor, type Context, type Interface } from './access.ts'
import { within } from './arguments.ts'
import { badRequest, success } from './envelope.ts'
import { paged } from './package-calls.ts'
import type { VideoProject } from './packages.ts'

const STATUSES = ['ENABLE', 'DISABLE', 'DONE', 'DELETE'].map((one) => `PROJECT_STATUS_${one}`)

/** The projects of an account, which use its packages. */
export function projectCalls({ db }: Parts): Record<string, Interface> {
  function list({ token, given }: Context): Answer {
    const account_id = advertiserFor(token, given.id('advertiser_id'))
    const asked = given.object('filtering')
    const filtering = within(asked ?? {})
    const ids = asked && Object.hasOwn(asked, 'ids') ? filtering.ids('ids', 100) : null
    const status = filtering.text('status_first', { isOptional: true })
    if (status !== undefined && !STATUSES.includes(status)) throw badRequest('filtering.status_first: 不支持的取值')
    const [unknown] = filtering.unknown()
    if (unknown !== undefined) throw badRequest(`filtering.${unknown}: 不支持的参数`)
    const rows = db
      .all<VideoProject>('SELECT * FROM video_project WHERE account_id = ? ORDER BY no DESC', account_id)
      .filter((one) => ids === null || ids.includes(one.id))
      .filter((one) => (status === undefined ? ids !== null || !/DELETE$/.test(one.status) : one.status === status))
    const fields = given.optionalTexts('fields', 100)
    const shown = rows.map((one) => {
      const all: Record<string, unknown> = {
        project_id: BigInt(one.id),
        name: one.name,
        advertiser_id: BigInt(account_id),
        landing_type: one.landing_type,
        opt_status: one.status === STATUSES[0] ? 'ENABLE' : 'DISABLE',
        status_first: one.status,
        status_second: [],
        project_create_time: timeText(one.made_at),
        project_modify_time: timeText(one.made_at),
        audience: one.package_id === null ? {} : { audience_package_id: BigInt(one.package_id) },
      }
      return fields ? Object.fromEntries(fields.map((name) => [name, all[name]])) : all
    })
    return success(paged(given, shown, 'list'))
  }
  return {
    'GET /open_api/v3.0/project/list/': { scopes: [26, 260], takes: 'query', act: list },
  }
}
