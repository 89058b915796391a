import { App, Flex } from 'antd'
import type { ReactNode } from 'react'
import { accountFullName } from '#contract/advertiser.ts'
import type { CustomChild } from '#contract/audience.ts'
import { deleteCustomCrowd } from '#contract/custom-crowd.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { sentenceOf } from '#contract/outcome.ts'
import text from '../../components/text.module.css'
import { useConfirm, useRefusal } from '../../components/use-confirm.ts'
import { useOneAtATime } from '../../components/use-one-at-a-time.ts'
import { DeletionRefusal, KeptBy } from '../../domain/crowd/deletion.tsx'
import { paths } from '../../lib/paths.ts'
import { useAction } from '../../lib/query.ts'

/**
 * Deletes an audience here and on its platform. If its account is no longer authorised, the platform cannot be
 * asked; it is then deleted only here, after a person has confirmed what stays on the platform.
 */
export function useChildRemoval({ kept, stale }: { kept: string; stale: readonly Endpoint[] }) {
  const { message } = App.useApp()
  const confirm = useConfirm()
  const showRefusal = useRefusal()
  const quiet = { meta: { quiet: true } }
  const checking = useAction(deleteCustomCrowd, [], quiet)
  const deleting = useAction(deleteCustomCrowd, stale, quiet)
  const refuse = (reason: ReactNode) => void showRefusal('无法删除', reason)
  const refuseError = (error: Error) => refuse(<DeletionRefusal error={error} />)

  return useOneAtATime(async (child: CustomChild): Promise<void> => {
    const query = { id: child.id, advertiser_id: child.adv_id, cnt_type: child.cnt_type }
    const answer = await checking.mutateAsync({ query: { ...query, check: '1' } }).catch(refuseError)
    if (!answer) return
    if (answer.refusal_outcome) {
      return refuse(<KeptBy reason={sentenceOf(answer.refusal_outcome)} users={answer.users} />)
    }
    const account = accountFullName(child.adv_name, child.external_id)
    const remove = (local: '0' | '1') =>
      deleting.mutateAsync({ query: { ...query, local } }).then(() => void message.success('删除人群成功'), refuseError)
    if (answer.only_here === null) {
      confirm({
        title: `删除「${account}」的子人群「${child.name}」？`,
        content: `平台上的人群包会一并删除，使用它的定向将失效，不可恢复。${kept}`,
        okText: '删除',
        isDanger: true,
        onOk: () => remove('0'),
      })
      return
    }
    confirm({
      title: `只在本地删除「${account}」的子人群「${child.name}」？`,
      content: <OnlyHere child={child} reason={answer.only_here} kept={kept} />,
      okText: '仅在本地删除',
      isDanger: true,
      onOk: () => remove('1'),
    })
  })
}

const OnlyHere = ({ child, reason, kept }: { child: CustomChild; reason: string; kept: string }) => (
  <Flex vertical gap={8}>
    <span>
      {reason}，无法请平台删除人群包「{child.platform_name}」{child.tag_id !== null && `（ID ${child.tag_id}）`}。
    </span>
    <strong>只在本地删除后，平台上的人群包可能继续存在并被投放使用，只能到平台后台删除；此操作不可恢复。</strong>
    <span>
      如果账户还能授权，请先
      {/* Dialogs are drawn outside of the router. */}
      <a href={paths.advertiserData()} target="_blank" rel="noreferrer" className={text.underlined}>
        重新授权
      </a>
      ，再删除，平台上的人群包会一并删除。{kept}
    </span>
  </Flex>
)
