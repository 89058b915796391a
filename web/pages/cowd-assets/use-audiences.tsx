import { useState } from 'react'
import type { CustomChild } from '#contract/audience.ts'
import { AUDIENCE_CODES } from '#contract/platform.ts'
import type { RuleCrowd } from '#contract/rule-crowd.ts'
import { RuleChildrenDrawer } from '../../features/audience/RuleChildrenDrawer.tsx'
import { PushDialog } from '../../features/push/PushDialog.tsx'
import { PushRecords } from '../../features/push/PushRecords.tsx'

/** Dialogs for pushing a rule crowd and for its audiences; each can open the other. */
export function useAudiences() {
  const [looked, setLooked] = useState<RuleCrowd | null>(null)
  const [pushing, setPushing] = useState<{ ruleCrowd: RuleCrowd; child: CustomChild | null } | null>(null)
  const close = () => setPushing(null)
  return {
    push: (ruleCrowd: RuleCrowd) => setPushing({ ruleCrowd, child: null }),
    look: setLooked,
    dialogs: (
      <>
        <RuleChildrenDrawer
          crowd={looked}
          onPush={(child) => looked && setPushing({ ruleCrowd: looked, child })}
          onClose={() => setLooked(null)}
          records={looked && <PushRecords kind="rule" id={looked.id} childId={null} />}
        />
        {pushing && (
          <PushDialog
            pushed={{
              kind: 'rule',
              id: pushing.ruleCrowd.id,
              name: pushing.ruleCrowd.name,
              adv_id: pushing.ruleCrowd.adv_id,
              platforms: AUDIENCE_CODES,
            }}
            preset={pushing.child}
            onDone={() => {
              setLooked(pushing.ruleCrowd)
              close()
            }}
            onCancel={close}
          />
        )}
      </>
    ),
  }
}
