import { Flex } from 'antd'
import type { CrowdUser } from '#contract/live-plan.ts'
import { isCallError } from '../../lib/call.ts'
import { paths } from '../../lib/paths.ts'

const NAMES_SHOWN = 5

/** The first few names, and how many there are. */
export const namesOf = (crowds: readonly { name: string }[]): string =>
  crowds
    .slice(0, NAMES_SHOWN)
    .map((crowd) => `「${crowd.name}」`)
    .join('') + (crowds.length > NAMES_SHOWN ? `等 ${crowds.length} 个` : '')

/** What the server's refusal names; not checked by its schema, which the first page does not fetch. */
function usersIn(data: unknown): CrowdUser[] {
  if (typeof data !== 'object' || data === null || !('users' in data) || !Array.isArray(data.users)) return []
  return data.users
}

/** Why a crowd was not deleted, with links to what uses it. */
export const DeletionRefusal = ({ error }: { error: Error }) => (
  <KeptBy reason={error.message || '删除失败'} users={isCallError(error) ? usersIn(error.data) : []} />
)

/** The same, of a check before the deletion. */
export const KeptBy = ({ reason, users }: { reason: string; users: readonly CrowdUser[] }) => (
  <Flex vertical gap={4}>
    <span>{reason}</span>
    <UserLinks users={users} />
  </Flex>
)

// Dialogs are drawn outside of the router, and the list should stay: plain links in new tabs.
export const UserLinks = ({ users }: { users: readonly CrowdUser[] }) =>
  users.map((user) => (
    <span key={user.kind === 'crowd' ? `crowd ${user.id}` : `plan ${user.id} ${user.plan_id}`}>
      {user.kind === 'crowd' ? '人群' : '计划'}{' '}
      {user.kind === 'crowd' ? (
        <a href={paths.ruleCrowdWatch(user.id)} target="_blank" rel="noreferrer">
          {user.name}
        </a>
      ) : (
        user.name
      )}
      {user.kind === 'plan' && user.package_name !== null && `（通过定向包「${user.package_name}」）`}
    </span>
  ))
