import { Alert, Button, Progress, Tooltip } from 'antd'
import { useState } from 'react'
import { isSizeShown, sizeWords } from '#contract/size-words.ts'
import { CountUp } from '../../../components/CountUp.tsx'
import text from '../../../components/text.module.css'
import { Sentence } from '../../../domain/outcome/Sentence.tsx'
import { formatAsOf, formatLarge } from '../../../lib/format.ts'
import styles from '../editor.module.css'
import { useEditing } from '../editor-context.ts'
import { lostWords } from './lost-words.ts'
import { useChangeOf } from './use-change-of.ts'
import { useNarrowing, useReach } from './use-reach.ts'

/** How many people the package reaches a day, and how much each dimension costs of it. */
export function ReachPanel() {
  const { editor, isReadOnly, form } = useEditing()
  const { GoalsDialog } = editor
  const { reach, about, unanswered, rested, isComplete, isNewer } = useReach()
  const [asksGoals, setAsksGoals] = useState(false)
  const answer = isComplete && !reach.error ? reach.data : undefined
  const count = answer?.approximate_count ?? null
  const { bars, isOlder, more } = useNarrowing(about, rested, count, isNewer)
  const change = useChangeOf(isNewer ? null : count, about)
  const needsGoals = answer?.fail_outcome?.code === 'estimate_goal_missing'
  // What was said of an earlier choice does not hold for a newer one.
  const failure = isNewer ? null : (answer?.fail_outcome ?? null)
  const none = failure?.code === 'estimate_unsupported' ? failure : null
  const canRetry = failure !== null && none === null && failure.code !== 'estimate_goal_missing' && !reach.isFetching
  const expansion = count === null ? null : editor.expansionNote(rested)
  const most = Math.max(1, ...bars.map(({ lost }) => lost))
  return (
    <section aria-label="预估覆盖" aria-busy={isNewer || reach.isFetching}>
      <h2>预估每日覆盖</h2>
      {count === null ? (
        <div className={styles.noReach}>暂无</div>
      ) : (
        <div className={`${styles.reach} ${isNewer ? text.stale : ''}`}>
          {isSizeShown(count) ? <CountUp value={count} /> : sizeWords(count)} <small>人</small>
        </div>
      )}
      {change !== null && (
        <p className={text.small}>
          比上次{change > 0 ? '多' : '少'} {formatLarge(Math.abs(change))} 人
        </p>
      )}
      {none && <Alert type="warning" showIcon title={<Sentence outcome={none} />} />}
      <p className={text.small}>
        {!isComplete ? (
          '补全定向后预估'
        ) : unanswered ? (
          `预估目标加载失败：${unanswered.error?.message || '请求失败'}`
        ) : none ? (
          ''
        ) : isNewer && count !== null ? (
          '选择有变，正在重新预估'
        ) : failure ? (
          <Sentence outcome={failure} />
        ) : answer?.counted_at && !isNewer ? (
          `平台预估，${formatAsOf(answer.counted_at)}`
        ) : about === undefined || reach.isFetching || isNewer || form !== rested ? (
          '正在预估'
        ) : (
          ''
        )}
      </p>
      {(canRetry || unanswered) && (
        <Button
          type="link"
          size="small"
          className={styles.goals ?? ''}
          onClick={() => void (unanswered ?? reach).refetch()}
        >
          重试
        </Button>
      )}
      {expansion && (
        <p className={text.small}>
          <Sentence outcome={expansion} />
        </p>
      )}
      {GoalsDialog && needsGoals && !isReadOnly && (
        <Button size="small" onClick={() => setAsksGoals(true)}>
          去设置
        </Button>
      )}
      {GoalsDialog && answer?.code === 0 && !isReadOnly && (
        <Button type="link" size="small" className={styles.goals ?? ''} onClick={() => setAsksGoals(true)}>
          预估目标
        </Button>
      )}
      {bars.length > 0 && (
        <div className={isOlder ? (text.stale ?? '') : ''}>
          <h3>各项收窄了多少</h3>
          <p className={text.small}>
            每项让覆盖减少的人数：其他各项不变，不限该项时会多出这么多
            {bars.some(({ isOpened }) => isOpened) && '；标「可放量」的项投放时可能收窄得更少，不限时也不再对它放量'}
          </p>
          <ul className={styles.narrowing}>
            {bars.map(({ label, lost, isOpened }) => {
              const words = lostWords(lost, count)
              return (
                <li key={label}>
                  <span>
                    {label}
                    {isOpened && <span className={text.small}> 可放量</span>}
                  </span>
                  <Tooltip title={`不限「${label}」时多 ${words.exact} 人${isOpened ? '，投放时可能收窄得更少' : ''}`}>
                    <Progress
                      size="small"
                      status="normal"
                      percent={(lost / most) * 100}
                      aria-label={`${label}收窄 ${words.exact} 人${isOpened ? '，可放量' : ''}`}
                      format={() => words.short}
                    />
                  </Tooltip>
                </li>
              )
            })}
          </ul>
          {more > 0 && <p className={text.small}>另有 {more} 项没有计算</p>}
        </div>
      )}
      {GoalsDialog && asksGoals && <GoalsDialog onClose={() => setAsksGoals(false)} />}
    </section>
  )
}
