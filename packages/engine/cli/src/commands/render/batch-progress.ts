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

/** One line on a terminal, drawn over again, and one for each row that fails; elsewhere one for each row that ends. */
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
      if (((silent || live) && !failure) || isCancelled) return
      clear()
      const label = labelOf(manifest, index)
      const text = failure
        ? `${label} failed: ${failure.code}: ${failure.message}`
        : `${label}, ${shortPath(outputPath, cwd)}${reuseText(segments)}`
      note(`${ended(manifest)}/${manifest.total} ${batchKindOf(manifest)}: ${text}`)
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
