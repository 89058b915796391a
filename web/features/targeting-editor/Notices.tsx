import { Alert, Button } from 'antd'
import { openingWarning } from '#contract/targeting/opening.ts'
import { Sentence } from '../../domain/outcome/Sentence.tsx'
import type { OpenedPackage } from './opened-package.ts'

interface Props {
  opened: Pick<OpenedPackage<unknown>, 'mode' | 'status' | 'plans' | 'lock' | 'copyState'>
  /** Unsaved work of before a reload is shown. */
  isRestored: boolean
  /** The package has been saved since that work began. */
  isOutdated: boolean
  /** The viewer left their work to see somebody else's version, and can have it back. */
  isGivenUp: boolean
  onTakeBack: () => void
  onDiscard: () => void
}

const COPY_STATES = {
  changed: '平台上的副本已被修改。在这里保存的内容暂不发送到平台，请回到列表选择采用平台或覆盖平台。',
  gone: '平台上的副本已被删除。在这里保存的内容暂不发送到平台，请回到列表重新同步，或删除此定向包。',
}

/** What is to be known before editing. */
export function Notices({ opened, isRestored, isOutdated, isGivenUp, onTakeBack, onDiscard }: Props) {
  const warning = openingWarning(opened.status, opened.mode)
  const isUsed = opened.mode === 'edit' && opened.plans.length > 0
  return (
    <>
      {opened.lock && <Alert type="warning" showIcon title={<Sentence outcome={opened.lock} />} />}
      {warning && <Alert type="warning" showIcon title={<Sentence outcome={warning} />} />}
      {opened.copyState && <Alert type="warning" showIcon title={COPY_STATES[opened.copyState]} />}
      {isUsed && (
        <Alert
          type="info"
          showIcon
          title={`正在被计划使用：${opened.plans.join('、')}。保存后，新的定向用于之后的投放。`}
        />
      )}
      {isRestored && (
        <Alert
          type={isOutdated ? 'warning' : 'info'}
          showIcon
          title={
            isOutdated
              ? '已恢复上次未保存的修改。此定向包在那之后有新的保存，点击确定时会并排列出两边的内容。'
              : '已恢复上次未保存的修改'
          }
          action={
            <Button size="small" onClick={onDiscard}>
              放弃修改
            </Button>
          }
        />
      )}
      {isGivenUp && (
        <Alert
          type="info"
          showIcon
          title="还有一份我的修改没有保存"
          action={
            <Button size="small" onClick={onTakeBack}>
              取回我的修改
            </Button>
          }
        />
      )}
    </>
  )
}
