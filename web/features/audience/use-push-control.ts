import { App } from 'antd'
import type { CustomChild } from '#contract/audience.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { cancelPush, retryPush } from '#contract/push.ts'
import { listTasks } from '#contract/task.ts'
import { useConfirm } from '../../components/use-confirm.ts'
import { useOneAtATime } from '../../components/use-one-at-a-time.ts'
import { useAction } from '../../lib/query.ts'

/** Cancels a push after asking, saying what was sent, and has one tried again at once. */
export function usePushControl(stale: readonly Endpoint[]) {
  const { message } = App.useApp()
  const confirm = useConfirm()
  const cancelling = useAction(cancelPush, [...stale, listTasks])
  const retrying = useAction(retryPush, [...stale, listTasks], { onSuccess: () => void message.success('已继续推送') })
  const cancel = useOneAtATime(async (push: { id: number; to: string; keeps_step?: boolean }) => {
    confirm({
      title: `取消推送到「${push.to}」？`,
      content: `已发送的标识留在平台的人群包里，之后可以继续推送。${
        push.keeps_step ? '已开启自动更新：人群下次更新时仍会推送。' : ''
      }`,
      okText: '取消推送',
      cancelText: '继续推送',
      onOk: () =>
        cancelling.mutateAsync({ params: { id: push.id } }).then(
          ({ told }) => void message.success(told, 6),
          // The query client says why.
          () => {},
        ),
    })
  })
  return {
    retry: (id: number) => {
      if (!retrying.isPending) retrying.mutate({ params: { id } })
    },
    cancel,
    /** Cancels the open push of an audience. */
    cancelOf: (child: CustomChild) =>
      child.push && cancel({ id: child.push.id, to: child.adv_name, keeps_step: child.keeps_step }),
  }
}
