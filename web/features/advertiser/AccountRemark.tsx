import { Typography } from 'antd'
import {
  listAdvertiserData,
  listAdvertisers,
  type PlatformAccount,
  AccountRemark as Remark,
  remarkAccount,
} from '#contract/advertiser.ts'
import { listRuleChildren } from '#contract/audience.ts'
import { listCustomCrowds } from '#contract/custom-crowd.ts'
import { listPushes } from '#contract/push.ts'
import { useAction } from '../../lib/query.ts'
import { useReadOnly } from '../../lib/read-only.ts'
import styles from './advertiser.module.css'

const STALE = [listAdvertiserData, listAdvertisers, listRuleChildren, listCustomCrowds, listPushes]

/** What viewers wrote about an account, edited in place. */
export function AccountRemark({ adv_id, account: { id, name, remark } }: { adv_id: number; account: PlatformAccount }) {
  const isReadOnly = useReadOnly()(adv_id) !== null
  const save = useAction(remarkAccount, STALE)
  const shown = save.isPending ? save.variables.body.remark : remark
  if (isReadOnly && remark === '') return null
  return (
    <Typography.Text
      type="secondary"
      className={styles.remark}
      editable={
        !isReadOnly && {
          text: remark,
          tooltip: `编辑「${name}」的备注`,
          triggerType: ['icon', 'text'],
          maxLength: 50,
          onChange: (typed) => {
            const text = Remark.safeParse(typed)
            if (text.success && text.data !== remark) save.mutate({ params: { id }, body: { remark: text.data } })
          },
        }
      }
    >
      {shown === '' ? '添加备注' : `备注：${shown}`}
    </Typography.Text>
  )
}
