import { LockOutlined, UserOutlined } from '@ant-design/icons'
import { useQueryClient } from '@tanstack/react-query'
import { Alert, Button, Card, Flex, Form, Input, type InputRef, Typography } from 'antd'
import { useEffect, useRef } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import { getConsole, login } from '#contract/viewer.ts'
import { isFault } from '../../lib/call.ts'
import { isOwnPath } from '../../lib/own-path.ts'
import { paths } from '../../lib/paths.ts'
import { keyOf, useAction } from '../../lib/query.ts'
import { switchViewer } from '../../lib/saved-context.ts'
import { isSessionEnd } from '../../lib/session-end.ts'
import styles from './login.module.css'

interface Values {
  username: string
  password: string
}

export default function LoginPage() {
  const navigate = useNavigate()
  const [query] = useSearchParams()
  const client = useQueryClient()
  const [form] = Form.useForm<Values>()
  const passwordField = useRef<InputRef>(null)
  const from = query.get('from')
  const hasEnded = isSessionEnd(useLocation().state)

  useEffect(() => {
    document.title = '登录 - 人群'
    // Drops all data of the viewer who was signed in before.
    client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== keyOf(getConsole) })
  }, [client])

  const signIn = useAction(login, [], {
    meta: { quiet: true },
    onSuccess: ({ id }) => {
      switchViewer(id)
      navigate(isOwnPath(from) ? from : paths.home(), { replace: true })
    },
    onError: (error) => {
      if (!isFault(error, 'wrongPassword')) return
      form.setFieldValue('password', '')
      passwordField.current?.focus()
    },
  })

  return (
    <main className={styles.page}>
      <Flex vertical align="center" className={styles.column}>
        <img src="/favicon.svg" alt="" width={52} height={52} />
        <Typography.Title level={1} className={styles.title}>
          人群
        </Typography.Title>
        <Typography.Text type="secondary">用自己的用户数据圈选人群，实时看到准确人数</Typography.Text>
        <Card className={styles.card} classNames={{ body: styles.body }}>
          {hasEnded && !signIn.error && (
            <Alert showIcon type="info" title="登录已失效，请重新登录后继续" className={styles.alert} />
          )}
          {signIn.error && (
            <Alert
              role="alert"
              showIcon
              type={isFault(signIn.error, 'signInThrottled') ? 'warning' : 'error'}
              title={signIn.error.message || '请求失败'}
              className={styles.alert}
            />
          )}
          <Form
            form={form}
            layout="vertical"
            requiredMark={false}
            validateTrigger="onSubmit"
            onFinish={({ username, password }) => signIn.mutate({ body: { username: username.trim(), password } })}
          >
            <Form.Item
              name="username"
              label="用户名"
              rules={[{ required: true, whitespace: true, message: '请输入用户名' }]}
            >
              <Input size="large" prefix={<UserOutlined />} autoComplete="username" autoFocus maxLength={200} />
            </Form.Item>
            <Form.Item name="password" label="密码" rules={[{ required: true, message: '请输入密码' }]}>
              <Input.Password
                size="large"
                ref={passwordField}
                prefix={<LockOutlined />}
                autoComplete="current-password"
                maxLength={200}
              />
            </Form.Item>
            <Button
              type="primary"
              size="large"
              htmlType="submit"
              block
              loading={signIn.isPending}
              className={styles.submit}
            >
              登录
            </Button>
          </Form>
        </Card>
        <Typography.Text type="secondary" className={styles.help}>
          忘记密码请联系管理员重置
        </Typography.Text>
      </Flex>
    </main>
  )
}
