import { useNavigate } from 'react-router'
import { logout } from '#contract/viewer.ts'
import { paths } from '../../lib/paths.ts'
import { useAction } from '../../lib/query.ts'

export function useSignOut() {
  const navigate = useNavigate()
  const signOut = useAction(logout, [], { onSuccess: () => navigate(paths.login()) })
  return () => signOut.mutate({})
}
