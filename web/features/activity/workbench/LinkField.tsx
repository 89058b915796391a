import { useQuery } from '@tanstack/react-query'
import { AutoComplete, Flex } from 'antd'
import { metricWords } from '#contract/activity/metric-words.ts'
import { listUnlinkedPlans, type UnlinkedPlan } from '#contract/report.ts'
import text from '../../../components/text.module.css'
import { embedding } from '../../../lib/embedding.ts'
import { queryOf } from '../../../lib/query.ts'

const OFFERED = 100
const PLAN_ID_MAX = 64

interface Props {
  id: string
  advId: number
  accountId: number | null
  value: string | null
  readOnly: boolean
  onChange: (plan_id: string | null) => void
}

/** The platform's id of a plan; offers those of the account that have reports and no activity. */
export function LinkField({ id, advId, accountId, value, readOnly, onChange }: Props) {
  const unlinked = useQuery({
    ...queryOf(listUnlinkedPlans, {
      query: { adv_id: advId, account_id: accountId ?? undefined, page: 1, page_size: OFFERED },
    }),
    enabled: accountId !== null && !readOnly && !embedding(),
    meta: { silent: 'optional' },
  })
  const offered = (unlinked.data?.list ?? []).filter(({ plan }) => plan !== '' && plan.includes(value ?? ''))
  return (
    <AutoComplete
      id={id}
      value={value ?? ''}
      disabled={readOnly || accountId === null}
      placeholder={accountId === null ? '请先选择投放账户' : '平台上已有计划的编号，可不填'}
      showSearch={{ filterOption: false }}
      onChange={(typed) => onChange(typed.trim().slice(0, PLAN_ID_MAX) || null)}
      options={
        offered.length === 0
          ? []
          : [
              {
                label: '有报表、还没有关联的',
                options: offered.map((plan) => ({ value: plan.plan, label: <Offer {...plan} /> })),
              },
            ]
      }
    />
  )
}

const Offer = ({ plan, campaign, first_day, last_day, cost }: UnlinkedPlan) => (
  <Flex vertical>
    <span>{plan}</span>
    <span className={text.small}>
      {[campaign, `${first_day} 至 ${last_day}`, cost === null ? '' : `花费 ${metricWords('money', cost)}`]
        .filter(Boolean)
        .join('，')}
    </span>
  </Flex>
)
