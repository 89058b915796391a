import { Alert, Button, Flex, Form, Input, Modal, Select, Typography } from 'antd'
import { useId } from 'react'
import { createToken, getViewer, listTokens } from '#contract/viewer.ts'
import { CopyIcon } from '../../components/CopyIcon.tsx'
import space from '../../components/space.module.css'
import { FormInput, useAskClose } from '../../components/use-ask-close.ts'
import { useAction } from '../../lib/query.ts'
import styles from './viewer.module.css'

const DAY = 86_400
/** 0 means no expiry. */
const LIFETIMES = [
  { value: 30, label: '30 天' },
  { value: 90, label: '90 天' },
  { value: 365, label: '1 年' },
  { value: 0, label: '永不过期' },
]

export function TokenDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const id = useId()
  const create = useAction(createToken, [listTokens])
  const token = create.data?.token

  const close = () => {
    // The new token is shown only here and only once.
    if (create.isPending) return
    onClose()
    create.reset()
  }
  const { askClose, watch } = useAskClose(close)
  const save = ({ name, days }: { name: string; days: number }) =>
    create.mutate({ body: { name, expires_at: days ? Math.floor(Date.now() / 1000) + days * DAY : null } })

  return (
    <Modal
      title={token ? '令牌已创建' : '新建接口令牌'}
      open={isOpen}
      width={token ? 560 : 420}
      onCancel={askClose}
      // Closing loses the token, so only the button closes the dialog.
      mask={{ closable: !token }}
      keyboard={!token}
      destroyOnHidden
      footer={
        token ? (
          <Button type="primary" onClick={close}>
            我已保存
          </Button>
        ) : (
          <>
            <Button onClick={close} disabled={create.isPending}>
              取消
            </Button>
            <Button type="primary" loading={create.isPending} htmlType="submit" form={id}>
              创建
            </Button>
          </>
        )
      }
    >
      {token ? (
        <ShownOnce token={token} />
      ) : (
        <Form
          id={id}
          layout="vertical"
          requiredMark={false}
          preserve={false}
          initialValues={{ days: 90 }}
          className={space.dialogForm}
          onFinish={save}
        >
          <FormInput watch={watch} />
          <Form.Item
            name="name"
            label="名称"
            rules={[{ required: true, whitespace: true, message: '请输入令牌名称' }]}
            extra="写明用途，方便日后辨认"
          >
            <Input maxLength={30} showCount autoComplete="off" />
          </Form.Item>
          <Form.Item name="days" label="有效期">
            <Select options={LIFETIMES} />
          </Form.Item>
        </Form>
      )}
    </Modal>
  )
}

function ShownOnce({ token }: { token: string }) {
  const example = `curl -H "Authorization: Bearer ${token}" ${window.location.origin}${getViewer.path}`
  return (
    <Flex vertical gap={12} className={styles.shownOnce}>
      <Alert type="warning" showIcon title="令牌只显示这一次，请立即复制并妥善保存。" />
      <Flex gap={8} align="center">
        <Input readOnly value={token} aria-label="令牌" className={styles.token} />
        <CopyIcon text={token} what="令牌" />
      </Flex>
      <div>
        <Typography.Text type="secondary">调用示例</Typography.Text>
        <Flex gap={8} align="start" className={styles.example}>
          <Typography.Text code className={styles.call}>
            {example}
          </Typography.Text>
          <CopyIcon text={example} what="示例" />
        </Flex>
      </div>
    </Flex>
  )
}
