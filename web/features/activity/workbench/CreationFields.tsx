import { Alert, Flex, Form, Input, Select } from 'antd'
import {
  bidsByItself,
  COMMERCE_ACTIONS,
  COMMERCE_BIDS,
  type PlanCreation,
  SOCIAL_ACTIONS,
  SOCIAL_BIDS,
  SOCIAL_GOALS,
  VIDEO_ACTIONS,
} from '#contract/activity/creation.ts'
import { CREATION_FIELDS, type CreationField } from '#contract/activity/creation-fields.ts'
import { keysOf } from '#contract/common.ts'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'
import { faultItem } from './fault-item.tsx'
import styles from './workbench.module.css'
import { YuanInput } from './YuanInput.tsx'

/** Added to the name, by which a plan is found again. */
const MARKED = '平台上的名称末尾会带 8 位标记，用来认出这个计划。'

/** What is created, and what has to be done on the platform before it delivers. */
const ABOUT: Record<PlanCreation['kind'], string> = {
  social: '提交后在腾讯广告新建广告：推广页面，自动版位，按优化目标出价。创意需在平台上添加，没有创意不会投放。',
  video:
    '提交后在巨量引擎新建项目：销售线索，橙子落地页，通投，手动投放。单元、素材与出价需在平台上添加，没有单元不会投放。',
  commerce: '提交后在巨量千川新建计划：推广直播间画面。平台新建时是开启的，不投放的会立即关闭。',
}

interface Props {
  creation: PlanCreation
  /** It is on the platform already, where these choices are fixed. */
  isFixed: boolean
  /** The bid is not for this viewer. */
  hidesBid: boolean
  faultAt: (field: CreationField) => AnyOutcome | null
  onChange: (creation: PlanCreation) => void
}

/** What a platform asks for when a plan is created there. */
export function CreationFields({ creation, isFixed, hidesBid, faultAt, onChange }: Props) {
  return (
    <>
      <Alert
        type="info"
        showIcon
        className={styles.about}
        title={
          isFixed ? '已在平台新建：下面置灰的设置不能再修改，其他的仍可修改。' : `${ABOUT[creation.kind]}${MARKED}`
        }
      />
      <Form component={false} layout="vertical" {...(isFixed && { disabled: true })}>
        <Flex gap="0 16px" wrap>
          <Fields creation={creation} hidesBid={hidesBid} faultAt={faultAt} onChange={onChange} />
        </Flex>
      </Form>
    </>
  )
}

function Fields({ creation, hidesBid, faultAt, onChange }: Omit<Props, 'isFixed'>) {
  switch (creation.kind) {
    case 'social': {
      const set = (part: Partial<typeof creation>) => onChange({ ...creation, ...part })
      return (
        <>
          <Choice
            id="creation-goal"
            label="营销目的"
            table={SOCIAL_GOALS}
            value={creation.marketing_goal}
            onChange={(marketing_goal) => set({ marketing_goal })}
          />
          <Choice
            id="creation-action"
            label="优化目标"
            table={SOCIAL_ACTIONS}
            value={creation.optimization_goal}
            onChange={(optimization_goal) => set({ optimization_goal })}
          />
          <Numbered
            id="creation-asset"
            label={CREATION_FIELDS.marketing_asset_id}
            hint="腾讯广告「推广产品」的编号"
            fault={faultAt('marketing_asset_id')}
            value={creation.marketing_asset_id}
            onChange={(marketing_asset_id) => set({ marketing_asset_id })}
          />
          <Choice
            id="creation-bid-type"
            label="出价方式"
            table={SOCIAL_BIDS}
            value={creation.smart_bid_type}
            onChange={(smart_bid_type) => set({ smart_bid_type })}
          />
          {!bidsByItself(creation) && (
            <Bid isHidden={hidesBid} value={creation.bid} fault={faultAt('bid')} onChange={(bid) => set({ bid })} />
          )}
        </>
      )
    }
    case 'video':
      return (
        <Choice
          id="creation-action"
          label="转化目标"
          table={VIDEO_ACTIONS}
          value={creation.external_action}
          onChange={(external_action) => onChange({ ...creation, external_action })}
        />
      )
    case 'commerce': {
      const set = (part: Partial<typeof creation>) => onChange({ ...creation, ...part })
      return (
        <>
          <Numbered
            id="creation-aweme"
            label={CREATION_FIELDS.aweme_id}
            hint="账户已授权的抖音号的编号"
            fault={faultAt('aweme_id')}
            value={creation.aweme_id}
            onChange={(aweme_id) => set({ aweme_id })}
          />
          <Choice
            id="creation-action"
            label="转化目标"
            table={COMMERCE_ACTIONS}
            value={creation.external_action}
            onChange={(external_action) => set({ external_action })}
          />
          <Choice
            id="creation-bid-type"
            label="投放方式"
            table={COMMERCE_BIDS}
            value={creation.smart_bid_type}
            onChange={(smart_bid_type) => set({ smart_bid_type })}
          />
          {!bidsByItself(creation) && (
            <Bid isHidden={hidesBid} value={creation.bid} fault={faultAt('bid')} onChange={(bid) => set({ bid })} />
          )}
        </>
      )
    }
  }
}

function Choice<K extends string>(props: {
  id: string
  label: string
  table: Readonly<Record<K, string>>
  value: K
  onChange: (value: K) => void
}) {
  const { id, label, table, value, onChange } = props
  return (
    <Form.Item label={label} htmlFor={id} className={styles.field}>
      <Select<K>
        id={id}
        value={value}
        onChange={onChange}
        options={keysOf(table).map((key) => ({ value: key, label: table[key] }))}
      />
    </Form.Item>
  )
}

/** A number that the platform gave; other characters are left out as they are typed. */
function Numbered(props: {
  id: string
  label: string
  hint: string
  fault: AnyOutcome | null
  value: string | null
  onChange: (value: string | null) => void
}) {
  const { id, label, hint, fault, value, onChange } = props
  return (
    <Form.Item label={label} htmlFor={id} className={styles.field} {...faultItem(fault)}>
      <Input
        id={id}
        inputMode="numeric"
        maxLength={19}
        placeholder={hint}
        value={value ?? ''}
        onChange={({ target }) => onChange(target.value.replace(/\D/g, '') || null)}
      />
    </Form.Item>
  )
}

function Bid(props: {
  isHidden: boolean
  value: number | null
  fault: AnyOutcome | null
  onChange: (fen: number | null) => void
}) {
  const { isHidden, value, fault, onChange } = props
  return (
    <Form.Item label={CREATION_FIELDS.bid} htmlFor="creation-bid" className={styles.field} {...faultItem(fault)}>
      <YuanInput
        id="creation-bid"
        isHidden={isHidden}
        placeholder="每次转化愿意付的金额"
        value={value}
        onChange={onChange}
      />
    </Form.Item>
  )
}
