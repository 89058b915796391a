import { useQuery } from '@tanstack/react-query'
import { Alert, Result, Skeleton } from 'antd'
import { useEffect, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { Id } from '#contract/common.ts'
import type { DataOf } from '#contract/endpoint.ts'
import { DEFAULT_FOLDER } from '#contract/folder.ts'
import { type Outcome, outcome } from '#contract/outcome.ts'
import { type AssetTab, platformInfo } from '#contract/platform.ts'
import type { EditorMode } from '#contract/targeting/mode.ts'
import { isLockedByUse, type PackageCode } from '#contract/targeting/package-codes.ts'
import { refreshTargetings } from '#contract/targeting-mirror.ts'
import { getTargeting, listTargetings } from '#contract/targeting-package.ts'
import { LinkButton } from '../../components/LinkButton.tsx'
import { LoadError } from '../../components/LoadError.tsx'
import { CopyChanges } from '../../domain/targeting/CopyChanges.tsx'
import { NewPackageDialog } from '../../domain/targeting/NewPackageDialog.tsx'
import { findTicket } from '../../domain/targeting/ticket.ts'
import { useMakingRefusal } from '../../domain/targeting/use-making-refusal.ts'
import { useStart } from '../../domain/targeting/use-start.ts'
import { AdvertiserGate } from '../../features/advertiser/AdvertiserGate.tsx'
import { useAdvertiser } from '../../features/advertiser/advertiser-context.tsx'
import type { EditorDefinition } from '../../features/targeting-editor/editor-definition.ts'
import { draftOfSaved, draftOfTicket } from '../../features/targeting-editor/saving/draft.ts'
import { TargetingEditor } from '../../features/targeting-editor/TargetingEditor.tsx'
import { isFault } from '../../lib/call.ts'
import { paths } from '../../lib/paths.ts'
import { queryOf, useAction } from '../../lib/query.ts'
import { useReadOnly } from '../../lib/read-only.ts'
import { saved } from '../../lib/saved-context.ts'

const tabOf = (platform: PackageCode) => platformInfo(platform).tab as AssetTab

const TITLES: Record<EditorMode, string> = { create: '新建', edit: '编辑', copy: '复制', read: '查看' }

export const NoSuchPackage = ({ tab }: { tab: AssetTab }) => (
  <Result
    status="404"
    title="没有这个定向包"
    subTitle="可能链接有误，或定向包已被删除。"
    extra={<LinkButton to={paths.assets(tab)}>返回列表</LinkButton>}
  />
)

interface Props<F> {
  editor: EditorDefinition<F>
  /** As the address has it; 0 is a new package. */
  id: string
  mode: EditorMode
}

/** A package in the editor of its platform, if the viewer's authority covers it. */
export function PackageEditor<F>({ editor, id: text, mode }: Props<F>) {
  const { platform } = editor
  const id = text === '0' ? 0 : Id.safeParse(Number(text)).data
  if (id === undefined) return <NoSuchPackage tab={tabOf(platform)} />
  return (
    <AdvertiserGate module={`${platformInfo(platform).name}定向包`} authority={{ tab: tabOf(platform) }}>
      <Opened key={id} editor={editor} id={id} mode={mode} />
    </AdvertiserGate>
  )
}

function Opened<F>({ editor, id, mode: asked }: { editor: EditorDefinition<F>; id: number; mode: EditorMode }) {
  const { platform } = editor
  const navigate = useNavigate()
  const [search] = useSearchParams()
  const { advId } = useAdvertiser()
  const readOnly = useReadOnly()
  const mayNotMake = useMakingRefusal()
  const { name } = platformInfo(platform)
  const tab = tabOf(platform)
  const key = search.get('ticket')
  const ticket = findTicket(key)
  const detail = useQuery({
    ...queryOf(getTargeting, { query: { id } }),
    enabled: id > 0,
    // What is edited does not change under the viewer's hands; saving finds out.
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnMount: 'always',
    meta: { inPlace: true },
  })
  const start = useStart(platform, ticket)
  useReadAnew(detail.data ?? null)
  // The last visit's copy may be old, so the first answer of this one is waited for. A later one that fails closes nothing.
  const [isAnswered, setIsAnswered] = useState(id === 0)
  if (!isAnswered && detail.isSuccess && detail.isFetchedAfterMount) setIsAnswered(true)
  if (!isAnswered) {
    if (!detail.error) return <Skeleton active paragraph={{ rows: 12 }} />
    if (isFault(detail.error, 'notFound')) return <NoSuchPackage tab={tab} />
    return <LoadError error={detail.error} title="定向包加载失败" onRetry={detail.refetch} />
  }
  if (start.error) return <LoadError error={start.error} title="模板或来源定向包加载失败" onRetry={start.refetch} />
  if (start.isPending) return <Skeleton active paragraph={{ rows: 12 }} />
  const found = detail.data ?? null
  if (found && found.platform !== platform) return <NoSuchPackage tab={tab} />

  // Back from the list leads to no form that was saved already.
  const toList = () => navigate(paths.assets(tab), { replace: true })
  const lock = asked === 'edit' && found ? lockOf(found) : null
  const mode = lock || (asked === 'edit' && found && readOnly(found.adv_id) !== null) ? 'read' : asked
  const isNew = mode === 'create' || mode === 'copy'
  const refusal = isNew ? mayNotMake(found?.adv_id) : null
  if (refusal !== null) {
    return (
      <Result
        status="403"
        title={`不能${TITLES[mode]}定向包`}
        subTitle={refusal}
        extra={<LinkButton to={paths.assets(tab)}>返回列表</LinkButton>}
      />
    )
  }
  if (isNew && !ticket) {
    return (
      <NewPackageDialog
        platform={platform}
        advId={found?.adv_id ?? advId}
        // A copy loses its folder with its name and its type.
        dirId={mode === 'copy' ? null : saved.peopleTreeId.get() || DEFAULT_FOLDER}
        {...(found && { copied: found })}
        onCancel={toList}
        onDone={(chosen) =>
          navigate(
            paths.targetingEdit(platform, id, { ticket: chosen, ...(mode === 'copy' && { mode: 'copy' as const }) }),
            { replace: true },
          )
        }
      />
    )
  }
  if (!isNew && !found) return <NoSuchPackage tab={tab} />
  if (!ticket && !found) return null
  // A copy from elsewhere is told of it by the preview of the copy.
  const leftOut = (mode === 'read' || (mode === 'copy' && !ticket?.start)) && found ? found.left_out : []
  return (
    <TargetingEditor
      key={`${mode} ${key}`}
      editor={editor}
      crumbs={[{ title: '人群管理' }, { title: '人群资产', to: paths.assets(tab) }]}
      title={`${TITLES[mode]}${name}定向包`}
      onDone={toList}
      notice={
        start.changes.length > 0 ? (
          <Alert
            type="warning"
            showIcon
            closable
            title={`${start.changes.length} 项条件没有原样带过来`}
            description={<CopyChanges changes={start.changes} />}
          />
        ) : (
          leftOut.length > 0 && (
            <Alert
              type="warning"
              showIcon
              title={`${leftOut.length} 项条件只在平台上，这里无法表示${mode === 'copy' ? '，副本没有它们' : ''}`}
              description={leftOut.map(({ label, words }) => `${label}：${words.join('、')}`).join('；')}
            />
          )
        )
      }
      opened={{
        at: `${platform} ${id} ${mode} ${isNew ? key : ''}`,
        id: id || null,
        mode,
        ver: isNew ? null : (found?.ver ?? null),
        status: found?.status ?? 1,
        lock,
        plans: found?.plans.map((plan) => plan.name) ?? [],
        copyState: isNew || !found ? null : copyStateOf(found),
        lostCrowds: found?.lost_crowds ?? [],
        account:
          isNew && ticket
            ? { id: ticket.advertiser_id, name: ticket.advertiser_name }
            : { id: found?.advertiser_id ?? 0, name: found?.account_name ?? '' },
        advId: (isNew && ticket ? ticket.adv_id : found?.adv_id) ?? undefined,
        draft:
          isNew && ticket
            ? draftOfTicket(editor, ticket, start.targeting ? { targeting: start.targeting } : found)
            : draftOfSaved(editor, found as NonNullable<typeof found>),
      }}
    />
  )
}

/** Why nobody may edit it. */
function lockOf({ origin, name, platform, plans }: DataOf<typeof getTargeting>): Outcome | null {
  if (origin === 'platform') return outcome('fault', { fault: 'packageFromPlatform', words: { name } })
  if (!isLockedByUse(platform) || plans.length === 0) return null
  const words = { name, plans: plans.map((plan) => plan.name).join('、') }
  return outcome('fault', { fault: 'packageLocked', words })
}

const copyStateOf = ({ platform_changed, mirror }: DataOf<typeof getTargeting>) =>
  platform_changed ? 'changed' : mirror === 'gone' ? 'gone' : null

/** Has the platform's copy read, so that a change there is noticed; nobody waits for it. */
function useReadAnew(found: DataOf<typeof getTargeting> | null) {
  const { mutate } = useAction(refreshTargetings, [listTargetings, getTargeting], { meta: { quiet: true } })
  const [id, account] = [found?.id, found?.advertiser_id]
  const isMirrored = found !== null && !found.is_local
  useEffect(() => {
    if (isMirrored && id !== undefined && account !== undefined) mutate({ body: { advertiser_id: account, id } })
  }, [isMirrored, id, account, mutate])
}
