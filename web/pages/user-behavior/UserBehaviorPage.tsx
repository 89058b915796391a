import { useParams, useSearchParams } from 'react-router'
import { PageHeader } from '../../components/PageHeader.tsx'
import { useAdvertiser } from '../../features/advertiser/advertiser-context.tsx'
import { Unauthorised } from '../../features/advertiser/Unauthorised.tsx'
import { ForgetButton } from '../../features/forgetting/ForgetButton.tsx'
import { UserBehaviour } from '../../features/link-user/UserBehaviour.tsx'
import { useViewer } from '../../features/viewer/viewer-context.ts'
import { paths } from '../../lib/paths.ts'

const idIn = (text: string | null) => (text !== null && /^\d+$/.test(text) ? Number(text) : undefined)

/** What one person did. The URL names the advertiser, and by number those whose One ID is masked. */
export default function UserBehaviorPage() {
  const { oneID = '' } = useParams()
  const [params] = useSearchParams()
  const { advId } = useAdvertiser()
  const viewer = useViewer()
  const adv_id = idIn(params.get('adv_id')) ?? advId
  const person = idIn(params.get('person'))
  return (
    <>
      <PageHeader crumbs={[{ title: '人群管理' }, { title: '用户列表', to: paths.userList() }]} title="用户行为" />
      {adv_id === undefined ? (
        <Unauthorised module="用户行为" />
      ) : (
        <UserBehaviour
          key={`${adv_id} ${person ?? oneID}`}
          who={{ adv_id, ...(person === undefined ? { oneID } : { person }) }}
          actionsOf={(user) => (
            <ForgetButton
              who={{ adv_id, person: user.person }}
              shown={user.oneID}
              maySeePhones={viewer.see_phones || viewer.is_admin}
            />
          )}
        />
      )}
    </>
  )
}
