import { DeleteOutlined } from '@ant-design/icons'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { ChangeButton } from '../../components/ChangeButton.tsx'
import { paths } from '../../lib/paths.ts'
import { ForgetDialog } from './ForgetDialog.tsx'

interface Props {
  who: { adv_id: number; oneID?: string; person?: number }
  /** The One ID as the page shows it; undefined while it is not known. */
  shown: string | undefined
  /** Phones identify people: whoever may not see them may not delete anybody. */
  maySeePhones: boolean
}

/** Forgets the person of a page, then shows the receipt. */
export function ForgetButton({ who, shown, maySeePhones }: Props) {
  const [isOpen, setIsOpen] = useState(false)
  const navigate = useNavigate()
  return (
    <>
      <ChangeButton
        changes={who.adv_id}
        danger
        icon={<DeleteOutlined />}
        refusal={
          maySeePhones ? (shown === undefined ? '没有这个用户' : null) : '删除用户需要查看手机号的权限，请联系管理员'
        }
        onClick={() => setIsOpen(true)}
      >
        删除用户
      </ChangeButton>
      {isOpen && shown !== undefined && (
        <ForgetDialog
          who={who}
          shown={shown}
          onForgotten={(id) => navigate(paths.suppression({ forgotten: id }))}
          onClose={() => setIsOpen(false)}
        />
      )}
    </>
  )
}
