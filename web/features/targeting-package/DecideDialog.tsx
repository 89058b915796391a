import { useQuery } from '@tanstack/react-query'
import { App, Modal } from 'antd'
import { adoptTargeting, overwriteTargeting } from '#contract/targeting-mirror.ts'
import { getTargeting, type TargetingPackage } from '#contract/targeting-package.ts'
import { useFocusBack } from '../../components/use-focus-back.ts'
import { queryOf, useAction } from '../../lib/query.ts'
import { BothCopies } from './BothCopies.tsx'
import { planWords } from './plan-words.ts'
import { AFTER_DECISION } from './use-package-actions.tsx'

export type Decision = 'adopt' | 'overwrite'

const WORDS = {
  adopt: {
    title: (name: string) => `采用平台上的「${name}」？`,
    content: '平台上修改后的定向内容会成为新的版本；这里的版本留在历史中，可以恢复。',
    okText: '采用平台',
    done: '修改成功',
  },
  overwrite: {
    title: (name: string) => `用这里的「${name}」覆盖平台？`,
    content: '平台上的修改会丢失，这里的版本随后提交到平台。',
    okText: '覆盖平台',
    done: '已提交同步',
  },
}

interface Props {
  decision: Decision
  row: TargetingPackage
  onClose: () => void
}

/** Asks which of two differing copies is kept, with both side by side. A refusal leaves it open. */
export function DecideDialog({ decision, row, onClose }: Props) {
  const { message } = App.useApp()
  useFocusBack()
  const detail = useQuery({ ...queryOf(getTargeting, { query: { id: row.id } }), meta: { inPlace: true } })
  const adopting = useAction(adoptTargeting, AFTER_DECISION)
  const overwriting = useAction(overwriteTargeting, AFTER_DECISION)
  const { title, content, okText, done } = WORDS[decision]
  const decide = () => {
    const made = decision === 'adopt' ? adopting : overwriting
    const onSuccess = () => {
      message.success(done)
      onClose()
    }
    made.mutate({ body: { id: row.id } }, { onSuccess })
  }
  return (
    <Modal
      open
      width={860}
      title={title(row.name)}
      okText={okText}
      okButtonProps={{ danger: decision === 'overwrite' }}
      confirmLoading={adopting.isPending || overwriting.isPending}
      onOk={decide}
      onCancel={onClose}
    >
      {content}
      {planWords(detail.data?.plans ?? [])}
      <BothCopies of={row} />
    </Modal>
  )
}
