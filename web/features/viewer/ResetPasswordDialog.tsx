import { App, Checkbox, Form, Typography } from 'antd'
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
    meta: { quiet: true },
    onSuccess: () => {
      message.success('密码已重置')
      onClose()
    },
  })
  return (
    <FormDialog<{ password: string; end_tokens: boolean }>
      title={`重置 ${viewer.username} 的密码`}
      width={440}
      isBusy={reset.isPending}
      initialValues={{ end_tokens: true }}
      refusalUnder="password"
      onSave={(body) => reset.mutateAsync({ params: { id: viewer.id }, body })}
      onCancel={onClose}
    >
      <Typography.Paragraph type="secondary">重置后，该成员的所有登录立即结束。</Typography.Paragraph>
      <Form.Item name="password" label="新密码" rules={[zodRule(Password)]}>
        <NewPasswordField />
      </Form.Item>
      <Form.Item name="end_tokens" valuePropName="checked">
        <Checkbox>同时撤销该成员的全部接口令牌</Checkbox>
      </Form.Item>
    </FormDialog>
  )
}
