import { App, Form, Typography } from 'antd'
import { Password, resetViewerPassword } from '#contract/viewer.ts'
import { FormDialog } from '../../components/FormDialog.tsx'
import { useAction } from '../../lib/query.ts'
import { zodRule } from '../../lib/zod-rule.ts'
import { NewPasswordField } from './NewPasswordField.tsx'

interface Props {
  viewer: { id: number; username: string }
  onClose: () => void
}

export function ResetPasswordDialog({ viewer, onClose }: Props) {
  const { message } = App.useApp()
  const reset = useAction(resetViewerPassword, [], {
    onSuccess: () => {
      message.success('密码已重置')
      onClose()
    },
  })
  return (
    <FormDialog<{ password: string }>
      title={`重置 ${viewer.username} 的密码`}
      width={440}
      isBusy={reset.isPending}
      onSave={({ password }) => reset.mutate({ params: { id: viewer.id }, body: { password } })}
      onCancel={onClose}
    >
      <Typography.Paragraph type="secondary">重置后，该用户的所有登录立即结束，接口令牌全部撤销。</Typography.Paragraph>
      <Form.Item name="password" label="新密码" rules={[zodRule(Password)]}>
        <NewPasswordField />
      </Form.Item>
    </FormDialog>
  )
}
