import { accountBareName } from '#contract/advertiser.ts'
import text from '../../components/text.module.css'
import { WholeOnHover } from '../../components/WholeOnHover.tsx'

interface Account {
  name: string
  external_id: string
}

/** The name of a platform account and its remark, truncated to fit; `hover` replaces the name in the tooltip. */
export const AccountName = ({
  name,
  external_id,
  remark = '',
  hover,
}: Account & { remark?: string | undefined; hover?: string }) => {
  const bare = accountBareName(name, external_id)
  return (
    <WholeOnHover text={remark === '' ? (hover ?? bare) : `${hover ?? bare}（备注：${remark}）`}>
      <span className={text.cut}>
        {bare}
        {remark !== '' && <span className={text.small}> · {remark}</span>}
      </span>
    </WholeOnHover>
  )
}

/** The platform's id of an account, never truncated: accounts may share a name. Below a name the label is left out. */
export const AccountId = ({ external_id, isUnderName = false }: { external_id: string; isUnderName?: boolean }) => (
  <WholeOnHover text="平台账户 ID">
    <span className={`${text.small} ${text.anywhere}`}>
      <span className={isUnderName ? 'visually-hidden' : undefined}>账户 </span>
      {external_id}
    </span>
  </WholeOnHover>
)
