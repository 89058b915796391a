import type { Parts } from '../parts.ts'
import type { Answer } from '../wire.ts'
import { durations } from '../work.ts'
import { advertiserFor, type Context, DMP, DMP_READ, DMP_WRITE, type Interface } from './access.ts'
import { badRequest, success } from './envelope.ts'
import { packageUsing } from './packages.ts'
import { readRow, selectRow } from './rows.ts'
import { DELETED, DELIVERY, isBusy, PUSHING, type VideoAudience } from './sources.ts'

/** The audiences of data sources. */
export function audienceCalls({ db, clock, switches, people }: Parts): Record<string, Interface> {
  const advertiser = ({ token, given }: Context) => advertiserFor(token, given.id('advertiser_id'))

  /** Audiences created by the account, or pushed to it. */
  const isVisibleTo = (account_id: string) => (audience: VideoAudience) =>
    audience.account_id === account_id ||
    (audience.push_status === 2 && (JSON.parse(audience.pushed_to) as string[]).includes(account_id))

  const visibleTo = (account_id: string) =>
    db
      .all<VideoAudience>(
        'SELECT * FROM video_audience WHERE account_id = ?1 OR instr(pushed_to, ?1) > 0 ORDER BY no DESC',
        account_id,
      )
      .filter(isVisibleTo(account_id))

  function select(context: Context): Answer {
    const { given } = context
    const account_id = advertiser(context)
    const isDeliverable = given.number('select_type', { of: [0, 1] }) === 1
    const offset = given.optionalNumber('offset', { least: 0 }) ?? 0
    const limit = given.optionalNumber('limit', { least: 1, most: 100 }) ?? 100
    const rows = visibleTo(account_id).filter(
      ({ is_deleted, delivery_status }) => !is_deleted && (!isDeliverable || delivery_status === DELIVERY.available),
    )
    const list = rows.slice(offset, offset + limit)
    return success({ custom_audience_list: list.map(selectRow), offset: offset + list.length, total_num: rows.length })
  }

  function readAudiences(context: Context): Answer {
    const account_id = advertiser(context)
    const ids = context.given.ids('custom_audience_ids', 100)
    const rows = visibleTo(account_id).filter(({ id }) => ids.includes(id))
    return success({ custom_audience_list: rows.map(readRow) })
  }

  function ownAudience(context: Context, account_id: string): VideoAudience {
    const id = context.given.id('custom_audience_id')
    const audience = db.one<VideoAudience>(
      'SELECT * FROM video_audience WHERE id = ? AND account_id = ? AND NOT is_deleted',
      ...[id, account_id],
    )
    if (!audience) throw badRequest(`custom_audience_id: 人群不存在: ${id}`)
    return audience
  }

  function publish(context: Context): Answer {
    const audience = ownAudience(context, advertiser(context))
    if (isBusy(db, audience.source_id)) throw badRequest('数据源正在解析，请稍后再发布')
    if (audience.publish_due !== null) throw badRequest('人群正在发布中')
    const every = switches.now.video_publish_every_seconds
    const since = clock.now() - (audience.published_at ?? Number.NEGATIVE_INFINITY)
    if (since < every) throw badRequest('同一人群24小时内只能发布一次')
    const { whole } = durations(switches)
    db.run(
      'UPDATE video_audience SET published_at = ?, publish_due = ?, changed_at = ? WHERE no = ?',
      ...[clock.now(), clock.now() + whole, clock.now(), audience.no],
    )
    return success({})
  }

  function push(context: Context): Answer {
    const account_id = advertiser(context)
    const audience = ownAudience(context, account_id)
    const targets = context.given.ids('target_advertiser_ids', 100)
    const { company } = people.account('video', account_id) ?? { company: '' }
    for (const target of targets) {
      const account = people.account('video', target)
      if (!account) throw badRequest(`target_advertiser_ids: 广告主不存在: ${target}`)
      if (account.company !== company) throw badRequest(`target_advertiser_ids: 不是同一主体的广告主: ${target}`)
    }
    if (audience.publish_due !== null) throw badRequest('人群正在发布中，请稍后再推送')
    if (audience.delivery_status === DELIVERY.needPublish) throw badRequest('人群尚未发布，不能推送')
    const pushed = [...new Set([...(JSON.parse(audience.pushed_to) as string[]), ...targets])]
    const { whole } = durations(switches)
    db.run(
      'UPDATE video_audience SET pushed_to = ?, push_status = 1, status = ?, push_due = ?, changed_at = ? WHERE no = ?',
      ...[JSON.stringify(pushed), PUSHING, clock.now() + whole, clock.now(), audience.no],
    )
    return success({})
  }

  function remove(context: Context): Answer {
    const audience = ownAudience(context, advertiser(context))
    if (audience.used_by) throw badRequest(`人群包${audience.name}正在被计划使用，请先删除计划`)
    const used = packageUsing(db, audience.account_id, audience.id)
    if (used !== null) throw badRequest(`人群包${audience.name}正在被定向包使用，请先删除定向包: ${used}`)
    db.run(
      `UPDATE video_audience SET is_deleted = 1, status = ?, delivery_status = ?, publish_due = NULL, push_due = NULL,
         changed_at = ? WHERE no = ?`,
      ...[DELETED, DELIVERY.unavailable, clock.now(), audience.no],
    )
    return success({ custom_audience_id: BigInt(audience.id) })
  }

  return {
    [`GET ${DMP}/custom_audience/select/`]: { scopes: DMP_READ, takes: 'query', act: select },
    [`GET ${DMP}/custom_audience/read/`]: { scopes: DMP_READ, takes: 'query', act: readAudiences },
    [`POST ${DMP}/custom_audience/publish/`]: { scopes: DMP_WRITE, takes: 'json', act: publish },
    [`POST ${DMP}/custom_audience/push_v2/`]: { scopes: DMP_WRITE, takes: 'json', act: push },
    [`POST ${DMP}/custom_audience/delete/`]: { scopes: DMP_WRITE, takes: 'json', act: remove },
  }
}
