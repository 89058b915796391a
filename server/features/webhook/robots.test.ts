import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { sentenceOrNull } from '#contract/outcome.ts'
import { type CrowdNotice, messageOf, type Notice, type ReportNotice, refusalOf } from './message.ts'
import { postJson, urlFault } from './outbound.ts'

/** The answers that each robot's vendor documents; robots of chat groups answer 200 even when they refuse. */
const ANSWERS: Record<string, { status: number; body: string; location?: string }> = {
  '/cgi-bin/webhook/send?key=good': { status: 200, body: '{"errcode":0,"errmsg":"ok"}' },
  '/cgi-bin/webhook/send?key=bad': { status: 200, body: '{"errcode":93000,"errmsg":"invalid webhook url"}' },
  '/open-apis/bot/v2/hook/good': {
    status: 200,
    body: '{"StatusCode":0,"StatusMessage":"success","code":0,"data":{},"msg":"success"}',
  },
  '/open-apis/bot/v2/hook/old': { status: 200, body: '{"Extra":null,"StatusCode":0,"StatusMessage":"success"}' },
  '/open-apis/bot/v2/hook/bad': {
    status: 200,
    body: '{"code":19001,"data":{},"msg":"param invalid: incoming webhook access token invalid"}',
  },
  '/open-apis/bot/v2/hook/busy': {
    status: 400,
    body: '{"code":9499,"data":{},"msg":"too many request"}',
  },
  '/open-apis/bot/v2/hook/page': { status: 200, body: '<html>登录</html>' },
  '/json/good': { status: 204, body: '' },
  '/json/bad': { status: 500, body: 'out of order' },
  '/json/moved': { status: 302, body: '', location: 'http://127.0.0.1:1/elsewhere' },
}
const received: { path: string; headers: IncomingHttpHeaders; body: unknown }[] = []
const server = createServer((request, answer) => {
  let text = ''
  request.setEncoding('utf8')
  request.on('data', (chunk) => {
    text += chunk
  })
  request.on('end', () => {
    const path = request.url ?? ''
    received.push({ path, headers: request.headers, body: JSON.parse(text) })
    const { status, body, location } = ANSWERS[path] ?? { status: 404, body: '' }
    answer.writeHead(status, { 'content-type': 'application/json', ...(location ? { location } : {}) }).end(body)
  })
})
await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
afterAll(() => server.close())
beforeEach(() => {
  received.length = 0
})

const notice: Notice = {
  kind: 'failed',
  crowd: '双11_*老客',
  account: '某公司（9007）',
  reason: '平台没有接收\n第 2 个文件',
  link: 'https://console.test/cowd-manage/custom-crowd?crowd=1',
  push_id: 7,
  at: 1_700_000_000,
}
type Kind = 'wecom' | 'feishu' | 'json'
const send = async (kind: Kind, path: string) => {
  const { status, text } = await postJson(origin + path, messageOf(kind, notice, 'Asia/Shanghai'), {
    allowed: [origin],
  })
  return sentenceOrNull(refusalOf(kind, status, text))
}

test.each<[Kind, string, string | null]>([
  ['wecom', '/cgi-bin/webhook/send?key=good', null],
  ['wecom', '/cgi-bin/webhook/send?key=bad', '对方拒绝：invalid webhook url'],
  ['feishu', '/open-apis/bot/v2/hook/good', null],
  ['feishu', '/open-apis/bot/v2/hook/old', null],
  ['feishu', '/open-apis/bot/v2/hook/bad', '对方拒绝：param invalid: incoming webhook access token invalid'],
  ['feishu', '/open-apis/bot/v2/hook/busy', '对方答复 HTTP 400：{"code":9499,"data":{},"msg":"too many request"}'],
  ['feishu', '/open-apis/bot/v2/hook/page', '对方的答复无法识别：<html>登录</html>'],
  ['json', '/json/good', null],
  ['json', '/json/bad', '对方答复 HTTP 500：out of order'],
  ['json', '/json/moved', '对方答复 HTTP 302'],
])('the answer of a %s robot at %s gives %s', async (kind, path, refusal) => {
  expect(await send(kind, path)).toBe(refusal)
  // Redirects are not followed.
  expect(received).toMatchObject([{ path, headers: { 'content-type': 'application/json; charset=utf-8' } }])
})

