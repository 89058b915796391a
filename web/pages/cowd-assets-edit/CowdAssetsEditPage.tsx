import { Button, Result } from 'antd'
import { useState } from 'react'
import { Link, useNavigate, useParams, useSearchParams } from 'react-router'
import { DEFAULT_FOLDER } from '#contract/folder.ts'
import { mayEdit } from '#contract/rule-crowd.ts'
import { FrameEnd, type FrameEnding } from '../../components/FrameEnd.tsx'
import { QueryState } from '../../components/QueryState.tsx'
import { useLeaving } from '../../components/use-leave-guard.ts'
import { useAdvertiser } from '../../features/advertiser/advertiser-context.tsx'
import { BackToList, crowdIdIn, NoSuchCrowd } from '../../features/rule-crowd/NoSuchCrowd.tsx'
import { RuleCrowdProblem } from '../../features/rule-crowd/RuleCrowdFacts.tsx'
import { EditorSkeleton } from '../../features/rule-editor/EditorSkeleton.tsx'
import { type EditorHost, RuleEditor } from '../../features/rule-editor/RuleEditor.tsx'
import type { LoadedCrowd } from '../../features/rule-editor/saving/load-crowd.ts'
import { useCrowd } from '../../features/rule-editor/use-crowd.ts'
import { isFault } from '../../lib/call.ts'
import { useEdition } from '../../lib/edition.ts'
import { embedding, postToHost } from '../../lib/embedding.ts'
import { paths } from '../../lib/paths.ts'
import { saved } from '../../lib/saved-context.ts'

const crumbs = [{ title: '人群管理' }, { title: '人群资产', to: paths.assets() }]
const crumbsInFrame = crumbs.map(({ title }) => ({ title }))

/** A new rule crowd (id 0) or one to edit. */
export default function CowdAssetsEditPage() {
  const { id: text } = useParams()
  const id = text === '0' ? 0 : crowdIdIn(text)
  const crowd = useCrowd(id ?? 0)
  const { advertiser } = useAdvertiser()
  if (id === null) return <NoSuchCrowd />
  if (crowd.error && isFault(crowd.error, 'notFound')) return <NoSuchCrowd />
  if (id > 0)
    return (
      <QueryState query={crowd} skeleton={<EditorSkeleton />} errorTitle="编辑人群失败">
        {(loaded) =>
          mayEdit(loaded.ruleCrowd.status) ? (
            <Editor key={id} crowd={loaded} advId={loaded.ruleCrowd.adv_id} advName={loaded.ruleCrowd.adv_name} />
          ) : (
            <Result
              title={`「${loaded.ruleCrowd.name}」正在使用中，不可编辑`}
              subTitle="请先解绑或关闭使用它的计划。"
              extra={[
                <Link key="watch" to={paths.ruleCrowdWatch(id, embedding() ? { entry: 'workbench' } : {})}>
                  <Button type="primary">查看</Button>
                </Link>,
                <BackToList key="list" />,
              ]}
            />
          )
        }
      </QueryState>
    )
  if (!advertiser)
    return (
      <Result
        title="还没有可用的广告主"
        subTitle="新建组合定向包需要先有一个广告主。"
        extra={
          embedding() ? null : (
            <Link to={paths.advertiserData()}>
              <Button type="primary">去广告主授权</Button>
            </Link>
          )
        }
      />
    )
  return <Editor key={`new-${advertiser.id}`} crowd={null} advId={advertiser.id} advName={advertiser.name} />
}

function Editor({ crowd, advId, advName }: { crowd: LoadedCrowd | null; advId: number; advName: string }) {
  const navigate = useNavigate()
  const { isSaas } = useEdition()
  const [search] = useSearchParams()
  const chosen = Number(search.get('dir_id')) || saved.peopleTreeId.get() || DEFAULT_FOLDER
  const toList = () => navigate(paths.assets())
  const isFrame = embedding() !== null
  const leaving = useLeaving()
  const [ending, setEnding] = useState<FrameEnding | null>(null)
  if (ending) return <FrameEnd ending={ending} saved="人群已保存" />
  const host: EditorHost = isFrame
    ? {
        onSaved: (saved) => {
          setEnding('saved')
          postToHost({ type: 'renqun:saved', crowd: saved })
        },
        onCancel: () =>
          leaving(() => {
            setEnding('cancelled')
            postToHost({ type: 'renqun:cancel' })
          }),
      }
    : { onSaved: toList, onCancel: toList }
  return (
    <RuleEditor
      crowd={crowd}
      advId={advId}
      advName={isSaas ? advName : null}
      dirId={chosen}
      entry={search.get('entry') === 'workbench' ? 'workbench' : 'console'}
      crumbs={isFrame ? crumbsInFrame : crumbs}
      notice={crowd && <RuleCrowdProblem opened={crowd.ruleCrowd} />}
      host={host}
      emptyAction={
        isFrame ? null : (
          <Link to={paths.dataAccess()}>
            <Button type="primary">去接入数据</Button>
          </Link>
        )
      }
    />
  )
}
