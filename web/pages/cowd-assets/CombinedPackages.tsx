import { listRuleCrowds, moveRuleCrowds } from '#contract/rule-crowd.ts'
import { useAdvertiser } from '../../features/advertiser/advertiser-context.tsx'
import { FolderView } from '../../features/folder/FolderView.tsx'
import { RULE_CROWD_FILTERS, RuleCrowdList } from '../../features/rule-crowd/RuleCrowdList.tsx'
import { useEdition } from '../../lib/edition.ts'
import { useAction } from '../../lib/query.ts'
import { NewPackageButton } from './NewPackageButton.tsx'
import { useAudiences } from './use-audiences.tsx'

/** 组合定向包: the rule crowds by folder, with their audiences on the platforms. */
export function CombinedPackages() {
  const { isSaas } = useEdition()
  const { advertisers, advId } = useAdvertiser()
  const move = useAction(moveRuleCrowds, [listRuleCrowds])
  const audiences = useAudiences()

  return (
    <>
      <FolderView
        kind="asset"
        filters={RULE_CROWD_FILTERS}
        noun="定向包"
        move={(ids, dirId) => move.mutateAsync({ body: { ids, dirId } })}
        isMoving={move.isPending}
      >
        {(view) => (
          <RuleCrowdList
            {...view}
            advertisers={isSaas ? advertisers : null}
            advId={advId}
            newButton={<NewPackageButton dirId={view.state.dir_id || undefined} />}
            onPush={audiences.push}
            onAudiences={audiences.open}
          />
        )}
      </FolderView>
      {audiences.dialogs}
    </>
  )
}
