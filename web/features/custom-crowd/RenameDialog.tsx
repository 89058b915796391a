import { App, Form, Input } from 'antd'
import {
  CrowdName,
  type CustomCrowd,
  getCustomCrowd,
  listCustomCrowds,
  updateCustomCrowd,
} from '#contract/custom-crowd.ts'
import { AUDIENCE_CODES, audienceInfo, platformInfo } from '#contract/platform.ts'
import { FormDialog } from '../../components/FormDialog.tsx'
import { useAction } from '../../lib/query.ts'
import { zodRule } from '../../lib/zod-rule.ts'

/** Audiences on platforms that can rename them follow with their next push. */
export function RenameDialog({ crowd, onClose }: { crowd: CustomCrowd; onClose: () => void }) {
  const { message } = App.useApp()
  const rename = useAction(updateCustomCrowd, [listCustomCrowds, getCustomCrowd], { meta: { quiet: true } })
  return (
    <FormDialog<{ name: string }>
      title="重命名人群"
      isBusy={rename.isPending}
      initialValues={{ name: crowd.name }}
      refusalUnder="name"
      onSave={async ({ name }) => {
        if (name !== crowd.name) await rename.mutateAsync({ body: { id: crowd.id, name } })
        message.success('修改成功')
        onClose()
      }}
      onCancel={onClose}
    >
      <Form.Item
        name="name"
        label="人群名称"
        extra={namesThere(crowd)}
        rules={[zodRule(CrowdName)]}
        validateTrigger="onSubmit"
      >
        <Input maxLength={60} placeholder="1 到 30 个字符" count={{ show: true, max: 30 }} />
      </Form.Item>
    </FormDialog>
  )
}

function namesThere({ audiences }: CustomCrowd): string | undefined {
  const words = AUDIENCE_CODES.filter((code) => audiences.some((child) => child.cnt_type === code)).map((code) =>
    audienceInfo(code).canRename
      ? `${platformInfo(code).name}上的人群包在下次推送时改名`
      : `${platformInfo(code).name}不支持改名，平台上保留原来的名称`,
  )
  return words.length > 0 ? `${words.join('；')}。` : undefined
}
