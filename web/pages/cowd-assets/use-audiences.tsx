import { useState } from 'react'
import { AUDIENCE_CODES } from '#contract/platform.ts'
import type { RuleCrowd } from '#contract/rule-crowd.ts'
import type { PushPreset } from '../../domain/platform/push-preset.ts'
import { RuleChildrenDrawer } from '../../features/audience/RuleChildrenDrawer.tsx'
import { PushDialog } from '../../features/push/PushDialog.tsx'
import { PushRecords } from '../../features/push/PushRecords.tsx'

/** Dialogs for pushing a rule crowd and for its audiences; each can open the other. */
export function useAudiences() {
  const [looked, setLooked] = useState<RuleCrowd | null>(null)
  const [pushing, setPushing] = useState<{ ruleCrowd: RuleCrowd; preset: PushPreset | null } | null>(null)
  const close = () => setPushing(null)
  return {
    push: (ruleCrowd: RuleCrowd) => setPushing({ ruleCrowd, preset: null }),
    look: setLooked,
    dialogs: (
      <>
        <RuleChildrenDrawer
          crowd={looked}
          onPush={(preset) => looked && setPushing({ ruleCrowd: looked, preset })}
          onClose={() => setLooked(null)}
          records={
            looked && (
              <PushRecords
                kind="rule"
                id={looked.id}
                childId={null}
                onPush={(preset) => setPushing({ ruleCrowd: looked, preset })}
              />
            )
          }
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
            preset={pushing.preset}
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
