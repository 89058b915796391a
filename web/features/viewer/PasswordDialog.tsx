import { App, Checkbox, Form, Input } from 'antd'
import { changePassword, listTokens, Password } from '#contract/viewer.ts'
import { FormDialog } from '../../components/FormDialog.tsx'
import { useAction } from '../../lib/query.ts'
import { zodRule } from '../../lib/zod-rule.ts'
import { isPasswordRefusal } from './refused-password.ts'

interface Values {
  old_password: string
  password: string
  again: string
  end_tokens: boolean
}

/** Changes the viewer's own password. */
export function PasswordDialog({ onClose }: { onClose: () => void }) {
  const { message } = App.useApp()
  const change = useAction(changePassword, [listTokens], {
    meta: { quiet: true },
    onSuccess: () => {
      message.success('修改成功，其他设备上的登录已结束')
      onClose()
    },
  })
  return (
    <FormDialog<Values>
      title="修改密码"
      width={420}
      isBusy={change.isPending}
      initialValues={{ end_tokens: false }}
      refusalUnder={(refusal) => (isPasswordRefusal(refusal) ? 'password' : 'old_password')}
      onSave={({ old_password, password, end_tokens }) =>
        change.mutateAsync({ body: { old_password, password, end_tokens } })
      }
      onCancel={onClose}
    >
      <Form.Item name="old_password" label="当前密码" rules={[{ required: true, message: '请输入当前密码' }]}>
        <Input.Password autoComplete="current-password" />
      </Form.Item>
      <Form.Item
        name="password"
        label="新密码"
        rules={[zodRule(Password)]}
        extra="至少 8 个字符，不能是常见密码或用户名本身"
      >
        <Input.Password autoComplete="new-password" />
      </Form.Item>
      <Form.Item
        name="again"
        label="再次输入新密码"
        dependencies={['password']}
        rules={[
          ({ getFieldValue }) => ({
            validator: async (_rule, value: string | undefined) => {
              if ((value ?? '') !== (getFieldValue('password') ?? '')) throw new Error('两次输入的密码不一致')
            },
          }),
        ]}
      >
        <Input.Password autoComplete="new-password" />
      </Form.Item>
      <Form.Item name="end_tokens" valuePropName="checked">
        <Checkbox>同时撤销我的全部接口令牌</Checkbox>
      </Form.Item>
    </FormDialog>
  )
}
