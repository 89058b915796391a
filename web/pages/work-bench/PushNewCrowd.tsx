import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Modal, Progress } from 'antd'
import { isAudienceCode } from '#contract/platform.ts'
import { getRuleCrowd } from '#contract/rule-crowd.ts'
import { QueryState } from '../../components/QueryState.tsx'
import text from '../../components/text.module.css'
import type { CrowdTarget, MadeCrowd } from '../../features/activity/workbench/new-crowd.ts'
import { PushDialog } from '../../features/push/PushDialog.tsx'
import { queryOf } from '../../lib/query.ts'

const POLL_MS = 1_000

/** Pushes a crowd that was just saved to a plan's account, once its people are counted. */
export function PushNewCrowd(props: {
  advId: number
  crowd: MadeCrowd
  target: CrowdTarget
  /** Gives the crowd's audience on the account. */
  onPushed: (audience: MadeCrowd) => void
  onClose: () => void
}) {
  const { advId, crowd, target, onPushed, onClose } = props
  const { platform, account } = target
  const counted = useQuery({
    ...queryOf(getRuleCrowd, { params: { id: crowd.id } }),
    refetchInterval: ({ state }) => (state.data === undefined || state.data.status === 'computing' ? POLL_MS : false),
    meta: { inPlace: true },
  })
  if (counted.data?.status === 'completed' && isAudienceCode(platform)) {
    return (
      <PushDialog
        pushed={{
          kind: 'rule',
          ...{ id: crowd.id, name: crowd.name, adv_id: advId, adv_name: counted.data.adv_name },
          platforms: [platform],
        }}
        preset={{ cnt_type: platform, adv_id: account.id, types: [], keeps_step: false }}
        onlyTo={account.name}
        otherAdvertiser={null}
        onDone={([pushed]) => {
          if (pushed?.child_id) onPushed({ id: pushed.child_id, name: crowd.name })
          else onClose()
        }}
        onCancel={onClose}
      />
    )
  }
  return (
    <Modal
      open
      title={`推送「${crowd.name}」到「${account.name}」`}
      onCancel={onClose}
      footer={<Button onClick={onClose}>以后再推送</Button>}
    >
      <QueryState query={counted} errorTitle="人群加载失败">
        {({ failReason, progress }) =>
          failReason === null ? (
            <>
              <p>人群已保存，正在计算人数；算完后选择标识类型并推送，计划才能使用它。</p>
              <Progress
                percent={Math.round((progress ?? 0) * 100)}
                status="active"
                aria-label={`「${crowd.name}」的计算`}
              />
            </>
          ) : (
            <Alert type="error" showIcon title="人群计算失败，没有推送" description={failReason} />
          )
        }
      </QueryState>
      <p className={text.hint}>关闭后也可以在人群资产里推送，推送后即可在这里选择。</p>
    </Modal>
  )
}
