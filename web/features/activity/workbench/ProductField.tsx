import { PlusOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { App, Flex, Form, Input, Select } from 'antd'
import { useState } from 'react'
import { addProduct, listProducts, ProductName } from '#contract/product.ts'
import { ChangeButton } from '../../../components/ChangeButton.tsx'
import { CLEARABLE } from '../../../components/clearable.tsx'
import { FormDialog } from '../../../components/FormDialog.tsx'
import { queryOf, useAction } from '../../../lib/query.ts'
import { zodRule } from '../../../lib/zod-rule.ts'
import styles from './workbench.module.css'

/** Chooses one of the advertiser's products, or adds one. */
export function ProductField(props: {
  id: string
  advId: number
  value: number | null
  /** The product that the activity was opened with: its name stands there before the others are loaded, or without them. */
  opened: { id: number; name: string } | null
  onChange: (value: number | null) => void
}) {
  const { id, advId, value, opened, onChange } = props
  const { message } = App.useApp()
  const [isAdding, setIsAdding] = useState(false)
  const products = useQuery({ ...queryOf(listProducts, { query: { adv_id: advId } }), meta: { inPlace: true } })
  const adding = useAction(addProduct, [listProducts], { meta: { quiet: true } })
  return (
    <Flex gap={8}>
      <Select
        id={id}
        allowClear={CLEARABLE}
        className={styles.grows}
        placeholder="可不选"
        loading={products.isPending}
        showSearch={{ optionFilterProp: 'label' }}
        notFoundContent={products.error ? `产品加载失败：${products.error.message || '请求失败'}` : '还没有产品'}
        value={value}
        onChange={(chosen: number | undefined) => onChange(chosen ?? null)}
        options={(products.data?.list ?? (opened ? [opened] : [])).map(({ id, name }) => ({ value: id, label: name }))}
      />
      <ChangeButton changes={advId} icon={<PlusOutlined />} onClick={() => setIsAdding(true)}>
        新增产品
      </ChangeButton>
      {isAdding && (
        <FormDialog<{ name: string }>
          title="新增产品"
          isBusy={adding.isPending}
          refusalUnder="name"
          onSave={async ({ name }) => {
            const made = await adding.mutateAsync({ body: { adv_id: advId, name } })
            message.success('新增产品成功')
            onChange(made.id)
            setIsAdding(false)
          }}
          onCancel={() => setIsAdding(false)}
        >
          <Form.Item name="name" label="产品名称" rules={[zodRule(ProductName)]} validateTrigger="onSubmit">
            <Input maxLength={60} placeholder="1 到 30 个字符" count={{ show: true, max: 30 }} />
          </Form.Item>
        </FormDialog>
      )}
    </Flex>
  )
}
