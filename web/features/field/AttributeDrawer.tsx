import { useQuery } from '@tanstack/react-query'
import { Alert, App, Button, Drawer, Flex, Form, Input, Select } from 'antd'
import { useState } from 'react'
import type { DataOf } from '#contract/endpoint.ts'
import { getTagTree, listCategories, listTags } from '#contract/tag.ts'
import {
  DISPLAY_NAME_MAX,
  DisplayName,
  getAttribute,
  listFields,
  listFieldValues,
  updateAttribute,
} from '#contract/tag-field.ts'
import { ChangeButton } from '../../components/ChangeButton.tsx'
import { QueryState } from '../../components/QueryState.tsx'
import text from '../../components/text.module.css'
import { FormInput, useAskClose, type WatchInput } from '../../components/use-ask-close.ts'
import { useConfirm } from '../../components/use-confirm.ts'
import { DictionaryEditor } from '../../domain/tag/DictionaryEditor.tsx'
import { entriesOf, problemsOfRows, rowsOfDictionary } from '../../domain/tag/dictionary-draft.ts'
import { GUESSED, type TypeChoice, typeOfChoice, typeOptions } from '../../domain/tag/field-types.ts'
import { isFault } from '../../lib/call.ts'
import { queryOf, useAction } from '../../lib/query.ts'
import { zodRule } from '../../lib/zod-rule.ts'
import styles from './field.module.css'

/** Display name, type and names of values of one attribute. */
export function AttributeDrawer({ advId, name, onClose }: { advId: number; name: string; onClose: () => void }) {
  const attribute = useQuery({
    ...queryOf(getAttribute, { query: { adv_id: advId, name } }),
    meta: { inPlace: true },
    gcTime: 0,
  })
  const { askClose, watch } = useAskClose(onClose)
  return (
    <Drawer open size={560} title={`属性「${name}」`} onClose={askClose}>
      <QueryState query={attribute} errorTitle="属性加载失败">
        {(data) => <AttributeForm advId={advId} attribute={data} watch={watch} onClose={onClose} />}
      </QueryState>
    </Drawer>
  )
}

interface Fields {
  display_name: string
  type: TypeChoice
}

function AttributeForm(props: {
  advId: number
  attribute: DataOf<typeof getAttribute>
  watch: WatchInput
  onClose: () => void
}) {
  const { advId, attribute, onClose } = props
  const { message } = App.useApp()
  const confirm = useConfirm()
  const [rows, setRows] = useState(() => rowsOfDictionary(attribute.dictionary))
  const values = useQuery({
    ...queryOf(listFieldValues, { query: { adv_id: advId, attribute: attribute.name } }),
    meta: { silent: 'optional' },
  })
  const stale = [getAttribute, listFields, listFieldValues, getTagTree, listTags, listCategories]
  const update = useAction(updateAttribute, stale, { meta: { quiet: true } })
  const [lines, setLines] = useState('')
  const [failure, setFailure] = useState<string | null>(null)
  const problems = problemsOfRows(rows)

  const save = async ({ display_name, type }: Fields, allow_unreadable = false): Promise<void> => {
    setFailure(null)
    const body = { adv_id: advId, name: attribute.name, display_name, dictionary: entriesOf(rows), allow_unreadable }
    try {
      await update.mutateAsync({ body: { ...body, type: typeOfChoice(type) } })
      message.success('修改成功，标签会随之更新')
      onClose()
    } catch (error) {
      if (!isFault(error, 'attributeNotOfType')) return setFailure((error as Error).message || '操作失败')
      confirm({
        title: '部分值不是这个类型',
        content: (error as Error).message || '操作失败',
        okText: '仍要修改',
        onOk: () => save({ display_name, type }, true),
      })
    }
  }
  return (
    <Form<Fields>
      layout="vertical"
      requiredMark={false}
      initialValues={{
        display_name: attribute.display_name,
        type: attribute.is_type_fixed ? attribute.type : GUESSED,
      }}
      onFinish={(fields) => save(fields)}
    >
      <FormInput watch={props.watch} more={[rows, lines]} />
      <Form.Item
        name="display_name"
        label="显示名称"
        rules={[zodRule(DisplayName)]}
        extra="标签的分类与定义用它；使用这些标签的规则不变。"
      >
        <Input maxLength={DISPLAY_NAME_MAX} />
      </Form.Item>
      <Form.Item name="type" label="类型" extra="数字和日期可以按范围分标签；文字按值分标签。">
        <Select options={typeOptions(attribute.is_type_fixed ? null : attribute.type)} />
      </Form.Item>
      <Form.Item label="值的名称" extra="有名称的值各成一个标签，标签、规则和搜索都用这个名称。">
        <DictionaryEditor
          rows={rows}
          onChange={setRows}
          lines={lines}
          onLines={setLines}
          values={(values.data?.list ?? []).flatMap(({ value, is_masked }) => (is_masked ? [] : [value]))}
        />
      </Form.Item>
      {failure && <Alert type="error" showIcon title={failure} />}
      <Flex gap={8} justify="flex-end" align="center" className={styles.foot}>
        {problems.size > 0 && <span className={text.problem}>请修改值的名称中标红的行</span>}
        <Button onClick={onClose}>取消</Button>
        <ChangeButton
          changes="current"
          type="primary"
          htmlType="submit"
          loading={update.isPending}
          refusal={problems.size > 0 ? '请修改值的名称中标红的行' : null}
        >
          保存
        </ChangeButton>
      </Flex>
    </Form>
  )
}
