import { CheckOutlined, CopyOutlined } from '@ant-design/icons'
import { App, Button, Tooltip } from 'antd'
import { useEffect, useState } from 'react'
import { copyText } from '../lib/copy-text.ts'

/** Copies a text; `what` names it for the tooltip and for screen readers. */
export function CopyIcon({ text, what = '' }: { text: string; what?: string }) {
  const { message } = App.useApp()
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), 2000)
    return () => clearTimeout(timer)
  }, [isCopied])
  const copy = async () => {
    if (await copyText(text)) setCopied(true)
    else message.warning('浏览器不允许复制，请手动选择后复制')
  }
  return (
    <Tooltip title={isCopied ? '已复制' : `复制${what}`}>
      <Button
        type="text"
        size="small"
        aria-label={isCopied ? '已复制' : `复制${what}`}
        icon={isCopied ? <CheckOutlined /> : <CopyOutlined />}
        onClick={copy}
      />
    </Tooltip>
  )
}
