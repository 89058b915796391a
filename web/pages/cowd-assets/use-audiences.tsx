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
  const [pushing, setPushing] = useState<{ people: RuleCrowd; child: CustomChild | null } | null>(null)
  const close = () => setPushing(null)
  return {
    push: (people: RuleCrowd) => setPushing({ people, child: null }),
    look: setLooked,
    dialogs: (
      <>
        <RuleChildrenDrawer
          crowd={looked}
          onPush={(child) => looked && setPushing({ people: looked, child })}
          onClose={() => setLooked(null)}
          records={looked && <PushRecords kind="rule" id={looked.id} childId={null} />}
        />
        {pushing && (
          <PushDialog
            pushed={{
              kind: 'rule',
              id: pushing.people.id,
              name: pushing.people.name,
              adv_id: pushing.people.adv_id,
              platforms: AUDIENCE_CODES,
            }}
            preset={pushing.child}
            onDone={() => {
              setLooked(pushing.people)
              close()
            }}
            onCancel={close}
          />
        )}
      </>
    ),
  }
}
