import { useQuery } from '@tanstack/react-query'
import { App, Button, Flex, Form, Input, Modal, Select } from 'antd'
import { useState } from 'react'
import { LINK_DAYS, listReportLinks, makeReportLink, type ReportLink, revokeReportLink } from '#contract/report-link.ts'
import { CopyIcon } from '../../components/CopyIcon.tsx'
import { EmptyState } from '../../components/EmptyState.tsx'
import { QueryState } from '../../components/QueryState.tsx'
import { RowAction } from '../../components/RowAction.tsx'
import text from '../../components/text.module.css'
import { useConfirm } from '../../components/use-confirm.ts'
import { useFocusBack } from '../../components/use-focus-back.ts'
import { formatTime } from '../../lib/format.ts'
import { queryOf, useAction } from '../../lib/query.ts'
import { writeSpan } from '../../lib/span.ts'
import styles from './activity.module.css'

interface Props {
  id: number
  advId: number
  /** The days that the report shows: a link opens on them. */
  span: [number, number]
  onClose: () => void
}

/** Read-only links to an activity's day report: makes one, and revokes those that still work. */
export function LinksDialog({ id, advId, span, onClose }: Props) {
  useFocusBack()
  const { message } = App.useApp()
  const confirm = useConfirm()
  const [days, setDays] = useState<number>(7)
  const [made, setMade] = useState<string | null>(null)
  const links = useQuery({ ...queryOf(listReportLinks, { query: { campaign_id: id } }), meta: { inPlace: true } })
  const making = useAction(makeReportLink, [listReportLinks], {
    // Without PUBLIC_URL the server knows only the path.
    onSuccess: ({ url }) => {
      const link = new URL(url, window.location.origin)
      link.searchParams.set('time_range', writeSpan(span))
      setMade(link.href)
    },
  })
  const revoking = useAction(revokeReportLink, [listReportLinks], {
    onSuccess: () => {
      setMade(null)
      void message.success('已撤销')
    },
  })
  const revoke = (link: ReportLink) =>
    confirm({
      title: '撤销这个链接？',
      content: '撤销后立即不能再打开，不能恢复。',
      okText: '撤销',
      isDanger: true,
      onOk: () => revoking.mutateAsync({ query: { id: link.id } as never }),
    })
  return (
    <Modal open width={560} title="分享分日数据" onCancel={onClose} footer={<Button onClick={onClose}>关闭</Button>}>
      <p className={`${text.hint} ${text.firstParagraph}`}>
        打开链接的人不需要账号，能看到您有权看的全部列（不只是自定义列中所选的）和任意日期，手机号会被遮住；只能看这个活动的分日数据。
      </p>
      <Form component="div" layout="vertical">
        <Form.Item label="有效期">
          <Flex gap={8}>
            <Select
              aria-label="有效期"
              className={styles.linkDays ?? ''}
              value={days}
              onChange={setDays}
              options={LINK_DAYS.map((value) => ({ value, label: `${value} 天` }))}
            />
            <Button
              type="primary"
              loading={making.isPending}
              onClick={() => making.mutate({ body: { campaign_id: id, days } })}
            >
              建立链接
            </Button>
          </Flex>
        </Form.Item>
        {made !== null && (
          <Form.Item label="链接地址" extra="只显示这一次，请现在复制">
            <Flex gap={8} align="center">
              <Input readOnly aria-label="链接地址" value={made} onFocus={(event) => event.target.select()} />
              <CopyIcon text={made} what="链接" />
            </Flex>
          </Form.Item>
        )}
      </Form>
      <QueryState query={links} errorTitle="链接加载失败">
        {({ list }) =>
          list.length === 0 ? (
            <EmptyState title="没有有效的链接" />
          ) : (
            <ul className={styles.links} aria-label="有效的链接">
              {list.map((link) => (
                <li key={link.id}>
                  <div>
                    {link.creator}建立，{formatTime(link.expires_at)} 失效
                    <div className={text.small}>
                      {link.last_opened_at === null
                        ? '还没有打开过'
                        : `打开过 ${link.opened} 次，最近 ${formatTime(link.last_opened_at)}`}
                    </div>
                  </div>
                  <RowAction changes={advId} danger onClick={() => revoke(link)}>
                    撤销
                  </RowAction>
                </li>
              ))}
            </ul>
          )
        }
      </QueryState>
    </Modal>
  )
}
