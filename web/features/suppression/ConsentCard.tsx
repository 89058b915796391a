import { useQuery } from '@tanstack/react-query'
import { App, Button, Card, Form, Select } from 'antd'
import { useEffect } from 'react'
import type { z } from 'zod'
import { getConsent, setConsent } from '#contract/suppression.ts'
import { listFields } from '#contract/tag.ts'
import { QueryState } from '../../components/QueryState.tsx'
import text from '../../components/text.module.css'
import { formatCount } from '../../lib/format.ts'
import { queryOf, useAction } from '../../lib/query.ts'
import styles from './suppression.module.css'

type Consent = z.infer<typeof getConsent.data>

/** The attribute that marks people without consent: no push contains their identifiers. */
export function ConsentCard({ advId }: { advId: number }) {
  const consent = useQuery({ ...queryOf(getConsent, { query: { adv_id: advId } }), meta: { inPlace: true } })
  return (
    <Card title={<h2 className={text.cardTitle}>用户同意</h2>}>
      <QueryState query={consent} errorTitle="用户同意设置加载失败">
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
  const fields = useQuery({ ...queryOf(listFields, { query: { adv_id: advId } }), meta: { inPlace: true } })
  useEffect(() => {
    // The cached consent may be outdated; the fetched one replaces it unless the form was edited.
    const { attribute, refused_values } = consent
    if (!form.isFieldsTouched()) form.setFieldsValue({ attribute, refused_values })
  }, [form, consent])
  const save = useAction(setConsent, [getConsent], { onSuccess: () => void message.success('修改成功') })
  const attributes = fields.data?.attributes ?? []
  const known = attributes.find((one) => one.name === attribute)
  return (
    <>
      <p className={`${text.hint} ${text.firstParagraph}`}>
        选择一个用户属性，属性为这些值的用户视为不同意：他们的标识不会出现在任何推送中，并计入推送报告。
      </p>
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
            showSearch={{ optionFilterProp: 'label' }}
            notFoundContent={fields.error ? `属性加载失败：${fields.error.message}` : '还没有属性，请先接入数据'}
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
            options={(known?.values ?? []).map((value) => ({ value, label: value }))}
          />
        </Form.Item>
        <Button type="primary" htmlType="submit" loading={save.isPending}>
          保存
        </Button>
      </Form>
      {consent.attribute !== null && (
        <div className={styles.count}>当前不同意的用户：{formatCount(consent.refused_people)} 人</div>
      )}
    </>
  )
}
