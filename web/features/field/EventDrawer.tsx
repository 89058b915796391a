import { useQuery } from '@tanstack/react-query'
import { Alert, App, Button, Drawer, Flex, Form, Input, Select, Table } from 'antd'
import { useState } from 'react'
import type { DataOf } from '#contract/endpoint.ts'
import { type EventMeaning, isPurchase, type StandardEvent } from '#contract/standard-event.ts'
import { getTagTree, listCategories, listTags } from '#contract/tag.ts'
import {
  DISPLAY_NAME_MAX,
  type DictionaryEntry,
  DisplayName,
  getEvent,
  getPropertyValues,
  listFields,
  listFieldValues,
  type PropertyInfo,
  updateEvent,
} from '#contract/tag-field.ts'
import { ChangeButton } from '../../components/ChangeButton.tsx'
import { QueryState } from '../../components/QueryState.tsx'
import { WHOLE_LIST } from '../../components/table-parts.tsx'
import text from '../../components/text.module.css'
import { FormInput, useAskClose, type WatchInput } from '../../components/use-ask-close.ts'
import { GUESSED, type TypeChoice, typeOfChoice, typeOptions } from '../../domain/tag/field-types.ts'
import { formatCount } from '../../lib/format.ts'
import { queryOf, useAction } from '../../lib/query.ts'
import { zodRule } from '../../lib/zod-rule.ts'
import styles from './field.module.css'
import { PropertyValuesDialog } from './PropertyValuesDialog.tsx'
import { StandardFields } from './StandardFields.tsx'

/** Display name of an event, and display names, types and names of values of its properties. */
export function EventDrawer({ advId, name, onClose }: { advId: number; name: string; onClose: () => void }) {
  const event = useQuery({
    ...queryOf(getEvent, { query: { adv_id: advId, name } }),
    meta: { inPlace: true },
    gcTime: 0,
  })
  const { askClose, watch } = useAskClose(onClose)
  return (
    <Drawer open size={720} title={`事件「${name}」`} onClose={askClose}>
      <QueryState query={event} errorTitle="事件加载失败">
        {(data) => <EventForm advId={advId} event={data} watch={watch} onClose={onClose} />}
      </QueryState>
    </Drawer>
  )
}

interface Draft {
  display_name: string
  type: TypeChoice
  /** The names of its values, if they were changed. */
  dictionary?: DictionaryEntry[]
}
const draftOf = ({ display_name, type, is_type_fixed }: PropertyInfo): Draft => ({
  display_name,
  type: is_type_fixed && type ? type : GUESSED,
})

interface Fields {
  display_name: string
  standard: StandardEvent | null
  amount: string | null
  goods: string | null
}

/** What the fields say the event stands for; nothing where none is chosen. */
const meaningOf = ({ standard, amount, goods }: Fields): EventMeaning | null =>
  standard ? { standard, ...(isPurchase(standard) ? { amount, goods } : { amount: null, goods: null }) } : null

