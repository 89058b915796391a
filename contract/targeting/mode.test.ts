import { expect, test } from 'vitest'
import { type EditorMode, editorMode, isReadOnly, isTypeFixed, savingCall } from './mode.ts'

test.each<[string, string, string | null, EditorMode]>([
  ['the id 0 is a new package', '0', null, 'create'],
  ['the id 0 is a new package whatever the mode says', '0', 'read', 'create'],
  ['mode=read only shows', '7', 'read', 'read'],
  ['mode=copy starts from the package', '7', 'copy', 'copy'],
  ['no mode is editing', '7', null, 'edit'],
  ['any other mode is editing', '7', 'watch', 'edit'],
])('%s', (_, id, mode, expected) => expect(editorMode(id, mode)).toBe(expected))

test('reading alone disables inputs and saves nothing', () => {
  const modes: EditorMode[] = ['create', 'edit', 'copy', 'read']
  expect(modes.filter(isReadOnly)).toEqual(['read'])
  expect(modes.map(savingCall)).toEqual(['create', 'update', 'create', null])
})

test('the package type stays once the package is saved', () => {
  expect((['create', 'copy', 'edit', 'read'] as const).map(isTypeFixed)).toEqual([false, false, true, true])
})
