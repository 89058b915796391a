import { App } from 'antd'
import type { DataOf } from '#contract/endpoint.ts'
import type { PackageCode } from '#contract/targeting/package-codes.ts'
import { getTemplate } from '#contract/targeting-template.ts'
import { TemplateField } from '../../domain/targeting/TemplateField.tsx'
import { call } from '../../lib/call.ts'
import styles from './editor.module.css'

interface Props {
  platform: PackageCode
  advId: number | undefined
  onTargeting: (targeting: DataOf<typeof getTemplate>['targeting']) => void
}

/** Fills an empty editor from a template. */
export function TemplateStart({ platform, advId, onTargeting }: Props) {
  const { message } = App.useApp()
  return (
    <div className={styles.template}>
      <TemplateField
        platform={platform}
        advId={advId}
        placeholder="从模板开始"
        onChange={(start) => {
          if (start === null || start.kind === 'package') return
          const query = start.kind === 'template' ? { id: start.id } : { key: start.key, platform }
          call<typeof getTemplate>(getTemplate, { query }).then(
            ({ targeting }) => onTargeting(targeting),
            (error: Error) => void message.error(error.message || '模板加载失败'),
          )
        }}
      />
    </div>
  )
}
