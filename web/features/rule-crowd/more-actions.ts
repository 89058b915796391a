import type { RuleCrowd } from '#contract/rule-crowd.ts'
import type { MoreAction } from '../../components/MoreActions.tsx'
import { lateSentence } from '../../domain/outcome/late-sentence.tsx'
import { refusalsOf } from './rule-crowd-actions.ts'

/** What can be done with a rule crowd, in its row and on its own page. */
export interface RowActions {
  copy(ruleCrowd: RuleCrowd): unknown
  compute(ruleCrowd: RuleCrowd): unknown
  remove(ruleCrowd: RuleCrowd): unknown
  move(ruleCrowds: readonly RuleCrowd[]): void
  /** Pushes to a platform account. */
  push(ruleCrowd: RuleCrowd): void
  /** Opens its audiences on the platforms. */
  audiences(ruleCrowd: RuleCrowd): void
  /** Chooses the columns of its people, to download them. */
  exportPeople(ruleCrowd: RuleCrowd): void
  /** Says when it is updated, and which changes are told. */
  updates(ruleCrowd: RuleCrowd): void
  /** Sets the part of it that pushes hold out. */
  control(ruleCrowd: RuleCrowd): void
  /** Opens what its people have. */
  profile(ruleCrowd: RuleCrowd): void
}

/** The actions behind ⋯, after those that stand beside it. */
export function moreActionsOf(ruleCrowd: RuleCrowd, actions: RowActions): (MoreAction | '-')[] {
  const refusal = refusalsOf(ruleCrowd)
  return [
    { key: 'audiences', label: '平台人群', changes: null, onClick: () => actions.audiences(ruleCrowd) },
    { key: 'profile', label: '人群画像', changes: null, onClick: () => actions.profile(ruleCrowd) },
    {
      key: 'export',
      label: '导出名单',
      changes: null,
      refusal: ruleCrowd.magnitude === null ? '还没有计算结果' : null,
      onClick: () => actions.exportPeople(ruleCrowd),
    },
    { key: 'updates', label: '更新与通知', onClick: () => actions.updates(ruleCrowd) },
    { key: 'control', label: '对照组', onClick: () => actions.control(ruleCrowd) },
    { key: 'move', label: '移动到', onClick: () => actions.move([ruleCrowd]) },
    {
      key: 'compute',
      label: '重新计算',
      refusal: lateSentence(refusal.compute),
      onClick: () => void actions.compute(ruleCrowd),
    },
    '-',
    {
      key: 'delete',
      label: '删除',
      danger: true,
      refusal: lateSentence(refusal.delete),
      onClick: () => void actions.remove(ruleCrowd),
    },
  ]
}
