import { expect, test } from 'vitest'
import { comparedIn, comparedText } from './compared.ts'

test.each(['12,15', '12@3,12', '12@3,15@4'])('%s is read and written', (text) => {
  const pair = comparedIn(text)
  expect(pair && comparedText(pair)).toBe(text)
})

test.each([null, '', '12', '12,', '12,x', '0,1', '1,2,3', '1@0,2'])('%s is no comparison', (text) => {
  expect(comparedIn(text)).toBeNull()
})
