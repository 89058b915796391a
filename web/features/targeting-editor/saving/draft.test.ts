import { expect, test } from 'vitest'
import { PLATFORMS } from '#contract/platform.ts'
import { fiveTabEditor } from '../five-tab/five-tab-editor.ts'
import { SOCIAL_EDITOR } from '../social/social-editor.ts'
import { draftOfSaved, draftOfTicket } from './draft.ts'

const video = fiveTabEditor('video', PLATFORMS.video.code)
const chosen = { name: '新客', dir_id: 5, invalid_time: 2_000_000_000, landing_type: 'APP_IOS' }
const saved = {
  name: '老客',
  dir_id: 3,
  invalidTime: 1_900_000_000,
  targeting: { landing_type: 'APP_ANDROID', age: ['AGE_ABOVE_50'], gender: ['GENDER_MALE'] },
}

test('a copy takes name, folder and landing type from the dialog, and the rest from the package', () => {
  const { form, ...base } = draftOfTicket(video, chosen, saved)
  expect(base).toEqual({ targeting_name: '新客', dir_id: 5, invalid_time: chosen.invalid_time })
  expect(form).toEqual({ ...draftOfSaved(video, saved).form, landing_type: 'APP_IOS' })
})

test('a new package starts with an empty form under the type of the dialog', () => {
  expect(draftOfTicket(video, chosen, null).form).toEqual({ ...video.emptyForm(), landing_type: 'APP_IOS' })
})

test('a package without types is copied whole', () => {
  const targeting = { gender: ['FEMALE'] }
  const { form } = draftOfTicket(SOCIAL_EDITOR, { ...chosen, landing_type: null }, { targeting })
  expect(form).toEqual(SOCIAL_EDITOR.formOf(targeting))
})

test('copy loads an existing package', () => {
  const { form } = draftOfTicket(video, chosen, saved)
  expect(form).toMatchObject({ age: ['AGE_ABOVE_50'], gender: ['GENDER_MALE'] })
})
