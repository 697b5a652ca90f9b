import { bar, type CommandRun, createPace, leftText, shortPath } from '@vid/command'
import { type EndedRow, type Manifest, rowLabel } from '@vid/render'

/** Shows how far a batch is. */
export interface BatchProgress {
  update(manifest: Manifest, running: ReadonlyMap<number, number>): void
  /** Reports a row that has ended. */
  ended(manifest: Manifest, row: EndedRow): void
  /** Removes what is shown; the next update shows it again. */
  clear(): void
  /** Clears the line so that other text can be written. */
  around<A extends unknown[]>(write: (...args: A) => void): (...args: A) => void
}

const REDRAW_MS = 80

const ended = ({ completed, failed, skipped, cancelled }: Manifest) => completed + failed + skipped + cancelled

/** The whole batch, 0 … 1, with the shares of the rows that run. */
const shareOf = (manifest: Manifest, running: ReadonlyMap<number, number>) =>
  (ended(manifest) + [...running.values()].reduce((sum, share) => sum + share, 0)) / manifest.total

const labelOf = (manifest: Manifest, index: number) => rowLabel(manifest, manifest.rows[index] ?? { index })

/** What the rows of a batch are. */
export const batchKindOf = ({ manifestPath, rows: [first] }: Manifest): string => {
  if (manifestPath === '') return 'shapes'
  return first?.row === undefined ? 'rows' : 'videos'
}

const rowsText = (manifest: Manifest, running: ReadonlyMap<number, number>) =>
  [...running].map(([index, share]) => `${labelOf(manifest, index)} ${Math.floor(share * 100)} %`).join(', ')

const reuseText = ({ total, reused }: EndedRow['segments']) => {
  if (reused === 0) return ''
  return reused === total ? ', all of it reused' : `, ${reused} of ${total} segments reused`
}

/** Rows whose ends are reported one by one in a log; of further rows, about as many lines say how far the batch is. */
const MAX_LINES = 10

/** Failures that are reported one by one. */
const MAX_FAILURES = 10

/** One line on a terminal, drawn over again; elsewhere one for the first rows that end, then one for each tenth. */
export const batchProgress = ({
  stderr,
  cwd,
  json,
  options,
  progress,
  report: { note },
}: Pick<CommandRun, 'stderr' | 'cwd' | 'json' | 'options' | 'progress' | 'report'>): BatchProgress => {
  const stream = stderr as NodeJS.WritableStream & { readonly columns?: number }
  const live = progress.isLive
  const silent = json || options.quiet === true
  const measure = createPace()
  let drawn = -Infinity
  let failures = 0
  let lines = 0
  const clear = () => {
    if (drawn !== -Infinity) stream.write('\r\u001b[K')
    drawn = -Infinity
  }
  return {
    update(manifest, running) {
      if (!live || performance.now() - drawn < REDRAW_MS) return
      drawn = performance.now()
      const share = shareOf(manifest, running)
      const pace = measure(share, 1)
      const parts = [
        `${ended(manifest)}/${manifest.total} ${batchKindOf(manifest)} ${bar(share)} ${Math.floor(share * 100)} %`,
        pace ? leftText(pace.left) : '',
        rowsText(manifest, running),
      ]
      const text = parts.filter(Boolean).join(', ')
      stream.write(`\r\u001b[K${text.slice(0, (stream.columns || 80) - 1)}`)
    },
    ended(manifest, { index, outputPath, segments, failure, isCancelled }) {
      if (isCancelled) return
      const label = labelOf(manifest, index)
      const count = `${ended(manifest)}/${manifest.total} ${batchKindOf(manifest)}`
      if (failure) {
        failures += 1
        if (failures > MAX_FAILURES) return
        clear()
        note(`${count}: ${label} failed: ${failure.code}: ${failure.message}`)
        if (failures === MAX_FAILURES) note(`only the first ${MAX_FAILURES} failures are shown here`)
        return
      }
      if (silent || live) return
      const pace = measure(shareOf(manifest, new Map()), 1)
      lines += 1
      if (lines <= MAX_LINES || manifest.total <= 2 * MAX_LINES)
        note(`${count}: ${label}, ${shortPath(outputPath, cwd)}${reuseText(segments)}`)
      else if (ended(manifest) % Math.ceil(manifest.total / MAX_LINES) === 0)
        note([count, pace ? leftText(pace.left) : ''].filter(Boolean).join(', '))
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
