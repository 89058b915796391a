import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { AUDIENCE_CODES } from '#contract/platform.ts'
import { getRuleCrowd, type RuleCrowd } from '#contract/rule-crowd.ts'
import { later } from '../../components/later.tsx'
import type { PushPreset } from '../../domain/platform/push-preset.ts'
import { useOtherAdvertiser } from '../../features/advertiser/use-other-advertiser.ts'
import { withoutDrawerLists } from '../../lib/drawer-list.ts'
import { idIn } from '../../lib/id-in.ts'
import { queryOf } from '../../lib/query.ts'

const PushDialog = later(() => import('../../features/push/PushDialog.tsx').then((file) => file.PushDialog))
const PushRecords = later(() => import('../../features/push/PushRecords.tsx').then((file) => file.PushRecords))
const RuleChildrenDrawer = later(() =>
  import('../../features/audience/RuleChildrenDrawer.tsx').then((file) => file.RuleChildrenDrawer),
)

/** Dialogs for pushing a rule crowd and for its audiences; each can open the other. The URL holds whose audiences. */
export function useAudiences() {
  const [opened, setOpened] = useOpenedCrowd()
  const [pushing, setPushing] = useState<{ ruleCrowd: RuleCrowd; preset: PushPreset | null } | null>(null)
  const otherThan = useOtherAdvertiser()
  // Closed it stays mounted, so that it can slide out.
  const [wasOpened, setWasOpened] = useState(false)
  if (opened && !wasOpened) setWasOpened(true)
  const close = () => setPushing(null)
  return {
    push: (ruleCrowd: RuleCrowd) => setPushing({ ruleCrowd, preset: null }),
    open: setOpened,
    dialogs: (
      <>
        {wasOpened && (
          <RuleChildrenDrawer
            crowd={opened}
            onPush={(preset) => opened && setPushing({ ruleCrowd: opened, preset })}
            onClose={() => setOpened(null)}
            records={
              opened && (
                <PushRecords
                  kind="rule"
                  id={opened.id}
                  childId={null}
                  onPush={(preset) => setPushing({ ruleCrowd: opened, preset })}
                />
              )
            }
          />
        )}
        {pushing && (
          <PushDialog
            pushed={{
              kind: 'rule',
              id: pushing.ruleCrowd.id,
              name: pushing.ruleCrowd.name,
              adv_id: pushing.ruleCrowd.adv_id,
              adv_name: pushing.ruleCrowd.adv_name,
              platforms: AUDIENCE_CODES,
            }}
            preset={pushing.preset}
            otherAdvertiser={otherThan(pushing.ruleCrowd.adv_id)}
            onDone={() => {
              setOpened(pushing.ruleCrowd)
              close()
            }}
            onCancel={close}
          />
        )}
      </>
    ),
  }
}

/** The crowd in the URL. One of the list is known already; one that a link names is fetched. */
function useOpenedCrowd() {
  const [params, setParams] = useSearchParams()
  const [listed, setListed] = useState<RuleCrowd | null>(null)
  const id = idIn(params.get('crowd'))
  const isListed = listed?.id === id
  const linked = useQuery({ ...queryOf(getRuleCrowd, { params: { id: id ?? 0 } }), enabled: id !== null && !isListed })
  const open = (crowd: RuleCrowd | null) => {
    setListed(crowd)
    // Another drawer, or the same one closed, forgets what its lists showed.
    setParams(
      (now) => {
        const next = withoutDrawerLists(now)
        if (crowd) next.set('crowd', String(crowd.id))
        else next.delete('crowd')
        return next
      },
      // One that a push leaves open has its entry in the history already.
      { replace: crowd?.id === id },
    )
  }
  const opened = isListed ? listed : (linked.data ?? null)
  return [id === null ? null : opened, open] as const
}
