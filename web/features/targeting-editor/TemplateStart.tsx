import { App } from 'antd'
import type { DataOf } from '#contract/endpoint.ts'
import type { PackageCode } from '#contract/targeting/package-codes.ts'
import { getTemplate } from '#contract/targeting-template.ts'
import { useConfirm } from '../../components/use-confirm.ts'
import { TemplateField } from '../../domain/targeting/TemplateField.tsx'
import { call } from '../../lib/call.ts'
import styles from './editor.module.css'

interface Props {
  platform: PackageCode
  advId: number | undefined
  /** Whether something is chosen that a template would replace. */
  isFilled: boolean
  onTargeting: (targeting: DataOf<typeof getTemplate>['targeting']) => void
}

/** Fills the editor of a new package from a template; asks before it replaces what is chosen. */
export function TemplateStart({ platform, advId, isFilled, onTargeting }: Props) {
  const { message } = App.useApp()
  const confirm = useConfirm()
  return (
    <div className={styles.template}>
      <TemplateField
        platform={platform}
        advId={advId}
        placeholder="从模板开始"
        onChange={(start) => {
          if (start === null || start.kind === 'package') return
          const query = start.kind === 'template' ? { id: start.id } : { key: start.key, platform }
          const fill = () =>
            call<typeof getTemplate>(getTemplate, { query }).then(
              ({ targeting }) => onTargeting(targeting),
              (error: Error) => void message.error(error.message || '模板加载失败'),
            )
          if (!isFilled) return void fill()
          confirm({
            title: '用模板替换已选的定向？',
            content: '当前选择的定向将全部被模板替换，名称、失效时间和存储路径不变。',
            okText: '替换',
            onOk: fill,
          })
        }}
      />
    </div>
  )
}
