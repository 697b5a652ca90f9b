import { checkRequest, createKernel, type RenderResult, render, takesRequests } from '@vid/kernel'
import { openContext, prepareRender } from '@vid/render'
import { machineCores } from '@vid/system'
import { startCommand } from '../../flags/command-start.ts'
import type { RawFlags } from '../../flags/flag-check.ts'
import type { CliContext } from '../../flags/flag-command.ts'
import { spellingOf } from '../../flags/spelling.ts'
import { rasterText } from '../../raster-text.ts'
import { readRenderFlags } from '../render/run.ts'
import { adviceOn, type Measured, measure, type Quality, type Workers } from './advice.ts'
import { benchmarkFlags } from './flags.ts'

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

const workersText = (workers: Workers): string => `${workers} worker${workers === 1 ? '' : 's'}`

/** The numbers of workers to try: those that were asked for, or what nobody has to ask for and some that may be faster. */
const workersOf = (asked: string | undefined): Workers[] => {
  const most = Math.max(1, Math.min(4, Math.floor(machineCores())))
  const wanted = asked?.split(',').map((each) => (each === 'auto' ? each : Number(each)))
  return [...new Set<Workers>(wanted ?? ['auto', 1, Math.ceil(most / 2), most])]
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
  const [request] = prepared.requests
  const { capture } = kernel.setup
  const raster =
    request && (await rasterText({ capture, request: checkRequest(request), folder: request.projectDir, signal }))
  if (raster !== undefined) report.note(`raster: ${raster}`)
  const qualities = (flags.quality ?? 'standard').split(',') as Quality[]
  const kinds = [...new Set(qualities)].flatMap((quality) =>
    workersOf(flags.workers).map((workers) => ({ quality, workers, results: [] as RenderResult[] })),
  )
  const runs = flags.runs ?? 3
  // In turn: what slows the machine for a while slows every kind.
  for (let run = 0; run < runs; run += 1)
    for (const { quality, workers, results } of kinds) {
      report.note(`${quality}, ${workersText(workers)}: run ${run + 1} of ${runs}`)
      results.push(await render(kernel, { ...request, quality, workers }, { signal }))
    }
  const measured = kinds.map(({ quality, workers, results }) => measure(quality, workers, results))
  for (const row of measured) report.event({ type: 'benchmark-row', ...row })
  report.event({ type: 'benchmark-complete', runs, rows: measured, ...(raster !== undefined && { raster }) })
  report.result(tableText(rowsOf(measured)))
  for (const line of adviceOn(measured)) report.note(line)
}
