import type { SocialForm } from '#contract/targeting/social/schema.ts'
import { useEditing } from '../editor-context.ts'

/** What the parts of the social editor work on. */
export const useSocial = () => useEditing<SocialForm>()
