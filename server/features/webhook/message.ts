import { DAY_MARKS } from '#contract/activity/marks.ts'
import { outcome } from '#contract/outcome.ts'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'
import { timeText } from '../../time/day.ts'

/** A message to a robot. */
export type Notice = PushNotice | CrowdNotice | ReportNotice

/** Of a push that failed or waits for a viewer, or a test. */
export interface PushNotice {
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

/**
 * Of a crowd that changed by more than the share that its owner set. A message is sent again when no answer came; crowd
 * and version tell that it is the same one.
 */
export interface CrowdNotice {
  kind: 'changed'
  adv_id: number
  crowd_id: number
  crowd: string
  /** The version that is told, and the one it is compared with: the one told last. */
  version: number
  since_version: number
  /** Exact numbers of people. */
  old_size: number
  new_size: number
  entered: number
  left: number
  /** Who entered and who left, in percent of the people before; null where there were none. */
  share: number | null
  /** The share that its owner set, percent. */
  over: number
  /** The times of the data of both versions, epoch seconds. */
  since: number
  at: number
  link: string
}

/**
 * Of days of an activity that are odd since the last message. Neither costs nor what became of them: who reads the robot's
 * messages may not be allowed to see them.
 */
export interface ReportNotice {
  kind: 'report'
  adv_id: number
  campaign_id: number
  campaign: string
  marks: { date: string; mark: keyof typeof DAY_MARKS }[]
  at: number
  link: string
}

const TITLES = {
  failed: '人群推送失败',
  paused: '人群推送已暂停',
  test: '测试通知',
  changed: '人群变化',
  report: '报表异常',
} as const
const EVENTS: Readonly<Record<Notice['kind'], string>> = {
  failed: 'push.failed',
  paused: 'push.paused',
  test: 'push.test',
  changed: 'crowd.changed',
  report: 'report.marked',
}

const counted = new Intl.NumberFormat('en-US')

function lines(notice: Notice, timezone: string): string[] {
  if (notice.kind === 'report') {
    const ofDay = Map.groupBy(notice.marks, ({ date }) => date)
    const days = [...ofDay].map(([date, marks]) => `${date}：${marks.map(({ mark }) => DAY_MARKS[mark]).join('、')}`)
    return [`活动：${notice.campaign}`, ...days]
  }
  if (notice.kind !== 'changed') {
    return [`人群：${notice.crowd}`, `账户：${notice.account}`, `原因：${notice.reason}`]
  }
  const { crowd, old_size, new_size, entered, left, share, over, since, at } = notice
  return [
    `人群：${crowd}`,
    `人数：${counted.format(old_size)} → ${counted.format(new_size)}`,
    `进入：${counted.format(entered)}`,
    `离开：${counted.format(left)}`,
    share === null ? '变化：原来没有人' : `变化：${share}%（超过 ${over}%）`,
    `数据：${timeText(since, timezone)} → ${timeText(at, timezone)}`,
  ]
}

/** The message as each kind of robot expects it. */
export function messageOf(kind: 'wecom' | 'feishu' | 'json', notice: Notice, timezone: string): object {
  const title = TITLES[notice.kind]
  if (kind === 'wecom') {
    const text = lines(notice, timezone).map((line) => `> ${plainText(line)}`)
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
              ...lines(notice, timezone).map((text) => [{ tag: 'text', text }]),
              [{ tag: 'a', text: '查看详情', href: notice.link }],
            ],
          },
        },
      },
    }
  }
  return { event: EVENTS[notice.kind], title, ...notice }
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
