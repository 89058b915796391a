import { useQuery } from '@tanstack/react-query'
import { Alert, App, Button, Drawer, Flex, Form, Input, Segmented, Select, Skeleton } from 'antd'
import { useState } from 'react'
import type { InputOf } from '#contract/endpoint.ts'
import {
  ATTRIBUTE_TAG,
  createTag,
  EVENT_TAG,
  getTagUsage,
  listCategories,
  listTags,
  type TagCategory,
  TagName,
  type TagRow,
  type TagType,
  tagTypeOf,
  updateTag,
} from '#contract/tag.ts'
import { listFields } from '#contract/tag-field.ts'
import { ChangeButton } from '../../components/ChangeButton.tsx'
import { EmptyState } from '../../components/EmptyState.tsx'
import { LinkButton } from '../../components/LinkButton.tsx'
import { LoadError } from '../../components/LoadError.tsx'
import space from '../../components/space.module.css'
import { FormInput, useAskClose, type WatchInput } from '../../components/use-ask-close.ts'
import { isFault } from '../../lib/call.ts'
import { useLabelSearch } from '../../lib/name-search.ts'
import { paths } from '../../lib/paths.ts'
import { queryOf, useAction } from '../../lib/query.ts'
import { zodRule } from '../../lib/zod-rule.ts'
import { DefinitionBuilder } from './DefinitionBuilder.tsx'
import {
  DRAFT_KINDS,
  type DraftKind,
  definitionOf,
  draftOf,
  isSameDefinition,
  newDraft,
  problemsOf,
} from './definition-draft.ts'
import { TagPreview } from './TagPreview.tsx'
import { crowdsIn, UseList } from './TagUses.tsx'
import styles from './tag.module.css'
import { useFieldNames } from './use-fields.ts'

const NO_PROBLEMS: Record<string, string> = {}
const STALE = [listTags, listCategories]

/** For each kind: its name in the form, and what it needs from imported data. */
const FORMS: Record<DraftKind, { label: string; reads: 'attributes_total' | 'events_total' }> = {
  attribute: { label: '属性标签', reads: 'attributes_total' },
  event: { label: '事件标签', reads: 'events_total' },
}
const NO_FIELDS = { attributes_total: '还没有可用的属性', events_total: '还没有可用的事件' }
/** The kind that a new tag of a type starts with. */
const FIRST_KIND: Record<TagType, DraftKind> = { [ATTRIBUTE_TAG]: 'attribute', [EVENT_TAG]: 'event' }

export type TagTask = { type: 'create'; category: TagCategory | null } | { type: 'edit'; tag: TagRow }

/** Creates a tag, or changes its name, category and definition. */
export function TagDrawer(props: {
  task: TagTask | null
  advId: number
  categories: readonly TagCategory[]
  onClose: () => void
  onAddCategory: (type: TagType) => void
}) {
  const { task, onClose } = props
  const create = useAction(createTag, STALE, { meta: { quiet: true } })
  const update = useAction(updateTag, STALE, { meta: { quiet: true } })
  const isBusy = create.isPending || update.isPending
  // Stays open while saving, so that the answer does not appear in the next tag's drawer.
  const close = () => {
    if (!isBusy) onClose()
  }
  const { askClose, watch } = useAskClose(close)
  return (
    <Drawer
      open={task !== null}
      size={640}
      title={task?.type === 'edit' ? `编辑标签「${task.tag.name}」` : '新建标签'}
      onClose={askClose}
      destroyOnHidden
      classNames={{ body: styles.drawer }}
    >
      {task && (
        <TagForm
          key={task.type === 'edit' ? task.tag.id : 'new'}
          {...props}
          task={task}
          create={create.mutateAsync}
          update={update.mutateAsync}
          isBusy={isBusy}
          watch={watch}
        />
      )}
    </Drawer>
  )
}

interface NameFields {
  name: string
  category_id?: number
}

interface FormProps {
  task: TagTask
  advId: number
  categories: readonly TagCategory[]
  create: (input: InputOf<typeof createTag>) => Promise<unknown>
  update: (input: InputOf<typeof updateTag>) => Promise<unknown>
  isBusy: boolean
  watch: WatchInput
  onClose: () => void
  onAddCategory: (type: TagType) => void
}

function TagForm(props: FormProps) {
  const { task, advId, categories, isBusy, onClose, onAddCategory } = props
  const fields = useQuery({ ...queryOf(listFields, { query: { adv_id: advId } }), meta: { inPlace: true } })
  const tag = useTagForm(props)
  const { form, draft } = tag
  const affected = useAffected(tag.old)
  const names = useFieldNames(advId, tag.definition)

  if (fields.isPending) return <Skeleton active className={styles.formSkeleton} paragraph={{ rows: 8 }} />
  if (fields.error && !fields.data)
    return <LoadError error={fields.error} onRetry={fields.refetch} title="属性与事件加载失败" />
  const isBare = fields.data[FORMS[draft.kind].reads] === 0
  const tagType = tagTypeOf(draft.kind)

  return (
    <>
      <div className={styles.form}>
        {affected.length > 0 && <AffectedCrowds crowds={affected} isChanged={tag.isChanged} />}
        <Form
          form={form}
          layout="vertical"
          requiredMark={false}
          initialValues={{
            name: tag.old?.name ?? '',
            category_id: tag.old?.category_id ?? (task.type === 'create' ? task.category?.id : undefined),
          }}
          onFinish={tag.save}
          onFinishFailed={tag.showProblems}
        >
          <FormInput watch={props.watch} more={draft} />
          <Form.Item name="name" label="名称" rules={[zodRule(TagName)]} validateTrigger="onSubmit">
            <Input placeholder="例如：近30天支付2次以上" count={{ show: true, max: 60 }} />
          </Form.Item>
          <KindField kind={draft.kind} isFixed={tag.old !== null} onChange={tag.startOver} />
          <CategoryField
            offered={categories.filter((category) => category.tag_type === tagType)}
            onAdd={() => onAddCategory(tagType)}
          />
          {isBare ? (
            <NoFields kind={draft.kind} />
          ) : (
            <DefinitionBuilder advId={advId} draft={draft} onChange={tag.setDraft} problems={tag.problems} />
          )}
        </Form>
        {tag.failure && <Alert type="error" showIcon className={styles.failure} title={tag.failure} />}
      </div>
      <Flex justify="space-between" align="center" gap={16} className={styles.foot}>
        <TagPreview advId={advId} definition={tag.definition} names={names} />
        <Flex gap={8} className={styles.buttons}>
          <Button onClick={onClose} disabled={isBusy}>
            取消
          </Button>
          <ChangeButton
            changes="current"
            type="primary"
            loading={isBusy}
            refusal={isBare ? '' : null}
            onClick={form.submit}
          >
            {tag.isChanged && affected.length > 0 ? `保存并重算 ${affected.length} 个人群` : '保存'}
          </ChangeButton>
        </Flex>
      </Flex>
    </>
  )
}

