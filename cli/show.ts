import type { Report } from '../server/commands/command.ts'

const BAR_WIDTH = 28
/** Without a terminal, a log gets a line per tenth and per stage. */
const LOG_STEPS = 10

/**
 * Shows a command's progress on stderr, as a bar on a terminal and as lines elsewhere; stdout holds only the results.
 */
export function showOn(out: NodeJS.WriteStream, err: NodeJS.WriteStream): Report & { close(): void } {
  let isBarShown = false
  let last = ''
  const wipe = () => {
    if (isBarShown) err.write('\r\u001b[2K')
    isBarShown = false
  }
  return {
    progress(share, stage) {
      const done = Math.min(1, Math.max(0, share))
      if (err.isTTY) {
        const full = Math.round(done * BAR_WIDTH)
        const bar = '█'.repeat(full) + '░'.repeat(BAR_WIDTH - full)
        err.write(`\r\u001b[2K${bar} ${percent(done)} ${stage}`)
        isBarShown = true
        return
      }
      const line = `${percent(Math.floor(done * LOG_STEPS) / LOG_STEPS)} ${stage}`
      if (line !== last) err.write(`${line}\n`)
      last = line
    },
    print(line) {
      wipe()
      out.write(`${line}\n`)
    },
    close: wipe,
  }
}

const percent = (share: number) => `${String(Math.floor(share * 100)).padStart(3)}%`
