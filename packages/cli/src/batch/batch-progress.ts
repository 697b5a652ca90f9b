import type { GivenFlags } from '../flag-check.ts'
import type { CliContext } from '../flag-command.ts'
import type { Report } from '../report.ts'
import type { Manifest } from './manifest.ts'

/** Shows how far a batch is. */
export interface BatchProgress {
  update(manifest: Manifest, running: ReadonlyMap<number, number>): void
  /** Removes what is shown; the next update shows it again. */
  clear(): void
  /** Lets something else be written in between. */
  around<A extends unknown[]>(write: (...args: A) => void): (...args: A) => void
}

const REDRAW_MS = 80

const ended = ({ completed, failed, skipped }: Manifest) => completed + failed + skipped

/** The whole batch, 0 … 1, with the shares of the rows that run. */
const shareOf = (manifest: Manifest, running: ReadonlyMap<number, number>) =>
  (ended(manifest) + [...running.values()].reduce((sum, share) => sum + share, 0)) / manifest.total

const rowsText = (running: ReadonlyMap<number, number>) =>
  [...running].map(([index, share]) => `row ${index} ${Math.floor(share * 100)} %`).join(', ')

/** One line on a terminal, drawn over again; elsewhere a line for each row that ended. */
export const batchProgress = (
  { stderr, env }: Pick<CliContext, 'stderr' | 'env'>,
  { note }: Pick<Report, 'note'>,
  given: GivenFlags,
): BatchProgress => {
  const stream = stderr as NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number }
  const silent = given.json === true || given.quiet === true
  const live = !silent && stream.isTTY === true && !env.CI && env.TERM !== 'dumb'
  let drawn = -Infinity
  let told = 0
  const clear = () => {
    if (drawn !== -Infinity) stream.write('\r\u001b[K')
    drawn = -Infinity
  }
  return {
    update(manifest, running) {
      if (silent) return
      const done = ended(manifest)
      if (live && performance.now() - drawn >= REDRAW_MS) {
        drawn = performance.now()
        const share = Math.floor(shareOf(manifest, running) * 100)
        const text = `${done}/${manifest.total} rows, ${share} %, ${rowsText(running)}`
        stream.write(`\r\u001b[K${text.slice(0, (stream.columns || 80) - 1)}`)
      }
      if (!live && done > told) note(`${done}/${manifest.total} rows`)
      told = done
    },
    clear,
    around:
      (write) =>
      (...args) => {
        clear()
        write(...args)
      },
  }
}
