import type { Parts } from '../parts.ts'
import { countOf, USERS_EACH } from '../population/population.ts'
import type { Answer } from '../wire.ts'
import { advertiserFor, type Context, type Interface } from './access.ts'
import { reachedBy } from './commerce-audience.ts'
import { badRequest, Refusal, success } from './envelope.ts'

const GOALS = ['LIVE_PROM_GOODS', 'VIDEO_PROM_GOODS'] as const
const ACTIONS = [
  'AD_CONVERT_TYPE_LIVE_SUCCESSORDER_PAY',
  'AD_CONVERT_TYPE_LIVE_SUCCESSORDER_ACTION',
  'AD_CONVERT_TYPE_LIVE_SUCCESSORDER_PAY_7DAYS',
  'AD_CONVERT_TYPE_LIVE_PAY_ROI',
  'AD_CONVERT_TYPE_LIVE_CLICK_PRODUCT_ACTION',
  'AD_CONVERT_TYPE_NEW_FOLLOW_ACTION',
  'AD_CONVERT_TYPE_QC_FOLLOW_ACTION',
  'AD_CONVERT_TYPE_QC_MUST_BUY',
  'AD_CONVERT_TYPE_SHOPPING',
  'AD_CONVERT_TYPE_CARD_ACTIVE',
]
/** How often a plan is expected to be shown to each person. */
const SHOWN_EACH = 3

/** How many people a plan of the commerce platform would reach. */
export function estimateCalls({ people }: Parts): Record<string, Interface> {
  function estimate({ token, given }: Context): Answer {
    const account_id = advertiserFor(token, given.id('advertiser_id'))
    if (people.account('video', account_id)?.kind !== 'QIANCHUAN') {
      throw new Refusal(40002, `广告主${account_id}不是千川账户`)
    }
    const goal = GOALS.find((one) => one === given.text('marketing_goal'))
    if (!goal) throw badRequest(`marketing_goal: 只能是${GOALS.join('、')}`)
    if (!ACTIONS.includes(given.text('external_action'))) throw badRequest('external_action: 不支持的取值')
    given.id(goal === 'LIVE_PROM_GOODS' ? 'aweme_id' : 'product_id')
    const audience = given.object('audience') ?? {}
    const [unknown] = given.unknown()
    if (unknown !== undefined) throw badRequest(`${unknown}: 不支持的参数`)
    const users = countOf(reachedBy(audience, account_id)) * USERS_EACH
    return success({ crowd_cover_total: users, show_cnt_total: users * SHOWN_EACH })
  }
  return {
    'GET /open_api/v1.0/qianchuan/tools/estimate_audience/': { scopes: [], takes: 'query', act: estimate },
  }
}
