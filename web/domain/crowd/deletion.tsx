import { Flex } from 'antd'
import { isCallError } from '../../lib/call.ts'
import { paths } from '../../lib/paths.ts'

export interface CrowdUser {
  kind: 'crowd' | 'plan'
  id: number
  name: string
}

const NAMES_SHOWN = 5

/** The first few names, and how many there are. */
export const namesOf = (crowds: readonly { name: string }[]): string =>
  crowds
    .slice(0, NAMES_SHOWN)
    .map((crowd) => `「${crowd.name}」`)
    .join('') + (crowds.length > NAMES_SHOWN ? `等 ${crowds.length} 个` : '')

const isUser = (value: unknown): value is CrowdUser =>
  typeof value === 'object' && value !== null && 'kind' in value && 'id' in value && 'name' in value

function usersIn(data: unknown): CrowdUser[] {
  if (typeof data !== 'object' || data === null || !('users' in data) || !Array.isArray(data.users)) return []
  return data.users.filter(isUser)
}

/** Why a crowd was not deleted, with links to what uses it. */
export const DeletionRefusal = ({ error }: { error: Error }) => (
  <Flex vertical gap={4}>
    <span>{error.message || '删除失败'}</span>
    <UserLinks users={isCallError(error) ? usersIn(error.data) : []} />
  </Flex>
)

// Dialogs are drawn outside of the router, and the list should stay: plain links in new tabs.
export const UserLinks = ({ users }: { users: readonly CrowdUser[] }) =>
  users.map((user) => (
    <span key={`${user.kind} ${user.id}`}>
      {user.kind === 'crowd' ? '人群' : '计划'}{' '}
      {user.kind === 'crowd' ? (
        <a href={paths.ruleCrowdWatch(user.id)} target="_blank" rel="noreferrer">
          {user.name}
        </a>
      ) : (
        user.name
      )}
    </span>
  ))
