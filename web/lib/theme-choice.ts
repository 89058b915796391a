import { createContext, use } from 'react'
import type { ThemeChoice } from './saved-context.ts'

export interface ThemeSwitch {
  choice: ThemeChoice
  isDark: boolean
  choose(choice: ThemeChoice): void
}

export const ThemeContext = createContext<ThemeSwitch | null>(null)

export function useThemeSwitch(): ThemeSwitch {
  const value = use(ThemeContext)
  if (!value) throw new Error('useThemeSwitch is called outside of the providers')
  return value
}
