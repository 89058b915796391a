import { Button } from 'antd'
import { useNavigate, useParams, useSearchParams } from 'react-router'
import { QueryState } from '../../components/QueryState.tsx'
import { CrowdButtons } from '../../features/rule-crowd/CrowdButtons.tsx'
import { crowdIdIn, NoSuchCrowd } from '../../features/rule-crowd/NoSuchCrowd.tsx'
import { RuleCrowdFacts, RuleCrowdProblem, useNewResult } from '../../features/rule-crowd/RuleCrowdFacts.tsx'
import { EditorSkeleton } from '../../features/rule-editor/EditorSkeleton.tsx'
import { RuleView } from '../../features/rule-editor/RuleView.tsx'
import { useCrowd } from '../../features/rule-editor/use-crowd.ts'
import { isFault } from '../../lib/call.ts'
import { useEdition } from '../../lib/edition.ts'
import { embedding, postToHost } from '../../lib/embedding.ts'
import { paths } from '../../lib/paths.ts'
import { useCrowdActions } from './use-crowd-actions.tsx'

const crumbs = [{ title: '人群管理' }, { title: '人群资产', to: paths.assets() }]
const crumbsInFrame = crumbs.map(({ title }) => ({ title }))

/** A rule crowd, read-only. */
export default function CowdAssetsWatchPage() {
  const id = crowdIdIn(useParams().id) ?? 0
  const crowd = useCrowd(id)
  const { isSaas } = useEdition()
  const [search] = useSearchParams()
  const navigate = useNavigate()
  // A link opened in a new tab has no page to go back to.
  const back = () => {
    if (embedding()) return postToHost({ type: 'renqun:cancel' })
    return window.history.state?.idx > 0 ? navigate(-1) : navigate(paths.assets())
  }
  useNewResult(crowd.data?.ruleCrowd, crowd.refetch)
  const { actions, dialogs } = useCrowdActions(() => void crowd.refetch())
  if (id === 0) return <NoSuchCrowd />
  if (crowd.error && isFault(crowd.error, 'notFound')) return <NoSuchCrowd />
  return (
    <>
      <QueryState query={crowd} skeleton={<EditorSkeleton />} errorTitle="人群加载失败">
        {(loaded) => (
          <RuleView
            key={loaded.ruleCrowd.id}
            crowd={loaded}
            advName={isSaas ? loaded.ruleCrowd.adv_name : null}
            entry={search.get('entry') === 'workbench' ? 'workbench' : 'console'}
            crumbs={embedding() ? crumbsInFrame : crumbs}
            facts={<RuleCrowdFacts opened={loaded.ruleCrowd} />}
            notice={<RuleCrowdProblem opened={loaded.ruleCrowd} />}
            actions={
              embedding() ? (
                <Button onClick={back}>返回</Button>
              ) : (
                <CrowdButtons opened={loaded.ruleCrowd} actions={actions} onBack={back} />
              )
            }
          />
        )}
      </QueryState>
      {dialogs}
    </>
  )
}