/** A new draft for the type of the chosen category. */
const firstDraft = (category: TagCategory | null) => newDraft(FIRST_KIND[category?.tag_type ?? ATTRIBUTE_TAG])

/** The values of the form: name and category in antd's form, the definition as a draft. */
function useTagForm({ task, advId, create, update, onClose }: FormProps) {
  const { message } = App.useApp()
  const [form] = Form.useForm<NameFields>()
  const old = task.type === 'edit' ? task.tag : null
  const [draft, setDraft] = useState(() =>
    task.type === 'edit' ? draftOf(task.tag.definition) : firstDraft(task.category),
  )
  const [showsProblems, setShowsProblems] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const definition = definitionOf(draft)
  const isChanged = old !== null && !isSameDefinition(definition, old.definition)

  const save = async (values: NameFields) => {
    setShowsProblems(true)
    if (!definition || values.category_id === undefined) return
    const body = { name: values.name.trim(), category_id: values.category_id }
    try {
      if (old) {
        await update({ params: { id: old.id }, body: { ...body, ...(isChanged ? { definition } : {}) } })
        message.success(isChanged ? '修改成功，正在重新计算' : '修改成功')
      } else {
        await create({ body: { ...body, adv_id: advId, definition } })
        message.success('新建标签成功，正在计算人数')
      }
      onClose()
    } catch (error) {
      if (isFault(error, 'tagNameTaken'))
        form.setFields([{ name: 'name', errors: [(error as Error).message || '操作失败'] }])
      else setFailure((error as Error).message || '操作失败')
    }
  }
  return {
    form,
    old,
    draft,
    setDraft,
    definition,
    isChanged,
    problems: showsProblems ? problemsOf(draft) : NO_PROBLEMS,
    failure,
    save,
    showProblems: () => setShowsProblems(true),
    /** Another kind of tag has another definition and other categories. */
    startOver: (kind: DraftKind) => {
      setDraft(newDraft(kind))
      setShowsProblems(false)
      form.setFieldValue('category_id', undefined)
    },
  }
}

/** The crowds that use a tag, and those computed from them. */
function useAffected(tag: TagRow | null) {
  const uses = useQuery({
    ...queryOf(getTagUsage, { params: { id: tag?.id ?? 0 } }),
    enabled: tag !== null && tag.used_by > 0,
  }).data
  if (!uses) return []
  return [...crowdsIn(uses), ...uses.through.map(({ id, name }) => ({ id, name: `${name}（经由历史人群）` }))]
}

const AffectedCrowds = ({ crowds, isChanged }: { crowds: ReturnType<typeof useAffected>; isChanged: boolean }) => (
  <Alert
    type={isChanged ? 'warning' : 'info'}
    showIcon
    className={space.above}
    title={
      isChanged
        ? `保存后，用到此标签的 ${crowds.length} 个人群会重新计算`
        : `有 ${crowds.length} 个人群用到此标签，修改定义会改变它们`
    }
    description={<UseList list={crowds} />}
  />
)

const KindField = (props: { kind: DraftKind; isFixed: boolean; onChange: (kind: DraftKind) => void }) => (
  <Form.Item label="类型">
    <Segmented<DraftKind>
      aria-label="类型"
      value={props.kind}
      disabled={props.isFixed}
      onChange={props.onChange}
      options={DRAFT_KINDS.map((kind) => ({ value: kind, label: FORMS[kind].label }))}
    />
  </Form.Item>
)

function CategoryField({ offered, onAdd }: { offered: readonly TagCategory[]; onAdd: () => void }) {
  const search = useLabelSearch()
  return (
    <Form.Item label="分类">
      <Flex gap={8}>
        <Form.Item name="category_id" noStyle rules={[{ required: true, message: '请选择分类' }]}>
          <Select
            aria-label="分类"
            placeholder={offered.length ? '选择分类' : '还没有此类型的分类，请先新建'}
            showSearch={search}
            options={offered.map((one) => ({ value: one.id, label: one.name }))}
          />
        </Form.Item>
        <Button onClick={onAdd}>新建分类</Button>
      </Flex>
    </Form.Item>
  )
}

const NoFields = ({ kind }: { kind: DraftKind }) => (
  <EmptyState
    title={NO_FIELDS[FORMS[kind].reads]}
    hint="标签由接入的数据组成，请先导入用户或事件。"
    action={<LinkButton to={paths.dataAccess()}>接入数据</LinkButton>}
  />
)
