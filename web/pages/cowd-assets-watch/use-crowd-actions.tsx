import { App } from 'antd'
import { type ReactNode, useState } from 'react'
import { useNavigate } from 'react-router'
import { AUDIENCE_CODES } from '#contract/platform.ts'
import { getRuleCrowd, listRuleCrowds, moveRuleCrowds, type RuleCrowd } from '#contract/rule-crowd.ts'
import { later } from '../../components/later.tsx'
import { useControlDialog } from '../../domain/control-group/use-control-dialog.tsx'
import { useExportPeople } from '../../domain/crowd/use-export-people.tsx'
import { useOtherAdvertiser } from '../../features/advertiser/use-other-advertiser.ts'
import type { RowActions } from '../../features/rule-crowd/more-actions.ts'
import { useRuleCrowdActions } from '../../features/rule-crowd/use-rule-crowd-actions.tsx'
import { useUpdates } from '../../features/rule-crowd/use-updates.tsx'
import { paths } from '../../lib/paths.ts'
import { useAction } from '../../lib/query.ts'

const PushDialog = later(() => import('../../features/push/PushDialog.tsx').then((file) => file.PushDialog))
const ChooseFolderDialog = later(() =>
  import('../../features/folder/ChooseFolderDialog.tsx').then((file) => file.ChooseFolderDialog),
)

/** What the crowd's row in the list offers, and the dialogs that this opens. */
export function useCrowdActions(onMoved: () => void): { actions: RowActions; dialogs: ReactNode } {
  const navigate = useNavigate()
  const { message } = App.useApp()
  const otherThan = useOtherAdvertiser()
  const { copy, compute, remove } = useRuleCrowdActions(() => navigate(paths.assets()))
  const { exportPeople, exportDialog } = useExportPeople()
  const { updates, updatesDialog } = useUpdates()
  const { openControl, controlDialog } = useControlDialog()
  const [asked, setAsked] = useState<{ for: 'push' | 'move'; crowd: RuleCrowd } | null>(null)
  const close = () => setAsked(null)
  const moving = useAction(moveRuleCrowds, [listRuleCrowds, getRuleCrowd], {
    onSuccess: () => {
      void message.success('文件夹移动成功')
      close()
      onMoved()
    },
  })
  const crowd = asked?.crowd
  return {
    actions: {
      copy,
      compute,
      remove,
      move: ([moved]) => moved && setAsked({ for: 'move', crowd: moved }),
      push: (pushed) => setAsked({ for: 'push', crowd: pushed }),
      exportPeople,
      updates,
      control: (held) => openControl({ ...held, kind: 'rule' }),
      profile: ({ id }) => navigate(paths.crowdProfile(id)),
      audiences: ({ id }) => navigate(paths.pushesOf({ kind: 'rule', id })),
    },
    dialogs: (
      <>
        {exportDialog}
        {updatesDialog}
        {controlDialog}
        {crowd && asked?.for === 'move' && (
          <ChooseFolderDialog
            kind="asset"
            title={`移动「${crowd.name}」`}
            present={crowd.dirId}
            isBusy={moving.isPending}
            onChoose={(dirId) => moving.mutate({ body: { ids: [crowd.id], dirId } })}
            onCancel={close}
          />
        )}
        {crowd && asked?.for === 'push' && (
          <PushDialog
            pushed={{
              kind: 'rule',
              id: crowd.id,
              name: crowd.name,
              adv_id: crowd.adv_id,
              adv_name: crowd.adv_name,
              platforms: AUDIENCE_CODES,
            }}
            otherAdvertiser={otherThan(crowd.adv_id)}
            onDone={() => navigate(paths.pushesOf({ kind: 'rule', id: crowd.id }))}
            onCancel={close}
          />
        )}
      </>
    ),
  }
}
