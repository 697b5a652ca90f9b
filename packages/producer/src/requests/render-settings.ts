import type { ProducerRender, ProducerSnapshot } from '@vid/kernel'
import { defined, type RenderSettings, type StillSettings } from '@vid/render'
import type { ProducerSettings } from '../options.ts'

/** Memory of one worker, a browser and an encoder with room to spare. */
const WORKER_BYTES = 2 ** 30

/** As many workers as a request asks for, as far as its share of the memory goes. */
const chooseWorkers = (
  asked: ProducerRender['workers'],
  { memoryBytes, maxConcurrentRenders }: MachineSettings,
): ProducerRender['workers'] => {
  const most = Math.max(1, Math.floor(memoryBytes / maxConcurrentRenders / WORKER_BYTES))
  return typeof asked === 'number' ? Math.min(asked, most) : asked
}

type MachineSettings = Pick<ProducerSettings, 'memoryBytes' | 'maxConcurrentRenders'>

/** The settings of a render that a body asks for, of the composition in `projectDir`, with its result at `output`. */
export const renderSettings = (
  body: ProducerRender,
  places: { readonly projectDir: string; readonly output: string },
  settings: MachineSettings,
): RenderSettings => {
  const {
    projectDir: _dir,
    html: _html,
    project: _project,
    outputPath: _path,
    timeoutMs: _timeout,
    ...asked
  } = body
  const { entryFile, format, workers, ...shared } = asked
  const formats = [...new Set((format ?? '').split(',').map((name) => name.trim()))].filter(Boolean)
  // One path for several formats: each gets its own extension.
  const outputs = formats.map((name) => ({ format: name, output: places.output }))
  return {
    ...defined({ ...shared, workers: chooseWorkers(workers, settings) }),
    ...(entryFile !== undefined && { entry: entryFile }),
    ...(formats.length > 1
      ? { outputs }
      : { ...(formats[0] !== undefined && { format: formats[0] }), output: places.output }),
    projectDir: places.projectDir,
  }
}

/** The settings of the stills that a body asks for. */
export const stillSettings = (
  body: ProducerSnapshot,
  places: { readonly projectDir: string; readonly output: string },
): StillSettings => {
  const { projectDir: _dir, html: _html, project: _project, timeoutMs: _timeout, entryFile, ...shared } = body
  return {
    ...defined(shared),
    ...(entryFile !== undefined && { entry: entryFile }),
    ...places,
  }
}
