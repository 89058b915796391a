import { Alert, Form, Input } from 'antd'
import { forgetPerson, listForgettings } from '#contract/forgetting.ts'
import { listLinkUsers } from '#contract/link-user.ts'
import { FormDialog } from '../../components/FormDialog.tsx'
import text from '../../components/text.module.css'
import { useAction } from '../../lib/query.ts'
import styles from './forgetting.module.css'

interface Props {
  /** Whom the call is about. */
  who: { adv_id: number; oneID?: string; person?: number }
  /** The One ID as the page shows it, which is to be written again. */
  shown: string
  onForgotten: (id: number) => void
  onClose: () => void
}

/** Says what is lost, and asks for the One ID once more before a person is forgotten. */
export function ForgetDialog({ who, shown, onForgotten, onClose }: Props) {
  const forget = useAction(forgetPerson, [listLinkUsers, listForgettings])
  return (
    <FormDialog<{ confirm: string }>
      title="删除用户"
      okText="永久删除"
      isDangerous
      width={560}
      isBusy={forget.isPending}
      refusalUnder="confirm"
      onSave={async ({ confirm }) => {
        const { id } = await forget.mutateAsync({ body: { ...who, confirm: confirm.trim() } })
        onForgotten(id)
      }}
      onCancel={onClose}
    >
      <Alert
        className={styles.warning}
        type="warning"
        showIcon
        title="删除后不能恢复"
        description={
          <ul className={styles.lost}>
            <li>身份、属性、设备号、手机号、事件，以及在所有标签、人群与上传文件中的记录，都从本系统移除。</li>
            <li>推送过这个人的平台人群，会逐个收到移除请求；平台受理后何时生效，由平台决定。</li>
            <li>以后导入或上传的数据中再有这个人，会被拒绝并计数。</li>
          </ul>
        }
      />
      <Form.Item
        name="confirm"
        label={
          <span className={text.anywhere}>
            输入 One ID <strong>{shown}</strong> 以确认
          </span>
        }
        rules={[
          { required: true, message: '请输入 One ID' },
          {
            validator: (_, value: string | undefined) =>
              !value || value.trim() === shown
                ? Promise.resolve()
                : Promise.reject(new Error('与这个用户的 One ID 不同')),
          },
        ]}
        validateTrigger="onSubmit"
      >
        <Input autoComplete="off" spellCheck={false} />
      </Form.Item>
    </FormDialog>
  )
}
