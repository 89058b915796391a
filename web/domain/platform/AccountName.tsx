import { accountBareName } from '#contract/advertiser.ts'
import text from '../../components/text.module.css'
import { WholeOnHover } from '../../components/WholeOnHover.tsx'

interface Account {
  name: string
  external_id: string
}

/** A platform account, cut where it does not fit; `hover` where there is more to say of it. */
export const AccountName = ({ name, external_id, hover }: Account & { hover?: string }) => (
  <WholeOnHover text={hover ?? accountBareName(name, external_id)}>
    <span className={text.cut}>{accountBareName(name, external_id)}</span>
  </WholeOnHover>
)

/** The platform's own id of an account, never cut: several accounts may have one name. Under a name it needs no word. */
export const AccountId = ({ external_id, isUnderName = false }: { external_id: string; isUnderName?: boolean }) => (
  <span className={`${text.small} ${text.anywhere}`} title="平台账户 ID">
    <span className={isUnderName ? 'visually-hidden' : undefined}>账户 </span>
    {external_id}
  </span>
)
