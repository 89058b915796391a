import { useParams, useSearchParams } from 'react-router'
import { COMBINED_TAB, type PlatformCode } from '#contract/platform.ts'
import { type FiveTabPlatform, fiveTabPlatform } from '#contract/targeting/five-tab/platforms.ts'
import type { FiveTabForm } from '#contract/targeting/five-tab/schema.ts'
import { editorMode } from '#contract/targeting/mode.ts'
import { isPackageCode, PACKAGE_CODES } from '#contract/targeting/package-codes.ts'
import type { EditorDefinition } from '../../features/targeting-editor/editor-definition.ts'
import { fiveTabEditor } from '../../features/targeting-editor/five-tab/five-tab-editor.ts'
import { NoSuchPackage, PackageEditor } from './PackageEditor.tsx'

const EDITORS: Partial<Record<FiveTabPlatform, EditorDefinition<FiveTabForm>>> = Object.fromEntries(
  PACKAGE_CODES.flatMap((code) => {
    const platform = fiveTabPlatform(code)
    return platform ? [[platform, fiveTabEditor(platform, code)]] : []
  }),
)

/** The editor of packages of platforms 2 and 3; the id 0 is a new one. */
export function TargetingEditorPage() {
  const { platform: code, id = '' } = useParams()
  const [search] = useSearchParams()
  const platform = Number(code) as PlatformCode
  const five = isPackageCode(platform) ? fiveTabPlatform(platform) : null
  const editor = five === null ? undefined : EDITORS[five]
  if (!editor) return <NoSuchPackage tab={COMBINED_TAB} />
  return <PackageEditor editor={editor} id={id} mode={editorMode(id, search.get('mode'))} />
}
