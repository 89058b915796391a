import { App, Checkbox, Flex, Form, Input } from 'antd'
import {
  createViewer,
  getViewer,
  listViewers,
  Password,
  Username,
  updateViewer,
  type ViewerDetail,
} from '#contract/viewer.ts'
import { FormDialog } from '../../components/FormDialog.tsx'
import { AdvertisersSelect } from '../../domain/advertiser/AdvertisersSelect.tsx'
import { useAction } from '../../lib/query.ts'
import { zodRule } from '../../lib/zod-rule.ts'
import { NewPasswordField } from './NewPasswordField.tsx'
import { isPasswordRefusal } from './refused-password.ts'
import styles from './viewer.module.css'

interface Values {
  username: string
  password: string
  realname: string
  is_admin: boolean
  see_phones: boolean
  see_restricted: boolean
  adv_ids: number[]
  read_only_adv_ids: number[]
}

const BLANK: Values = {
  username: '',
  password: '',
  realname: '',
  is_admin: false,
  see_phones: false,
  see_restricted: false,
  adv_ids: [],
  read_only_adv_ids: [],
}

interface Props {
  /** The user to change; null creates one. */
  viewer: ViewerDetail | null
  advertisers: { id: number; name: string }[]
  onClose: () => void
}

export function ViewerDialog({ viewer, advertisers, onClose }: Props) {
  const { message } = App.useApp()
  const [form] = Form.useForm<Values>()
  const isAdmin = Form.useWatch('is_admin', form) ?? false
  const members = Form.useWatch('adv_ids', form) ?? []
  const done = (text: string) => () => {
    message.success(text)
    onClose()
  }
  const create = useAction(createViewer, [listViewers], {
    meta: { quiet: true },
    onSuccess: done('新建成员成功'),
  })
  const update = useAction(updateViewer, [listViewers, getViewer], { onSuccess: done('修改成功') })

  const save = ({ username, password, ...given }: Values) => {
    // What was taken from the advertisers above is no longer shown as one to look at.
    const flags = { ...given, read_only_adv_ids: given.read_only_adv_ids.filter((id) => given.adv_ids.includes(id)) }
    return viewer
      ? update.mutate({ params: { id: viewer.id }, body: flags })
      : create.mutateAsync({ body: { username, password, ...flags } })
  }

  return (
    <FormDialog
      title={viewer ? `编辑成员 ${viewer.username}` : '新建成员'}
      isBusy={create.isPending || update.isPending}
      initialValues={viewer ?? BLANK}
      form={form}
      {...(viewer
        ? {}
        : { refusalUnder: (refusal) => (isPasswordRefusal(refusal) ? ('password' as const) : ('username' as const)) })}
      onSave={save}
      onCancel={onClose}
    >
      {viewer === null && (
        <>
          <Form.Item name="username" label="用户名" rules={[zodRule(Username)]}>
            <Input maxLength={32} autoComplete="off" />
          </Form.Item>
          <Form.Item name="password" label="初始密码" rules={[zodRule(Password)]}>
            <NewPasswordField />
          </Form.Item>
        </>
      )}
      <Form.Item name="realname" label="姓名">
        <Input maxLength={30} autoComplete="off" />
      </Form.Item>
      <Form.Item name="adv_ids" label="可见广告主">
        <AdvertisersSelect
          known={advertisers}
          placeholder={isAdmin ? '管理员可见全部广告主' : '未选择时看不到任何广告主的数据'}
          disabled={isAdmin}
        />
      </Form.Item>
      <Form.Item name="read_only_adv_ids" label="其中只能查看" extra="对这些广告主只能查看，不能新建、修改、推送或删除">
        <AdvertisersSelect
          known={advertisers}
          only={members}
          placeholder={isAdmin ? '管理员可修改全部广告主' : '未选择时都可以修改'}
          disabled={isAdmin || members.length === 0}
        />
      </Form.Item>
      <Form.Item label="权限" className={styles.rights}>
        <Flex vertical gap={4}>
          <Form.Item name="is_admin" valuePropName="checked" noStyle>
            <Checkbox>管理员：管理成员与全部广告主</Checkbox>
          </Form.Item>
          <Form.Item name="see_phones" valuePropName="checked" noStyle>
            <Checkbox>可查看完整手机号</Checkbox>
          </Form.Item>
          <Form.Item name="see_restricted" valuePropName="checked" noStyle>
            <Checkbox>可查看落地页至留资的各项指标（land_pv 至 liuzi_pv）</Checkbox>
          </Form.Item>
        </Flex>
      </Form.Item>
    </FormDialog>
  )
}
