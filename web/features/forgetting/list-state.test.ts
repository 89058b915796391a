import { expect, test } from 'vitest'
import { readForgottenState, writeForgottenState } from './list-state.ts'

test('a link restores the list, and what it does not know stays in the URL', () => {
  const link = 'keyword=1&forgotten_page=2&forgotten_oneID=u1-person'
  const params = new URLSearchParams(link)
  const state = readForgottenState(params)
  expect(state).toEqual({ oneID: 'u1-person', page: 2, page_size: 10 })
  expect(writeForgottenState(params, state).toString()).toBe(link)
  expect(writeForgottenState(params, { ...state, oneID: '', page: 1 }).toString()).toBe('keyword=1')
})
