import { Button, Flex } from 'antd'
import { useNavigate } from 'react-router'
import type { RuleCrowd } from '#contract/rule-crowd.ts'
import { ChangeButton } from '../../components/ChangeButton.tsx'
import { MoreActions } from '../../components/MoreActions.tsx'
import { lateSentence } from '../../domain/outcome/late-sentence.tsx'
import { paths } from '../../lib/paths.ts'
import { moreActionsOf, type RowActions } from './more-actions.ts'
import { useRuleCrowdNow } from './RuleCrowdFacts.tsx'
import { refusalsOf } from './rule-crowd-actions.ts'

/** The actions of a crowd's row, on the crowd's own page. */
export function CrowdButtons(props: { opened: RuleCrowd; actions: RowActions; onBack: () => void }) {
  const { opened, actions, onBack } = props
  const navigate = useNavigate()
  const ruleCrowd = useRuleCrowdNow(opened)
  const refusal = refusalsOf(ruleCrowd)
  const changes = ruleCrowd.adv_id
  return (
    <>
      <Button onClick={onBack}>返回</Button>
      <ChangeButton changes={changes} onClick={() => void actions.copy(ruleCrowd)}>
        复制
      </ChangeButton>
      <ChangeButton changes={changes} refusal={lateSentence(refusal.push)} onClick={() => actions.push(ruleCrowd)}>
        推送至
      </ChangeButton>
      <Flex align="center">
        <MoreActions
          name={`「${ruleCrowd.name}」的更多操作`}
          changes={changes}
          actions={moreActionsOf(ruleCrowd, actions)}
        />
      </Flex>
      <ChangeButton
        changes={changes}
        refusal={lateSentence(refusal.edit)}
        type="primary"
        onClick={() => navigate(paths.ruleCrowdEdit(ruleCrowd.id))}
      >
        编辑
      </ChangeButton>
    </>
  )
}
