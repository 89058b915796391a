import { useParams, useSearchParams } from 'react-router'
import { editorMode } from '#contract/targeting/mode.ts'
import { SOCIAL_EDITOR } from '../../features/targeting-editor/social/social-editor.ts'
import { PackageEditor } from './PackageEditor.tsx'

/** The editor of the social platform's packages; the id 0 is a new one. `isWatched`: it can only be looked at. */
export function SocialEditorPage({ isWatched }: { isWatched: boolean }) {
  const { id = '' } = useParams()
  const [search] = useSearchParams()
  return <PackageEditor editor={SOCIAL_EDITOR} id={id} mode={isWatched ? 'read' : editorMode(id, search.get('mode'))} />
}
