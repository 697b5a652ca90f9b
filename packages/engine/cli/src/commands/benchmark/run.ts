import type { CommandRun } from '@vid/command'
import { createKernel, render, takesRequests } from '@vid/kernel'
import { checkRequest, type RenderResult } from '@vid/protocol'
import { openContext, prepareRender } from '@vid/render'
import { machineCores } from '@vid/system'
import { rasterText } from '../../raster-text.ts'
import { renderSettings } from '../render/settings.ts'
import { measure, type Quality, type WorkerCount, workersText } from './advice.ts'
import type { benchmarkOptions } from './options.ts'

/** The numbers of workers to try: those of the flag, or the default and some that may be faster. */
const workersOf = (list: string | undefined): WorkerCount[] => {
  const most = Math.max(1, Math.min(4, Math.floor(machineCores())))
  const counts = list?.split(',').map((word) => (word === 'auto' ? word : Number(word)))
  return [...new Set<WorkerCount>(counts ?? ['auto', 1, Math.ceil(most / 2), most])]
}

/** `vid benchmark`: renders a folder again and again, and says how long it took. */
export const runBenchmark = async (run: CommandRun<typeof benchmarkOptions, { readonly dir: string }>) => {
  const { cwd, env, signal, report, spelling, unguarded } = run
  const { runs = 3, workers: workersAsked, quality: qualityAsked, ...options } = run.options
  const open = await openContext({ cwd, env, spelling, loading: unguarded })
  const prepared = await prepareRender(renderSettings({ ...run, options }), open, { writes: false })
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
  const qualities = (qualityAsked ?? 'standard').split(',') as Quality[]
  const kinds = [...new Set(qualities)].flatMap((quality) =>
    workersOf(workersAsked).map((workers) => ({ quality, workers, results: [] as RenderResult[] })),
  )
  // In turn: what slows the machine for a while slows every kind.
  for (let count = 1; count <= runs; count += 1)
    for (const { quality, workers, results } of kinds) {
      report.note(`${quality}, ${workersText(workers)}: run ${count} of ${runs}`)
      results.push(await render(kernel, { ...request, quality, workers }, { signal }))
    }
  const rows = kinds.map(({ quality, workers, results }) => measure(quality, workers, results))
  for (const row of rows) report.event({ type: 'benchmark-row', ...row })
  return { runs, rows, ...(raster !== undefined && { raster }) }
}