function EventForm(props: { advId: number; event: DataOf<typeof getEvent>; watch: WatchInput; onClose: () => void }) {
  const { advId, event, onClose } = props
  const { message } = App.useApp()
  const [form] = Form.useForm<Fields>()
  const [changed, setChanged] = useState<ReadonlyMap<string, Draft>>(new Map())
  const update = useAction(
    updateEvent,
    [getEvent, getPropertyValues, listFields, listFieldValues, getTagTree, listTags, listCategories],
    { meta: { quiet: true } },
  )
  const [opened, setOpened] = useState<string | null>(null)
  const draft = (property: PropertyInfo) => changed.get(property.name) ?? draftOf(property)
  const set = (property: PropertyInfo, change: Partial<Draft>) =>
    setChanged(new Map(changed).set(property.name, { ...draft(property), ...change }))
  const shown = event.properties.find(({ name }) => name === opened)
  const isNameless = [...changed.values()].some(({ display_name }) => display_name.trim() === '')

  return (
    <Form<Fields>
      form={form}
      layout="vertical"
      requiredMark={false}
      initialValues={{
        display_name: event.display_name,
        ...{ standard: event.meaning?.standard ?? null, amount: event.meaning?.amount ?? null },
        goods: event.meaning?.goods ?? null,
      }}
      onFinish={({ display_name, ...fields }) => {
        const properties = [...changed].map(([name, one]) => ({
          name,
          display_name: one.display_name,
          type: typeOfChoice(one.type),
          ...(one.dictionary && { dictionary: one.dictionary }),
        }))
        update.mutate(
          {
            body: {
              ...{ adv_id: advId, name: event.name, display_name, properties },
              // Left out where nobody changed it: what a viewer may not see of it stays.
              ...(form.isFieldsTouched(['standard', 'amount', 'goods']) && {
                meaning: meaningOf({ ...event.meaning, ...fields, display_name } as Fields),
              }),
            },
          },
          {
            onSuccess: () => {
              message.success('修改成功')
              onClose()
            },
          },
        )
      }}
    >
      <FormInput watch={props.watch} more={[...changed]} />
      <Form.Item
        name="display_name"
        label="显示名称"
        rules={[zodRule(DisplayName)]}
        extra="标签的分类与定义用它；使用这些标签的规则不变。"
      >
        <Input maxLength={DISPLAY_NAME_MAX} />
      </Form.Item>
      <StandardFields properties={event.properties} />
      <Form.Item label="属性">
        <Table<PropertyInfo>
          size="small"
          rowKey="name"
          dataSource={event.properties}
          pagination={WHOLE_LIST}
          locale={{ emptyText: '此事件没有属性' }}
          columns={[
            { title: '属性名', dataIndex: 'name', width: '24%', ellipsis: true },
            {
              title: '显示名称',
              key: 'display_name',
              render: (_, property) => (
                <Input
                  aria-label={`「${property.name}」的显示名称`}
                  value={draft(property).display_name}
                  maxLength={DISPLAY_NAME_MAX}
                  status={draft(property).display_name.trim() === '' ? 'error' : ''}
                  onChange={({ target }) => set(property, { display_name: target.value })}
                />
              ),
            },
            {
              title: '类型',
              key: 'type',
              width: 170,
              render: (_, property) => (
                <Select<TypeChoice>
                  aria-label={`「${property.name}」的类型`}
                  value={draft(property).type}
                  onChange={(type) => set(property, { type })}
                  options={typeOptions(property.is_type_fixed ? null : property.type)}
                  className={styles.foot}
                />
              ),
            },
            {
              title: '值的名称',
              key: 'dictionary',
              width: 88,
              render: (_, property) => {
                const named = draft(property).dictionary?.length ?? property.named
                const words = named > 0 ? `${formatCount(named)} 个` : '添加'
                return (
                  <Button
                    type="link"
                    size="small"
                    aria-label={`「${property.name}」的值的名称：${words}`}
                    onClick={() => setOpened(property.name)}
                  >
                    {words}
                  </Button>
                )
              },
            },
          ]}
        />
      </Form.Item>
      {shown && (
        <PropertyValuesDialog
          advId={advId}
          event={event.name}
          property={shown.name}
          changed={draft(shown).dictionary}
          onSave={(dictionary) => set(shown, { dictionary })}
          onClose={() => setOpened(null)}
        />
      )}
      {update.error && <Alert type="error" showIcon title={update.error.message || '操作失败'} />}
      <Flex gap={8} justify="flex-end" align="center" className={styles.foot}>
        {isNameless && <span className={text.problem}>请输入显示名称</span>}
        <Button onClick={onClose}>取消</Button>
        <ChangeButton
          changes="current"
          type="primary"
          htmlType="submit"
          loading={update.isPending}
          refusal={isNameless ? '请输入显示名称' : null}
        >
          保存
        </ChangeButton>
      </Flex>
    </Form>
  )
}
