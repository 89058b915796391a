import { LABELS } from './labels.ts'
import { ALL_SCENES } from './platform.ts'
import type { SocialForm } from './schema.ts'

/** The scene sentence around its two choices: 在[场景]场景中，选择在[时间]内有过行为的用户. */
export const SCENE_SENTENCE = {
  before: '在',
  between: '场景中，选择在',
  after: '内有过行为的用户',
  scenePlaceholder: '请选择行为场景',
  windowPlaceholder: '时间',
} as const

/** In which scenes and within which time the behaviours were, as one sentence. */
export function sceneWords({ behavior_scene, behavior_time_window }: SocialForm): string {
  const { before, between, after } = SCENE_SENTENCE
  const scenes = behavior_scene
    .map((scene) => (scene === ALL_SCENES ? '全部' : LABELS.behavior_scene[scene]))
    .join('、')
  return before + scenes + between + LABELS.behavior_time_window[behavior_time_window].replaceAll(' ', '') + after
}
