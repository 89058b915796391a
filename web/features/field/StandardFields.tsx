import { Form, Select } from 'antd'
import { isPurchase, STANDARD_EVENTS, type StandardEvent } from '#contract/standard-event.ts'
import type { PropertyInfo } from '#contract/tag-field.ts'
import styles from './field.module.css'

const STANDARDS = Object.entries(STANDARD_EVENTS).map(([value, label]) => ({ value, label }))

/** What an event stands for in the reports of activities, and where a purchase says what was bought. */
export function StandardFields({ properties }: { properties: readonly PropertyInfo[] }) {
  const standard = Form.useWatch<StandardEvent | null>('standard')
  const options = properties.map(({ name, display_name }) => ({ value: name, label: display_name }))
  const ofProperty = (name: 'amount' | 'goods', label: string, extra: string) => (
    <Form.Item name={name} label={label} extra={extra}>
      <Select allowClear showSearch={{ optionFilterProp: 'label' }} placeholder="没有" options={options} />
    </Form.Item>
  )
  return (
    <>
      <Form.Item
        name="standard"
        label="标准事件"
        extra="带有 campaign_id 属性的事件，按它计入活动的报表；多个事件可以对应同一个。"
      >
        <Select allowClear showSearch={{ optionFilterProp: 'label' }} placeholder="不对应" options={STANDARDS} />
      </Form.Item>
      {standard && isPurchase(standard) && (
        <div className={styles.bought}>
          {ofProperty('amount', '金额的属性', '单位元；不是数字的不计金额。')}
          {ofProperty('goods', '商品数的属性', '整数；不是数字的不计件数。')}
        </div>
      )}
    </>
  )
}
