import { App, Form, Modal, Typography } from 'antd'
import { useEffect } from 'react'
import { Password, resetViewerPassword } from '#contract/viewer.ts'
import { NewPasswordField } from '../../components/NewPasswordField.tsx'
import { useAction } from '../../lib/query.ts'
import { zodRule } from '../../lib/zod-rule.ts'

interface Props {
  viewer: { id: number; username: string } | undefined
  onClose: () => void
}

export function ResetPasswordDialog({ viewer, onClose }: Props) {
  const { message } = App.useApp()
  const [form] = Form.useForm<{ password: string }>()
  const reset = useAction(resetViewerPassword, [], {
    onSuccess: () => {
      message.success('密码已重置')
      onClose()
    },
  })
  useEffect(() => {
    if (viewer) form.resetFields()
  }, [viewer, form])
  return (
    <Modal
      title={`重置 ${viewer?.username ?? ''} 的密码`}
      open={viewer !== undefined}
      width={440}
      onCancel={onClose}
      onOk={form.submit}
      confirmLoading={reset.isPending}
      forceRender
    >
      <Form
        form={form}
        layout="vertical"
        requiredMark={false}
        style={{ paddingTop: 8 }}
        onFinish={({ password }) => viewer && reset.mutate({ params: { id: viewer.id }, body: { password } })}
      >
        <Typography.Paragraph type="secondary">
          重置后，该用户的所有登录立即结束，接口令牌全部撤销。
        </Typography.Paragraph>
        <Form.Item name="password" label="新密码" rules={[zodRule(Password)]}>
          <NewPasswordField />
        </Form.Item>
      </Form>
    </Modal>
  )
}
