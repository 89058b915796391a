import { outcome } from '#contract/outcome.ts'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'
/** A message to a robot. */
export interface Notice {
  kind: 'failed' | 'paused' | 'test'
  crowd: string
  account: string
  reason: string
  /** Absent in messages queued before outcomes had codes, and in test messages. */
  outcome?: AnyOutcome
  /** The full address of the console's page. */
  link: string
  push_id: number | null
  at: number
}

const TITLES = { failed: '人群推送失败', paused: '人群推送已暂停', test: '测试通知' } as const

const lines = (notice: Notice) => [`人群：${notice.crowd}`, `账户：${notice.account}`, `原因：${notice.reason}`]

/** The message as each kind of robot expects it. */
export function messageOf(kind: 'wecom' | 'feishu' | 'json', notice: Notice): object {
  const title = TITLES[notice.kind]
  if (kind === 'wecom') {
    const text = lines(notice).map((line) => `> ${plainText(line)}`)
    return {
      msgtype: 'markdown',
      markdown: { content: [`**${title}**`, ...text, `[查看详情](${notice.link})`].join('\n') },
    }
  }
  if (kind === 'feishu') {
    return {
      msg_type: 'post',
      content: {
        post: {
          zh_cn: {
            title,
            content: [
              ...lines(notice).map((text) => [{ tag: 'text', text }]),
              [{ tag: 'a', text: '查看详情', href: notice.link }],
            ],
          },
        },
      },
    }
  }
  return { event: `push.${notice.kind}`, title, ...notice }
}

/** Escapes markdown, since viewers choose the names in a message. */
const plainText = (text: string) => text.replace(/[\r\n]+/g, ' ').replace(/[*_`[\]<>#]/g, (mark) => `\\${mark}`)

/** Null when the robot took the message, else its reason; robots answer 200 even when they refuse. */
export function refusalOf(kind: 'wecom' | 'feishu' | 'json', status: number, text: string): AnyOutcome | null {
  if (status < 200 || status >= 300) return outcome('webhook_status', { status, text: text.slice(0, 200) })
  if (kind === 'json') return null
  const unreadable = outcome('webhook_answer_unreadable', { text: text.slice(0, 200) })
  try {
    const answer: unknown = JSON.parse(text)
    if (typeof answer !== 'object' || answer === null) return unreadable
    const { errcode, errmsg, code, StatusCode, msg } = answer as Record<string, unknown>
    const said = kind === 'wecom' ? errcode : (code ?? StatusCode)
    return said === 0 ? null : outcome('webhook_refused', { text: String(errmsg ?? msg ?? text.slice(0, 200)) })
  } catch {
    return unreadable
  }
}
