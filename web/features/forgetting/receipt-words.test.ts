import { expect, test } from 'vitest'
import { isUnderWay, platformsText, removalHint } from './receipt-words.ts'

test.each([
  [{ accounts: 0, accepted: 0 }, '没有推送过'],
  [{ accounts: 4, accepted: 3 }, '平台已受理 3/4'],
])('what is said of the platforms: %j', (given, words) => {
  expect(platformsText(given)).toBe(words)
})

test('a receipt is under way until the last platform has taken its removal', () => {
  expect(isUnderWay({ status: 'running', accounts: 0, accepted: 0 })).toBe(true)
  expect(isUnderWay({ status: 'done', accounts: 2, accepted: 1 })).toBe(true)
  expect(isUnderWay({ status: 'done', accounts: 2, accepted: 2 })).toBe(false)
})

test('values that were kept for too long are said to be erased', () => {
  expect(removalHint({ status: 'expired', reason: null })).toContain('已按期清除')
  expect(removalHint({ status: 'paused', reason: '重新授权后自动继续' })).toBe('重新授权后自动继续')
})
