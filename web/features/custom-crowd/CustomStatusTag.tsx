import { Tag } from 'antd'
import { CUSTOM_STATUS } from '#contract/audience.ts'
import { type CustomCrowd, LOSS_MARKED_SHARE } from '#contract/custom-crowd.ts'
import text from '../../components/text.module.css'
import { WholeOnHover } from '../../components/WholeOnHover.tsx'
import { OutcomeActions } from '../../domain/outcome/OutcomeActions.tsx'
import { CUSTOM_TONES, Dot, percent, Reason, Stage } from '../audience/status-parts.tsx'
import styles from './custom-crowd.module.css'
import { tookNothing } from './rows.ts'

/** The state of a crowd's files, and what can be done about a failed check. */
export function CrowdStatus({ crowd, onRetry }: { crowd: CustomCrowd; onRetry: (task_id: number) => unknown }) {
  const { retry_task_id } = crowd
  const words = `${CUSTOM_STATUS[crowd.status]}${percent(crowd.progress)}`
  return (
    <div>
      <Dot tone={CUSTOM_TONES[crowd.status]} words={words} reason={crowd.reason} />
      {crowd.stage && <Stage words={crowd.stage} />}
      {crowd.status === 'failed' && <Reason words={crowd.reason} reason={crowd.reason} />}
      {crowd.status === 'available' && crowd.reason && (
        <WholeOnHover text={crowd.reason}>
          <div className={`${text.problem} ${text.cut}`}>上次更新失败</div>
        </WholeOnHover>
      )}
      {crowd.status === 'available' && !crowd.reason && crowd.unread_files > 0 && (
        <WholeOnHover text={`最近上传的文件中有 ${crowd.unread_files} 个读取失败，其中的标识没有计入人群`}>
          <div className={`${text.problem} ${text.cut}`}>{crowd.unread_files} 个文件失败</div>
        </WholeOnHover>
      )}
      <Losses crowd={crowd} />
      <OutcomeActions
        outcomes={[crowd.reason_outcome]}
        on={{ retry: retry_task_id === null ? undefined : () => onRetry(retry_task_id) }}
      />
    </div>
  )
}

/** Marks a crowd whose last upload lost many lines, or texts of an archive. */
function Losses({ crowd }: { crowd: CustomCrowd }) {
  const { status, invalid_share, unread_members } = crowd
  if (status !== 'available') return null
  return (
    <>
      {unread_members > 0 && (
        <WholeOnHover
          text={`最近上传的压缩包内有 ${unread_members} 个文件未能读取，其中的标识没有计入人群；文件管理中有每个文件的原因`}
        >
          <div className={`${text.problem} ${text.cut}`}>压缩包内 {unread_members} 个文件未读取</div>
        </WholeOnHover>
      )}
      {tookNothing(crowd) ? (
        <WholeOnHover text="上传的行全部无效，人群中没有标识；详情中可下载无效行">
          <Tag color="error" className={styles.loss}>
            无有效数据
          </Tag>
        </WholeOnHover>
      ) : (
        <LossTag share={invalid_share} />
      )}
    </>
  )
}

const LossTag = ({ share }: { share: number | null }) => (
  <>
    {share !== null && share > LOSS_MARKED_SHARE && (
      <WholeOnHover text="最近一次上传的行中无效行的比例；文件管理中有每个文件的原因，可下载无效行">
        <Tag color="warning" className={styles.loss}>
          无效行 {Math.floor(share * 1000) / 10}%
        </Tag>
      </WholeOnHover>
    )}
  </>
)
