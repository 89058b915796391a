import { useState } from 'react'
import { AUDIENCE_CODES } from '#contract/platform.ts'
import type { RuleCrowd } from '#contract/rule-crowd.ts'
import type { PushPreset } from '../../domain/platform/push-preset.ts'
import { RuleChildrenDrawer } from '../../features/audience/RuleChildrenDrawer.tsx'
import { PushDialog } from '../../features/push/PushDialog.tsx'
import { PushRecords } from '../../features/push/PushRecords.tsx'

/** Dialogs for pushing a rule crowd and for its audiences; each can open the other. */
export function useAudiences() {
  const [opened, setOpened] = useState<RuleCrowd | null>(null)
  const [pushing, setPushing] = useState<{ ruleCrowd: RuleCrowd; preset: PushPreset | null } | null>(null)
  const close = () => setPushing(null)
  return {
    push: (ruleCrowd: RuleCrowd) => setPushing({ ruleCrowd, preset: null }),
    open: setOpened,
    dialogs: (
      <>
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
