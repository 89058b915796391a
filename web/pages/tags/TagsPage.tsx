import { PlusOutlined, ReloadOutlined } from '@ant-design/icons'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { App, Button, Card, Skeleton } from 'antd'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { PAGE_SIZE } from '#contract/common.ts'
import { listCategories, listTags, rebuildTags, type TagRow } from '#contract/tag.ts'
import { EmptyState } from '../../components/EmptyState.tsx'
import { LinkButton } from '../../components/LinkButton.tsx'
import { LoadError } from '../../components/LoadError.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { useAdvertiser } from '../../features/advertiser/advertiser-context.tsx'
import { CategoryForm, type CategoryTask } from '../../features/tag/CategoryForm.tsx'
import { CategoryList } from '../../features/tag/CategoryList.tsx'
import { readTagState, type TagListState, writeTagState } from '../../features/tag/list-state.ts'
import { MoveTagsDialog } from '../../features/tag/MoveTagsDialog.tsx'
import { TagDrawer, type TagTask } from '../../features/tag/TagDrawer.tsx'
import { TagList } from '../../features/tag/TagList.tsx'
import { useFieldNames } from '../../features/tag/use-field-names.ts'
import { useRemoveTag } from '../../features/tag/use-remove-tag.tsx'
import { formatCount } from '../../lib/format.ts'
import { paths } from '../../lib/paths.ts'
import { queryOf, useAction } from '../../lib/query.ts'
import styles from './tags.module.css'

const POLL_MS = 2_000
const CRUMBS = [{ title: '人群管理' }]

export default function TagsPage() {
  const { advId } = useAdvertiser()
  if (advId !== undefined) return <Tags key={advId} advId={advId} />
  return (
    <>
      <PageHeader crumbs={CRUMBS} title="标签管理" />
      <Card>
        <EmptyState
          title="还没有可用的广告主"
          hint="标签属于广告主。请管理员新建广告主并接入数据，或为您开通一个广告主。"
          action={<LinkButton to={paths.dataAccess()}>接入数据</LinkButton>}
        />
      </Card>
    </>
  )
}

function Tags({ advId }: { advId: number }) {
  const { message } = App.useApp()
  const [params, setParams] = useSearchParams()
  const state = readTagState(params)
  const [task, setTask] = useState<TagTask | null>(null)
  const [categoryTask, setCategoryTask] = useState<CategoryTask | null>(null)
  const [moving, setMoving] = useState<readonly TagRow[] | null>(null)
  const [selected, setSelected] = useState<TagRow[]>([])

  const categories = useQuery({ ...queryOf(listCategories, { query: { adv_id: advId } }), meta: { inPlace: true } })
  const { tag_type, category_id, keyword, page, page_size } = state
  const tags = useQuery({
    ...queryOf(listTags, {
      query: {
        adv_id: advId,
        page,
        page_size,
        tag_type: tag_type ?? undefined,
        category_id: category_id ?? undefined,
        keyword: keyword.trim() || undefined,
      },
    }),
    placeholderData: keepPreviousData,
    meta: { inPlace: true },
    refetchInterval: (query) => (query.state.data?.list.some((tag) => tag.refreshing) ? POLL_MS : false),
  })
  const rebuild = useAction(rebuildTags, [listTags], {
    onSuccess: ({ queued }) => {
      message.success(queued > 0 ? `已开始重算 ${formatCount(queued)} 个标签` : '没有需要重算的标签')
      setSelected([])
    },
  })
  const remove = useRemoveTag((tag) => setSelected((rows) => rows.filter((row) => row.id !== tag.id)))

  const names = useFieldNames(advId)

  const setState = (change: Partial<TagListState>) => setParams(writeTagState({ ...state, ...change }))
  const search = (change: Partial<TagListState>) => {
    setSelected([])
    setState({ ...change, page: 1, page_size: PAGE_SIZE, tag_id: null })
  }

  // A link from the search opens its tag once the list is loaded.
  const linked = state.tag_id === null ? undefined : tags.data?.list.find((tag) => tag.id === state.tag_id)
  const openTask: TagTask | null = task ?? (linked && !linked.is_built_in ? { does: 'edit', tag: linked } : null)
  const closeTask = () => {
    setTask(null)
    if (state.tag_id !== null) setState({ tag_id: null })
  }

  const rebuildAll = () => rebuild.mutate({ body: { adv_id: advId } })
  const rebuildSome = (rows: readonly TagRow[]) =>
    rebuild.mutate({ body: { adv_id: advId, ids: rows.map((tag) => tag.id) } })

  const all = categories.data?.list ?? []
  const chosen = all.find((one) => one.id === category_id)
  const newTag = () => setTask({ does: 'create', category: chosen ?? null })

  return (
    <>
      <PageHeader
        crumbs={CRUMBS}
        title="标签管理"
        action={
          <>
            <Button icon={<ReloadOutlined />} loading={rebuild.isPending} onClick={rebuildAll}>
              全部重算
            </Button>
            <Button type="primary" icon={<PlusOutlined />} onClick={newTag}>
              新建标签
            </Button>
          </>
        }
      />
      <div className={styles.columns}>
        <Card className={styles.left} classNames={{ body: styles.leftBody }}>
          {categories.data ? (
            <CategoryList
              categories={all}
              chosen={{ tag_type, category_id }}
              onChoose={search}
              onTask={setCategoryTask}
            />
          ) : categories.error ? (
            <LoadError error={categories.error} onRetry={categories.refetch} title="分类加载失败" />
          ) : (
            <Skeleton active title={false} paragraph={{ rows: 8 }} />
          )}
        </Card>
        <Card className={styles.list}>
          <TagList
            tags={tags}
            categories={all}
            state={state}
            onState={setState}
            onKeyword={(words) => search({ keyword: words })}
            names={names}
            selected={selected}
            onSelected={setSelected}
            actions={{
              edit: (tag) => setTask({ does: 'edit', tag }),
              move: setMoving,
              rebuild: rebuildSome,
              remove: (tag) => void remove(tag),
            }}
          />
        </Card>
      </div>
      <TagDrawer
        task={openTask}
        advId={advId}
        categories={all}
        names={names}
        onClose={closeTask}
        onAddCategory={(type) => setCategoryTask({ does: 'add', tag_type: type })}
      />
      {categoryTask && <CategoryForm task={categoryTask} advId={advId} onClose={() => setCategoryTask(null)} />}
      {moving && (
        <MoveTagsDialog
          tags={moving}
          categories={all}
          onCancel={() => setMoving(null)}
          onDone={() => {
            setMoving(null)
            setSelected([])
          }}
        />
      )}
    </>
  )
}
