import { App, Button, Flex, Input } from 'antd'
import { useState } from 'react'
import { getActivity } from '#contract/activity.ts'
import { setPlanOperator } from '#contract/activity-plan.ts'
import { useAction } from '../../../lib/query.ts'

/** Takes the operator's real-name token, without which the social platform refuses changes of plans. It is never shown. */
export function OperatorField(props: { id: string; accountId: number; isSaved: boolean; onSaved: () => void }) {
  const { id, accountId, isSaved, onSaved } = props
  const { message } = App.useApp()
  const [token, setToken] = useState('')
  const saving = useAction(setPlanOperator, [getActivity])
  const save = () =>
    saving.mutateAsync({ body: { account_id: accountId, user_token: token.trim() } }).then(
      () => {
        setToken('')
        onSaved()
        void message.success('已保存实名令牌')
      },
      () => undefined,
    )
  return (
    <Flex gap={8}>
      <Input.Password
        id={id}
        value={token}
        maxLength={128}
        autoComplete="off"
        placeholder={isSaved ? '已保存，需要更换时再填写' : '在腾讯广告实名认证后得到的 user_token'}
        onChange={({ target }) => setToken(target.value)}
      />
      <Button disabled={token.trim() === ''} loading={saving.isPending} onClick={() => void save()}>
        保存令牌
      </Button>
    </Flex>
  )
}