test('a 飞书 robot gets a rich-text post, any other address gets JSON fields', async () => {
  await send('feishu', '/open-apis/bot/v2/hook/good')
  await send('json', '/json/good')
  expect(received[0]?.body).toEqual({
    msg_type: 'post',
    content: {
      post: {
        zh_cn: {
          title: '人群推送失败',
          content: [
            [{ tag: 'text', text: '人群：双11_*老客' }],
            [{ tag: 'text', text: '账户：某公司（9007）' }],
            [{ tag: 'text', text: '原因：平台没有接收\n第 2 个文件' }],
            [{ tag: 'a', text: '查看详情', href: notice.link }],
          ],
        },
      },
    },
  })
  expect(received[1]?.body).toEqual({ event: 'push.failed', title: '人群推送失败', ...notice })
})

test.each(['feishu', 'json'] as const)(
  'a %s robot in the internal network is called only if it is allowed',
  async (kind) => {
    const message = messageOf(kind, notice, 'Asia/Shanghai')
    for (const to of [`${origin}/json/good`, `http://localhost:${new URL(origin).port}/json/good`]) {
      await expect(postJson(to, message, { allowed: [] })).rejects.toThrow('内部网络')
    }
    expect(received).toEqual([])
  },
)

test.each([
  [`http://${'a'.repeat(64)}.test/`, '地址中的主机名不正确'],
  [`http://a..test/`, '地址中的主机名不正确'],
  [`http://${'a.'.repeat(130)}test/`, '地址中的主机名不正确'],
  [`http://${'a'.repeat(63)}.test./`, null],
])('the address %.30s is refused with: %s', (address, said) => {
  expect(sentenceOrNull(urlFault(address, []))).toBe(said)
})

test('a name that is not found is told without the error of the system', async () => {
  const failed = postJson('http://nowhere.invalid/', {}, { allowed: [] })
  await expect(failed).rejects.toThrow(/^连接失败：[\u4e00-\u9fff]+$/)
})

const change: CrowdNotice = {
  ...{ kind: 'changed', adv_id: 3, crowd_id: 12, crowd: '高价值_女性', version: 9, since_version: 4 },
  ...{ old_size: 1_000_000, new_size: 1_150_000, entered: 200_000, left: 50_000, share: 25, over: 10 },
  ...{ since: 1_763_568_000, at: 1_763_654_400, link: 'https://console.test/cowd-manage/cowd-assets/profile/12' },
}
const words = (notice: CrowdNotice, kind: Kind) => JSON.stringify(messageOf(kind, notice, 'Asia/Shanghai'))

test('a change of a crowd is told with exact numbers and both times', () => {
  expect(messageOf('wecom', change, 'Asia/Shanghai')).toEqual({
    msgtype: 'markdown',
    markdown: {
      content: [
        '**人群变化**',
        '> 人群：高价值\\_女性',
        '> 人数：1,000,000 → 1,150,000',
        '> 进入：200,000',
        '> 离开：50,000',
        '> 变化：25%（超过 10%）',
        '> 数据：2025-11-20 00:00:00 → 2025-11-21 00:00:00',
        `[查看详情](${change.link})`,
      ].join('\n'),
    },
  })
  expect(words(change, 'feishu')).toContain('人数：1,000,000 → 1,150,000')
  expect(messageOf('json', change, 'Asia/Shanghai')).toEqual({ event: 'crowd.changed', title: '人群变化', ...change })
})

test('a crowd that had nobody has no share', () => {
  expect(words({ ...change, old_size: 0, left: 0, share: null }, 'wecom')).toContain('变化：原来没有人')
})

test('odd days of reports are told day by day, without a number', () => {
  const found: ReportNotice = {
    ...{ kind: 'report', adv_id: 2, campaign_id: 12, campaign: '双11*', at: 1_700_000_000 },
    marks: [
      { date: '2026-11-26', mark: 'unsynced' },
      { date: '2026-11-26', mark: 'jump' },
      { date: '2026-11-27', mark: 'corrected' },
    ],
    link: 'https://console.test/campaign-manage/day-report?campaign_id=12',
  }
  expect(messageOf('wecom', found, 'Asia/Shanghai')).toEqual({
    msgtype: 'markdown',
    markdown: {
      content: [
        '**报表异常**',
        '> 活动：双11\\*',
        '> 2026-11-26：未同步、异常波动',
        '> 2026-11-27：平台修正',
        `[查看详情](${found.link})`,
      ].join('\n'),
    },
  })
  expect(messageOf('json', found, 'Asia/Shanghai')).toEqual({ event: 'report.marked', title: '报表异常', ...found })
})
