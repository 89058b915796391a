import { PlusOutlined, ReloadOutlined } from '@ant-design/icons'
import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query'
import { App, Card, Skeleton } from 'antd'
import { type ComponentProps, useState } from 'react'
import { useSearchParams } from 'react-router'
import { PAGE_SIZE } from '#contract/common.ts'
import type { DataOf } from '#contract/endpoint.ts'
import { listCategories, listTags, rebuildTags, type TagRow } from '#contract/tag.ts'
import { ChangeButton } from '../../components/ChangeButton.tsx'
import { LoadError } from '../../components/LoadError.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { useAdvertiser } from '../../features/advertiser/advertiser-context.tsx'
import { NoAdvertiser } from '../../features/advertiser/NoAdvertiser.tsx'
import { CategoryForm, type CategoryTask } from '../../features/tag/CategoryForm.tsx'
import { CategoryList } from '../../features/tag/CategoryList.tsx'
import { readTagState, type TagListState, writeTagState } from '../../features/tag/list-state.ts'
import { MoveTagsDialog } from '../../features/tag/MoveTagsDialog.tsx'
import { TagDrawer, type TagTask } from '../../features/tag/TagDrawer.tsx'
import { TagList } from '../../features/tag/TagList.tsx'
import { useTagBatch } from '../../features/tag/use-batch.tsx'
import { useRemoveTag } from '../../features/tag/use-remove-tag.tsx'
import { formatCount } from '../../lib/format.ts'
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
      <NoAdvertiser what="标签" />
    </>
  )
}

function Tags({ advId }: { advId: number }) {
  const [params, setParams] = useSearchParams()
  const state = readTagState(params)
  const [task, setTask] = useState<TagTask | null>(null)
  const [categoryTask, setCategoryTask] = useState<CategoryTask | null>(null)
  const [moving, setMoving] = useState<readonly TagRow[] | null>(null)
  const [selected, setSelected] = useState<TagRow[]>([])

  const categories = useQuery({ ...queryOf(listCategories, { query: { adv_id: advId } }), meta: { inPlace: true } })
  const tags = useTags(advId, state)
  const rebuild = useRebuild(advId, () => setSelected([]))
  const remove = useRemoveTag((tag) => setSelected((rows) => rows.filter((row) => row.id !== tag.id)))

  const batch = useTagBatch(advId, () => setSelected([]))

  const setState = (change: Partial<TagListState>) => setParams(writeTagState({ ...state, ...change }))
  const search = (change: Partial<TagListState>) => {
    setSelected([])
    setState({ ...change, page: 1, page_size: PAGE_SIZE, tag_id: null })
  }

  // A link from the search opens its tag once the list is loaded.
  const linked = state.tag_id === null ? undefined : tags.data?.list.find((tag) => tag.id === state.tag_id)
  const openTask: TagTask | null = task ?? (linked && !linked.is_built_in ? { type: 'edit', tag: linked } : null)
  const closeTask = () => {
    setTask(null)
    if (state.tag_id !== null) setState({ tag_id: null })
  }

  const all = categories.data?.list ?? []
  const chosen = all.find((one) => one.id === state.category_id)
  const newTag = () => setTask({ type: 'create', category: chosen ?? null })

  return (
    <>
      <PageHeader
        crumbs={CRUMBS}
        title="标签管理"
        action={
          <>
            <ChangeButton changes="current" icon={<ReloadOutlined />} loading={rebuild.isPending} onClick={rebuild.all}>
              全部重算
            </ChangeButton>
            <ChangeButton changes="current" type="primary" icon={<PlusOutlined />} onClick={newTag}>
              新建标签
            </ChangeButton>
          </>
        }
      />
      <div className={styles.columns}>
        <Card className={styles.left} classNames={{ body: styles.leftBody }}>
          <Categories query={categories} chosen={state} onChoose={search} onTask={setCategoryTask} />
        </Card>
        <Card className={styles.list}>
          <TagList
            tags={tags}
            categories={all}
            state={state}
            onState={setState}
            onKeyword={(words) => search({ keyword: words })}
            selected={selected}
            onSelected={setSelected}
            actions={{
              edit: (tag) => setTask({ type: 'edit', tag }),
              move: setMoving,
              rebuild: rebuild.some,
              remove: (tag) => void remove(tag),
              hide: batch.hide,
              removeAll: batch.remove,
            }}
          />
        </Card>
      </div>
      <TagDrawer
        task={openTask}
        advId={advId}
        categories={all}
        onClose={closeTask}
        onAddCategory={(type) => setCategoryTask({ type: 'add', tag_type: type })}
      />
      {categoryTask && <CategoryForm task={categoryTask} advId={advId} onClose={() => setCategoryTask(null)} />}
      {moving && (
        <MoveTagsDialog
          advId={advId}
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

type CategoriesProps = Omit<ComponentProps<typeof CategoryList>, 'categories'> & {
  query: UseQueryResult<DataOf<typeof listCategories>>
}

const Categories = ({ query, ...props }: CategoriesProps) =>
  query.data ? (
    <CategoryList categories={query.data.list} {...props} />
  ) : query.error ? (
    <LoadError error={query.error} onRetry={query.refetch} title="分类加载失败" />
  ) : (
    <Skeleton active title={false} paragraph={{ rows: 8 }} />
  )

/** A page of the tags that match the state, fetched again while some are computed. */
function useTags(adv_id: number, { tag_type, category_id, keyword, page, page_size }: TagListState) {
  return useQuery({
    ...queryOf(listTags, {
      query: {
        adv_id,
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
}

/** Computes all tags of an advertiser again, or some. */
function useRebuild(adv_id: number, onStarted: () => void) {
  const { message } = App.useApp()
  const rebuild = useAction(rebuildTags, [listTags], {
    onSuccess: ({ queued }) => {
      message.success(queued > 0 ? `已开始重算 ${formatCount(queued)} 个标签` : '没有需要重算的标签')
      onStarted()
    },
  })
  return {
    isPending: rebuild.isPending,
    all: () => rebuild.mutate({ body: { adv_id } }),
    some: (rows: readonly TagRow[]) => rebuild.mutate({ body: { adv_id, ids: rows.map((tag) => tag.id) } }),
  }
}
