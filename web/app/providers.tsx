import { QueryClientProvider } from '@tanstack/react-query'
import { App, ConfigProvider } from 'antd'
import zhCN from 'antd/es/locale/zh_CN'
import dayjs from 'dayjs'
import { type ReactNode, useLayoutEffect, useMemo, useState } from 'react'
import 'dayjs/locale/zh-cn'
import { useMedia, useReducedMotion } from '../lib/media.ts'
import { saved, type ThemeChoice } from '../lib/saved-context.ts'
import { ThemeContext } from '../lib/theme-choice.ts'
import { TOOLTIP_DELAY_MS } from '../lib/tooltip-delay.ts'
import { EditionProvider } from './edition.tsx'
import { beginFirstCalls } from './first-calls.ts'
import { createQueryClient } from './query-client.ts'
import { OPERATOR_COLORS, themeOf } from './theme.ts'
import styles from './tooltip.module.css'

dayjs.locale('zh-cn')

/** A mouse that only crosses a list opens no tooltips, and those that are open do not keep clicks from what they cover. */
const TOOLTIP = {
  mouseEnterDelay: TOOLTIP_DELAY_MS / 1000,
  classNames: { root: styles.through, container: styles.through },
}

export function Providers({
  onSignedOut,
  children,
}: {
  onSignedOut: (hadSession: boolean) => void
  children: ReactNode
}) {
  const [choice, setChoice] = useState<ThemeChoice>(() => saved.theme.get() ?? 'light')
  const systemIsDark = useMedia('(prefers-color-scheme: dark)')
  const isStill = useReducedMotion()
  const isDark = choice === 'dark' || (choice === 'system' && systemIsDark)
  const themeSwitch = useMemo(
    () => ({
      choice,
      isDark,
      choose: (next: ThemeChoice) => {
        saved.theme.set(next)
        setChoice(next)
      },
    }),
    [choice, isDark],
  )
  const theme = useMemo(() => themeOf(isDark, isStill), [isDark, isStill])
  useLayoutEffect(() => {
    document.documentElement.dataset.theme = isDark ? 'dark' : 'light'
    document.documentElement.style.colorScheme = isDark ? 'dark' : 'light'
    for (const [op, { ink, tint }] of Object.entries(OPERATOR_COLORS[isDark ? 'dark' : 'light'])) {
      document.documentElement.style.setProperty(`--op-${op}-ink`, ink)
      document.documentElement.style.setProperty(`--op-${op}-tint`, tint)
    }
  }, [isDark])

  return (
    <ThemeContext value={themeSwitch}>
      <ConfigProvider
        locale={zhCN}
        theme={theme}
        componentSize="medium"
        // No space between two characters, so that search and screen readers find the word.
        button={{ autoInsertSpace: false }}
        tooltip={TOOLTIP}
      >
        <App message={{ maxCount: 3 }}>
          <Queries onSignedOut={onSignedOut}>
            <EditionProvider>{children}</EditionProvider>
          </Queries>
        </App>
      </ConfigProvider>
    </ThemeContext>
  )
}

function Queries({ onSignedOut, children }: { onSignedOut: (hadSession: boolean) => void; children: ReactNode }) {
  const { message } = App.useApp()
  const [client] = useState(() => {
    const made = createQueryClient({
      // The same message replaces its popup instead of stacking a second one.
      announce: (msg) => void message.error({ content: msg, key: msg }),
      onSignedOut,
    })
    beginFirstCalls(made)
    return made
  })
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>
}
