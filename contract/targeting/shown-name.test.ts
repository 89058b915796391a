import { expect, test } from 'vitest'
import { PLATFORMS } from '../platform.ts'
import { shownName } from './shown-name.ts'

const LONG = '高消费女性老客户再次购买人群包二零二六年版'

test.each([
  ['20 bytes in tab 2', PLATFORMS.social.code, 'abcdefghijklmnopqrst', 'abcdefghijklmnopqrst'],
  ['a byte more in tab 2', PLATFORMS.social.code, 'abcdefghijklmnopqrstu', 'abcdefghijklmnopqrst…'],
  ['no half character in tab 2', PLATFORMS.social.code, LONG, '高消费女性老…'],
  ['20 characters in tab 3', PLATFORMS.video.code, [...LONG].slice(0, 20).join(''), [...LONG].slice(0, 20).join('')],
  ['a character more in tab 4', PLATFORMS.commerce.code, LONG, `${[...LONG].slice(0, 20).join('')}…`],
])('%s', (_, platform, name, shown) => expect(shownName(platform, name)).toBe(shown))
