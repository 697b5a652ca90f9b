import { availableParallelism } from 'node:os'
import { createKernel, type RenderRequestInput, type RenderResult, render, takesRequests } from '@vid/kernel'
import { openContext, prepareRender } from '@vid/render'
import { startCommand } from '../../flags/command-start.ts'
import type { RawFlags } from '../../flags/flag-check.ts'
import type { CliContext } from '../../flags/flag-command.ts'
import { spellingOf } from '../../flags/spelling.ts'
import { readRenderFlags } from '../render/run.ts'
import { benchmarkFlags } from './flags.ts'

type Quality = NonNullable<RenderRequestInput['quality']>

/** The medians of some renders of one kind. */
export interface Measured {
  readonly quality: Quality
  readonly workers: number
  readonly frames: number
  readonly wallMs: number
  /** Frames rendered in a second. */
  readonly fps: number
  /** Length of the video over the time it took. */
  readonly realtime: number
  /** Milliseconds of waiting for the capture engine, and for the encoder, a frame. */
  readonly captureMs: number
  readonly encodeMs: number
  readonly bytes: number
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

const spentIn = ({ timings = [], frames }: RenderResult, hooks: readonly string[]) =>
  timings.filter(({ hook }) => hooks.includes(hook)).reduce((sum, { ms }) => sum + ms, 0) / frames

const measure = (quality: Quality, workers: number, results: readonly RenderResult[]): Measured => {
  const [{ frames, durationMs, fileSize }] = results as readonly [RenderResult, ...RenderResult[]]
  const wallMs = median(results.map(({ renderTimeMs }) => renderTimeMs))
  return {
    ...{ quality, workers, frames, wallMs, bytes: fileSize },
    fps: (frames / wallMs) * 1000,
    realtime: durationMs / wallMs,
    captureMs: median(results.map((result) => spentIn(result, ['capture']))),
    encodeMs: median(results.map((result) => spentIn(result, ['encode']))),
  }
}

const rowsOf = (measured: readonly Measured[]) => [
  ['quality', 'workers', 'time', 'frames/s', 'x realtime', 'capture/frame', 'encode/frame', 'size'],
  ...measured.map(({ quality, workers, wallMs, fps, realtime, captureMs, encodeMs, bytes }) => [
    quality,
    `${workers}`,
    `${(wallMs / 1000).toFixed(2)} s`,
    fps.toFixed(1),
    realtime.toFixed(2),
    `${captureMs.toFixed(1)} ms`,
    `${encodeMs.toFixed(1)} ms`,
    `${(bytes / 1e6).toFixed(2)} MB`,
  ]),
]

const tableText = (rows: readonly (readonly string[])[]): string => {
  const widths = rows[0]?.map((_, index) => Math.max(...rows.map((row) => row[index]?.length ?? 0))) ?? []
  return rows
    .map((row) =>
      row
        .map((cell, index) => cell.padEnd(widths[index] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** `vid benchmark`: renders a folder again and again, and says how long it took. */
export const runBenchmark = async (dir: string, rawFlags: RawFlags, context: CliContext): Promise<void> => {
  const { signal } = context
  const { flags, report } = startCommand(benchmarkFlags, rawFlags, context, {
    conflicts: [['variables', 'variables-file']],
  })
  const { runs: _runs, workers: _workers, quality: _quality, ...shared } = rawFlags
  const { cwd, env } = context
  const { settings } = await readRenderFlags(dir, shared, context)
  const open = await openContext({ cwd, env, spelling: spellingOf(rawFlags), loading: context.unguarded })
  const prepared = await prepareRender(settings, open, { writes: false })
  for (const warning of prepared.warnings) report.warn(warning)
  // No segment may be reused from earlier runs, and nothing is delivered.
  const { store: _store, target, ...plugins } = prepared.kernel.setup
  // It measures this machine: a target that takes requests whole is replaced by the one of the standard preset.
  const local = takesRequests(target) ? open.presets[0]?.targets?.local : target
  const kernel = createKernel({ ...plugins, deliveries: [], ...(local && { target: local }) })
  const maxWorkers = Math.max(1, Math.min(4, availableParallelism()))
  const workers = flags.workers?.split(',').map(Number) ?? [
    ...new Set([1, Math.ceil(maxWorkers / 2), maxWorkers]),
  ]
  const qualities = (flags.quality ?? 'standard').split(',') as Quality[]
  const runs = flags.runs ?? 3
  const measured: Measured[] = []
  for (const quality of new Set(qualities))
    for (const count of new Set(workers)) {
      const results: RenderResult[] = []
      for (let run = 0; run < runs; run += 1) {
        report.note(`${quality}, ${count} worker${count === 1 ? '' : 's'}: run ${run + 1} of ${runs}`)
        const request = { ...prepared.requests[0], quality, workers: count }
        const result = await render(kernel, request, { signal })
        results.push(result)
      }
      const row = measure(quality, count, results)
      report.event({ type: 'benchmark-row', ...row })
      measured.push(row)
    }
  report.event({ type: 'benchmark-complete', runs, rows: measured })
  report.result(tableText(rowsOf(measured)))
  const fastest = measured.toSorted((a, b) => a.wallMs - b.wallMs)[0]
  if (fastest && measured.length > 1)
    report.note(`fastest: --quality ${fastest.quality} --workers ${fastest.workers}`)
}
