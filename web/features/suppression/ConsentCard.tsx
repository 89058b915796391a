import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { App, Card, Form, Select, Skeleton } from 'antd'
import { useEffect, useState } from 'react'
import type { z } from 'zod'
import { getConsent, setConsent } from '#contract/suppression.ts'
import { getAttribute, listFields, listFieldValues } from '#contract/tag-field.ts'
import { ChangeButton } from '../../components/ChangeButton.tsx'
import { QueryState } from '../../components/QueryState.tsx'
import text from '../../components/text.module.css'
import { SEARCH_DELAY_MS, useDebounced } from '../../lib/debounced.ts'
import { formatCount } from '../../lib/format.ts'
import { queryOf, useAction } from '../../lib/query.ts'
import styles from './suppression.module.css'

type Consent = z.infer<typeof getConsent.data>

/** The attribute that marks people without consent: no push contains their identifiers. */
export function ConsentCard({ advId }: { advId: number }) {
  const consent = useQuery({ ...queryOf(getConsent, { query: { adv_id: advId } }), meta: { inPlace: true } })
  return (
    <Card
      title={<h2 className={text.cardTitle}>用户同意</h2>}
      extra={
        consent.data?.attribute != null && (
          <span className={text.secondary}>当前不同意的用户：{formatCount(consent.data.refused_people)} 人</span>
        )
      }
    >
      <p className={`${text.hint} ${text.firstParagraph}`}>
        选择一个用户属性，属性为这些值的用户视为不同意：他们的标识不会出现在任何推送中，并计入推送报告。
      </p>
      <QueryState query={consent} skeleton={<Skeleton.Input active block />} errorTitle="用户同意设置加载失败">
        {(data) => <ConsentForm key={advId} advId={advId} consent={data} />}
      </QueryState>
    </Card>
  )
}

interface Fields {
  attribute: string | null
  refused_values: string[]
}

function ConsentForm({ advId, consent }: { advId: number; consent: Consent }) {
  const { message } = App.useApp()
  const [form] = Form.useForm<Fields>()
  const attribute = Form.useWatch('attribute', form) ?? consent.attribute
  const fields = useFields(advId)
  useEffect(() => {
    // The cached consent may be outdated; the fetched one replaces it unless the form was edited.
    const { attribute, refused_values } = consent
    if (!form.isFieldsTouched()) form.setFieldsValue({ attribute, refused_values })
  }, [form, consent])
  const save = useAction(setConsent, [getConsent], { onSuccess: () => void message.success('修改成功') })
  const attributes = useAttributes(advId, attribute, fields.data?.attributes ?? [])
  const values = useValues(advId, attribute)
  return (
    <Form<Fields>
      form={form}
      layout="inline"
      requiredMark={false}
      className={styles.consent}
      initialValues={{ attribute: consent.attribute, refused_values: consent.refused_values }}
      onValuesChange={(changed: Partial<Fields>) => {
        if ('attribute' in changed) form.setFieldsValue({ refused_values: [] })
      }}
      onFinish={({ attribute, refused_values }) =>
        save.mutate({
          body: {
            adv_id: advId,
            attribute: attribute ?? null,
            refused_values: attribute ? (refused_values ?? []) : [],
          },
        })
      }
    >
      <Form.Item name="attribute" label="属性">
        <Select
          allowClear
          placeholder="不使用"
          className={styles.attribute}
          loading={fields.isPending}
          showSearch={{ filterOption: false, onSearch: fields.onSearch }}
          notFoundContent={
            fields.error ? `属性加载失败：${fields.error.message || '请求失败'}` : '还没有属性，请先接入数据'
          }
          options={attributes.map((one) => ({ value: one.name, label: one.display_name || one.name }))}
        />
      </Form.Item>
      <Form.Item
        name="refused_values"
        label="不同意的值"
        dependencies={['attribute']}
        rules={[
          ({ getFieldValue }) => ({
            validator: async (_rule, values?: string[]) => {
              if (getFieldValue('attribute') && !values?.length) throw new Error('请选择不同意的值')
            },
          }),
        ]}
      >
        <Select
          mode="tags"
          disabled={!attribute}
          maxCount={50}
          placeholder="例如：否"
          className={styles.refused}
          options={values}
        />
      </Form.Item>
      <ChangeButton changes={advId} type="primary" htmlType="submit" loading={save.isPending}>
        保存
      </ChangeButton>
    </Form>
  )
}

/** The attributes that a search finds. */
function useFields(advId: number) {
  const [typed, onSearch] = useState('')
  const keyword = useDebounced(typed.trim(), SEARCH_DELAY_MS)
  const query = useQuery({
    ...queryOf(listFields, { query: { adv_id: advId, ...(keyword && { keyword: keyword.slice(0, 100) }) } }),
    placeholderData: keepPreviousData,
    meta: { inPlace: true },
  })
  return { ...query, onSearch }
}

interface Named {
  name: string
  display_name: string
}

/** The chosen attribute may not be among the found ones. */
function useAttributes(advId: number, chosen: string | null, found: readonly Named[]): readonly Named[] {
  const isFound = chosen === null || found.some(({ name }) => name === chosen)
  const { data } = useQuery({
    ...queryOf(getAttribute, { query: { adv_id: advId, name: chosen ?? '' } }),
    enabled: !isFound,
    meta: { silent: 'optional' },
  })
  return !isFound && data?.name === chosen ? [data, ...found] : found
}

/** The values of the attribute in the data. */
function useValues(advId: number, attribute: string | null) {
  const { data } = useQuery({
    ...queryOf(listFieldValues, { query: { adv_id: advId, attribute: attribute ?? '' } }),
    enabled: attribute !== null,
    meta: { silent: 'optional' },
  })
  const offered = attribute === null ? [] : (data?.list ?? [])
  return offered.flatMap(({ value, label, is_masked }) =>
    is_masked ? [] : [{ value, label: label === null ? value : `${label}（${value}）` }],
  )
}
